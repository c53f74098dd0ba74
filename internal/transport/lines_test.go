package transport

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// endless is a line without an end.
type endless struct{ left int }

func (e *endless) Read(b []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := min(len(b), e.left)
	for i := range b[:n] {
		b[i] = 'x'
	}
	e.left -= n
	return n, nil
}

func TestLongLineIsNotBuffered(t *testing.T) {
	const long, limit = 64 << 20, 1 << 20
	result := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			lines := newLineReader(&endless{left: long}, limit)
			if _, err := lines.next(); !errors.Is(err, errLineTooLong) {
				b.Fatalf("got %v, want %v", err, errLineTooLong)
			}
		}
	})
	if got := result.AllocedBytesPerOp(); got > 8*limit {
		t.Errorf("a line of %d bytes took %d bytes of memory", long, got)
	}
}

// FuzzLines: every input is split as a naive reader would, and never more.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nb\r\n\n  \nlong long long long\nc"), uint8(5))
	f.Fuzz(func(t *testing.T, in []byte, limit uint8) {
		most := int(limit) + 1
		var want []string
		for line := range strings.SplitSeq(string(in), "\n") {
			line = strings.TrimSuffix(line, "\r")
			switch {
			case len(line) > most:
				want = append(want, errLineTooLong.Error())
			case strings.Trim(line, " \t\r") != "":
				want = append(want, line)
			}
		}
		lines := newLineReader(iotest.OneByteReader(strings.NewReader(string(in))), most)
		var got []string
		for {
			line, err := lines.next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				line = []byte(err.Error())
			}
			got = append(got, string(line))
		}
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Errorf("%q with at most %d: got %q, want %q", in, most, got, want)
		}
	})
}
