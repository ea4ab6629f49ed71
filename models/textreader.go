package models

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// ErrTooLong is in the error of [ReadText] for a text beyond its limit.
var ErrTooLong = errors.New("too long")

// ErrUTF16 is the error of a text that is marked as UTF-16.
var ErrUTF16 = errors.New("it is UTF-16, not UTF-8: save it as UTF-8")

// ReadText reads a text of at most limit bytes to its end, as [NewTextReader] reads it.
func ReadText(from io.Reader, limit int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(NewTextReader(from), limit+1))
	switch {
	case err != nil:
		return nil, err
	case int64(len(text)) > limit:
		return nil, fmt.Errorf("%w: more than %s", ErrTooLong, size(limit))
	}
	return text, nil
}

func size(bytes int64) string {
	switch {
	case bytes%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", bytes>>20)
	case bytes%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", bytes>>10)
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// NewTextReader returns a reader of a text without its byte order mark, which editors and shells of Windows write. A mark
// of UTF-16 is an error.
func NewTextReader(from io.Reader) io.Reader { return &textReader{from: from} }

type textReader struct {
	from  io.Reader
	begun bool
	rest  []byte // of the first bytes, which are text
	err   error
}

func (r *textReader) Read(p []byte) (int, error) {
	if !r.begun && len(p) > 0 {
		r.begun = true
		r.rest, r.err = begin(r.from)
	}
	if len(r.rest) > 0 {
		n := copy(p, r.rest)
		r.rest = r.rest[n:]
		return n, nil
	}
	if r.err != nil {
		return 0, r.err
	}
	return r.from.Read(p)
}

// begin reads the first byte, and more only if it may begin a mark: a typed character must not wait for the next one.
func begin(from io.Reader) (text []byte, err error) {
	mark := []byte("\uFEFF")
	for len(text) < len(mark) {
		next := make([]byte, 1)
		if _, err := io.ReadFull(from, next); err != nil {
			return text, err
		}
		text = append(text, next[0])
		switch {
		case bytes.Equal(text, []byte{0xFE, 0xFF}), bytes.Equal(text, []byte{0xFF, 0xFE}):
			return nil, ErrUTF16
		case bytes.Equal(text, []byte{0xFE}), bytes.Equal(text, []byte{0xFF}):
		case !bytes.HasPrefix(mark, text):
			return text, nil
		}
	}
	return nil, nil
}
