package transport

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
)

// errLineTooLong is returned for a line over the limit; the line has been
// read to its end and the next call goes on behind it.
var errLineTooLong = errors.New("line too long")

// lineReader splits a stream into lines that are not blank.
type lineReader struct {
	r     *bufio.Reader
	limit int // the most bytes of a line, its end excluded
}

func newLineReader(r io.Reader, limit int) *lineReader {
	return &lineReader{bufio.NewReaderSize(r, 64<<10), limit}
}

// next returns the next line without its "\n" or "\r\n", in memory of its
// own. The last line needs no newline. It never buffers more than the limit.
func (l *lineReader) next() ([]byte, error) {
	for {
		line, err := l.line()
		if err != nil && !(errors.Is(err, io.EOF) && len(line) > 0) {
			return nil, err
		}
		if line = bytes.TrimSuffix(line, []byte("\r")); len(bytes.Trim(line, " \t\r")) > 0 {
			return line, nil
		}
	}
}

// line reads up to and with the next newline. At the end of the stream it
// returns what is left together with io.EOF.
func (l *lineReader) line() ([]byte, error) {
	var line []byte
	tooLong := false
	for {
		part, err := l.r.ReadSlice('\n')
		ended := err == nil
		if ended {
			part = part[:len(part)-1]
		}
		if len(line)+len(part) > l.limit+len("\r") {
			tooLong, line = true, nil
		}
		if !tooLong {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case tooLong || len(bytes.TrimSuffix(line, []byte("\r"))) > l.limit:
			return nil, errLineTooLong
		}
		return line, err
	}
}

// lineWriter writes whole lines, one at a time, from any goroutine.
type lineWriter struct {
	w      io.Writer
	broken chan struct{} // closed at the first failed write

	mu    sync.Mutex // guards w and fault
	fault error
}

// write writes line and a newline in one Write. After a failure it does
// nothing.
func (l *lineWriter) write(line []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fault != nil {
		return
	}
	if _, err := l.w.Write(append(slices.Clip(line), '\n')); err != nil {
		l.fault = fmt.Errorf("write standard output: %w", err)
		close(l.broken)
	}
}

// err returns why writing failed; nil when it did not. It does not wait for a
// write that is stuck.
func (l *lineWriter) err() error {
	select {
	case <-l.broken:
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.fault
	default:
		return nil
	}
}
