package main

import (
	"bytes"
	"os"
	"runtime/debug"
	"strconv"
)

// residentBytes returns the memory that the process has resident, once what
// is free is given back; false where the system does not tell.
func residentBytes() (int, bool) {
	debug.FreeOSMemory()
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, false
	}
	fields := bytes.Fields(data)
	if len(fields) < 2 {
		return 0, false
	}
	pages, err := strconv.Atoi(string(fields[1]))
	return pages * os.Getpagesize(), err == nil
}
