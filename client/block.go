package client

import (
	"sync"
	"time"

	"pgtower/models"
)

// nameBlock is how long a name that does not exist is not looked up again: a network that has just come back may not know
// it yet.
const nameBlock = 30 * time.Second

// block keeps a failure that another request would only repeat. Until the user tries again, no reads are sent.
type block struct {
	mu    sync.Mutex
	cause *models.Error // nil: there is none
	since time.Time
}

// repeat returns the failure in place of a request, or nil if the request may be sent.
func (b *block) repeat(now time.Time) *models.Error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch passed := now.Sub(b.since); {
	case b.cause == nil:
		return nil
	case b.cause.Block == models.NameBlock && (passed >= nameBlock || passed < 0): // below 0: the clock was set back
		b.cause = nil
		return nil
	}
	repeated := *b.cause
	repeated.Repeated, repeated.NotConnected = true, true
	return &repeated
}

// learn updates the block with the answer to a request.
func (b *block) learn(failure *models.Error, status int, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case failure != nil && failure.Block != models.NoBlock:
		cause := *failure
		b.cause, b.since = &cause, now
	case status != 0:
		b.cause = nil
	}
}

// Retry allows requests again after a failure that only the user can fix, such as a proxy that refuses.
func (c *Client) Retry() {
	c.block.mu.Lock()
	defer c.block.mu.Unlock()
	c.block.cause = nil
}
