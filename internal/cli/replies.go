package cli

import (
	"bytes"
	"sync/atomic"
	"time"
)

// longestTrip is the longest that the program waits for replies of the terminal after its end.
const longestTrip = time.Second

// replies measures how long the terminal takes to answer a request. Bubble Tea asks at its start. Replies that are still on
// their way at the end must not reach the shell as if they were typed.
type replies struct {
	clock func() time.Time
	asked time.Time
	took  atomic.Int64 // until the first reply; 0: there was none
}

// read reads the replies of the terminal.
func (r *replies) read(b []byte) {
	reports := bytes.Contains(b, []byte("\x1b[?")) || bytes.Contains(b, []byte("\x1b]")) || bytes.Contains(b, []byte("\x1bP"))
	if reports {
		r.took.CompareAndSwap(0, int64(max(1, r.clock().Sub(r.asked))))
	}
}

// trip returns how long replies may still come: as long as the first took. A first one comes within longestTrip, or never.
func (r *replies) trip() time.Duration {
	took := time.Duration(r.took.Load())
	if took == 0 {
		return max(0, longestTrip-r.clock().Sub(r.asked))
	}
	return min(took, longestTrip)
}
