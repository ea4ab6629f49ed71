package mock

import "time"

// incidentWindow is a time in which a region has trouble once at most.
const incidentWindow = 8 * time.Hour

// troubled says whether the project's region has trouble at a time: now and then it has,
// for a while, and with it all of its projects.
func (p *project) troubled(at time.Time) bool {
	window := floorDiv(at.UnixMicro(), int64(incidentWindow/time.Microsecond))
	draw := mix(p.trouble, bits(window))
	if draw%12 != 0 {
		return false
	}
	into := at.Sub(time.UnixMicro(window * int64(incidentWindow/time.Microsecond)))
	begin := time.Duration(draw>>8%420) * time.Minute
	return into >= begin && into < begin+10*time.Minute+time.Duration(draw>>32%35)*time.Minute
}

func letters(s string) []uint64 {
	out := make([]uint64, 0, len(s))
	for _, r := range s {
		out = append(out, uint64(r)) //nolint:gosec // G115: letters are above 0.
	}
	return out
}

// suffer makes an operation fail that trouble may hit, which takes as long as it would
// have taken: one that others wait for is not hit, they have begun.
func (c *course) suffer(action string, draw uint64) {
	if action != applyConfig && action != checkAvailability || c.failed || draw%5 >= 2 {
		return
	}
	var all time.Duration
	for _, a := range c.attempts[:c.tries] {
		all += a
	}
	c.tries, c.failed = maxAttempts, true
	for i := range c.attempts {
		c.attempts[i] = (all / maxAttempts).Truncate(time.Microsecond)
	}
}
