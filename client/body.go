package client

import (
	"errors"
	"io"
	"sync/atomic"
	"time"
)

// limitError ends the reading of an answer that is beyond what pgtower reads.
type limitError string

func (e limitError) Error() string { return string(e) }

const (
	errTooLong   limitError = "it is longer than pgtower reads"
	errLongValue limitError = "a value in it is longer than pgtower reads"
	errTooMany   limitError = "it has more records than pgtower reads"
)

// cappedBody reads at most a number of bytes of a body, decompressed, and keeps the error
// that ended the reading: a JSON decoder reports a connection that broke and a document
// that is incomplete alike.
type cappedBody struct {
	from io.Reader
	most int64
	// until is where the value that is being read has to end, or 0. A decoder gathers all
	// of a value before it hands it out.
	until int64
	read  int64
	err   error // other than io.EOF

	// patience is how long a part of the body may take to come; idle runs meanwhile.
	patience time.Duration
	idle     *time.Timer
	stalled  atomic.Bool
}

// stalledError is a body of which nothing more came for so long.
type stalledError time.Duration

func (e stalledError) Error() string {
	return "nothing more of it came for " + time.Duration(e).String()
}

// Timeout makes it one of the errors of time.
func (stalledError) Timeout() bool { return true }

// newBody returns a reader of a body, which calls giveUp where no byte comes for patience.
func newBody(from io.Reader, most int64, patience time.Duration, giveUp func()) *cappedBody {
	b := &cappedBody{from: from, most: most, patience: patience}
	b.idle = time.AfterFunc(patience, func() {
		b.stalled.Store(true)
		giveUp()
	})
	return b
}

func (b *cappedBody) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	// One byte beyond tells a body that is too long from one that just fits.
	room := b.most + 1 - b.read
	if b.until > 0 && b.until-b.read < room {
		room = b.until - b.read
	}
	if room <= 0 {
		b.err = errLongValue
		return 0, b.err
	}
	b.idle.Reset(b.patience)
	n, err := b.from.Read(p[:min(int64(len(p)), room)])
	b.idle.Stop()
	b.read += int64(n)
	if b.read > b.most {
		b.read, n, err = b.most, n-1, errTooLong
	}
	if err != nil && !errors.Is(err, io.EOF) {
		if b.stalled.Load() {
			err = stalledError(b.patience)
		}
		b.err = err
	}
	return n, err
}
