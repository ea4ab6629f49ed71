// Package budget limits requests to an average with bursts. After the service limited them, it asks for less for a
// while: a client is a guest in the limit of the account.
package budget

import (
	"time"

	"golang.org/x/time/rate"
)

const (
	// burstSeconds is how many seconds' requests may start at once, after a pause.
	burstSeconds = 4
	// growth is how long it takes until one more request a second is in force after a limit.
	growth = time.Minute
)

// Budget is an average of requests a second, with bursts. It is not safe for concurrent use.
type Budget struct {
	limiter *rate.Limiter
	share   float64   // of the average, that the limiter allows
	most    int       // requests a second, as configured
	reduced int       // those in force at the last limit
	limited time.Time // the last limit that counted, or zero
}

// New returns a budget of a share, up to 1, of an average of requests a second.
func New(perSecond int, share float64) *Budget {
	b := &Budget{limiter: rate.NewLimiter(0, 0), share: share}
	b.Set(perSecond, time.Time{})
	return b
}

// Burst returns how many requests of an average may start at once.
func Burst(perSecond int) int { return burstSeconds * max(1, perSecond) }

// Set changes the average.
func (b *Budget) Set(perSecond int, now time.Time) {
	b.most = max(1, perSecond)
	b.apply(now)
}

// InForce returns how many requests a second are in force, and how many are configured.
func (b *Budget) InForce(now time.Time) (perSecond, configured int) {
	if b.limited.IsZero() || now.Before(b.limited) { // or the clock was set back
		return b.most, b.most
	}
	return min(b.most, b.reduced+int(now.Sub(b.limited)/growth)), b.most
}

// Limited halves the average after the service limited a request that was sent at a time. Requests that were in flight
// together count once.
func (b *Budget) Limited(sent, now time.Time) {
	if !b.limited.IsZero() && !sent.After(b.limited) && !now.Before(b.limited) {
		return
	}
	perSecond, _ := b.InForce(now)
	b.reduced, b.limited = max(1, perSecond/2), now
	b.apply(now)
}

// apply passes what is in force to the limiter.
func (b *Budget) apply(now time.Time) {
	perSecond, _ := b.InForce(now)
	if average := rate.Limit(float64(perSecond) * b.share); b.limiter.Limit() != average {
		b.limiter.SetLimitAt(now, average)
		burst := int(float64(Burst(perSecond)) * b.share)
		b.limiter.SetBurstAt(now, max(1, burst)) // with none, nothing would ever start
	}
}

// Allow reports whether a request may start now, and counts it if it may.
func (b *Budget) Allow(now time.Time) bool {
	b.apply(now)
	return b.limiter.AllowN(now, 1)
}

// Spend counts requests that were not planned: as many fewer may start later.
func (b *Budget) Spend(requests int, now time.Time) {
	if requests > 0 {
		b.apply(now)
		b.limiter.ReserveN(now, requests)
	}
}

// Refund takes back a request that may have started, and did not.
func (b *Budget) Refund(now time.Time) { b.limiter.AllowN(now, -1) }

// Ready returns how many requests may start now.
func (b *Budget) Ready(now time.Time) int {
	b.apply(now)
	rounding := float64(b.limiter.Limit()) * time.Nanosecond.Seconds()
	return max(0, int(b.limiter.TokensAt(now)+rounding))
}

// Wait returns how long until a request may start.
func (b *Budget) Wait(now time.Time) time.Duration {
	if b.Ready(now) > 0 {
		return 0
	}
	lacking := 1 - b.limiter.TokensAt(now)
	return time.Duration(lacking / float64(b.limiter.Limit()) * float64(time.Second))
}
