package main

import "io"

// reader is an input that has ended.
type reader struct{}

func (*reader) Read([]byte) (int, error) { return 0, io.EOF }

// writer keeps what is written.
type writer []byte

func (w *writer) Write(b []byte) (int, error) {
	*w = append(*w, b...)
	return len(b), nil
}
