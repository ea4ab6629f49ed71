package poll

import (
	"time"

	"golang.org/x/time/rate"
)

const (
	// burstSeconds is how many seconds' requests may start at once, after a pause.
	burstSeconds = 4
	// oneLimit is how long after a 429 another one counts as the same limit: the service limits by the minute.
	oneLimit = time.Minute
	// growth is how long it takes after that until the whole budget is in force again.
	growth = 40 * time.Second
)

// budget is an average of requests a second, with bursts. After the service limited them, it allows less for a while: a client
// is a guest in the limit of the account.
type budget struct {
	limiter *rate.Limiter
	share   float64   // of the average, that the limiter allows
	most    int       // requests a second, as configured
	reduced float64   // requests a second in force since the last limit
	limited time.Time // the last 429, or zero
	now     time.Time // of the last call
}

// newBudget returns a budget of a share, up to 1, of an average of requests a second.
func newBudget(perSecond int, share float64) *budget {
	b := &budget{limiter: rate.NewLimiter(0, 0), share: share}
	b.Set(perSecond, time.Time{})
	return b
}

// burstOf returns how many requests of an average may start at once.
func burstOf(perSecond int) int { return burstSeconds * max(1, perSecond) }

// Set changes the average.
func (b *budget) Set(perSecond int, now time.Time) {
	b.most = max(1, perSecond)
	b.apply(now)
}

// InForce returns how many requests a second are in force, and how many are configured.
func (b *budget) InForce(now time.Time) (perSecond, configured int) {
	return max(1, int(b.inForce(now))), b.most
}

func (b *budget) inForce(now time.Time) float64 {
	limit, since := float64(b.most), now.Sub(b.limited)
	if b.limited.IsZero() || since < 0 { // or the clock was set back
		return limit
	}
	grown := min(1, max(0, float64(since-oneLimit)/float64(growth)))
	return min(limit, b.reduced+grown*max(0, limit-b.reduced))
}

// Limited handles a 429. The first one of a limit halves the average: those that follow within a minute count as the same
// limit.
func (b *budget) Limited(now time.Time) {
	since := now.Sub(b.limited)
	if b.limited.IsZero() || since < 0 || since >= oneLimit {
		b.reduced = max(1, b.inForce(now)/2)
	}
	b.limited = now
	b.apply(now)
}

// apply sets the limiter to the average in force. After the clock was set back, an empty budget fills from now on, and a
// limit lasts no longer.
func (b *budget) apply(now time.Time) {
	if back := b.now.Sub(now); back > 0 {
		b.limiter.SetLimitAt(now, b.limiter.Limit())
		b.limited = b.limited.Add(-back)
	}
	b.now = now
	perSecond := b.inForce(now)
	if average := rate.Limit(perSecond * b.share); b.limiter.Limit() != average {
		b.limiter.SetLimitAt(now, average)
		burst := int(burstSeconds * max(1, perSecond) * b.share)
		b.limiter.SetBurstAt(now, max(1, burst)) // with none, nothing would ever start
	}
}

// Spend counts requests that were not planned: as many fewer may start later.
func (b *budget) Spend(requests int, now time.Time) {
	if requests > 0 {
		b.apply(now)
		b.limiter.ReserveN(now, requests)
	}
}

// Ready returns how many requests may start now.
func (b *budget) Ready(now time.Time) int {
	b.apply(now)
	rounding := float64(b.limiter.Limit()) * time.Nanosecond.Seconds()
	return max(0, int(b.limiter.TokensAt(now)+rounding))
}

// Wait returns how long until a request may start.
func (b *budget) Wait(now time.Time) time.Duration {
	if b.Ready(now) > 0 {
		return 0
	}
	lacking := 1 - b.limiter.TokensAt(now)
	return time.Duration(lacking / float64(b.limiter.Limit()) * float64(time.Second))
}
