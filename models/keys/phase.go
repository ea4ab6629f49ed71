package keys

import (
	"fmt"
	"time"

	"pgtower/models"
)

// Phase is how far a rotation is.
type Phase int

// The phases of a rotation.
const (
	// Unknown: the service does not tell when one of the keys was used.
	UseUnknown Phase = iota
	// Lost: the successor is no longer listed.
	Lost
	// Kept: the successor is a key of pgtower, whose uses prove nothing as pgtower did not use the old key.
	Kept
	// Unused: the successor was not used, as far as that is not pgtower's own use.
	Unused
	// InUse: the successor is used, and the old key is, too, or was used too recently.
	InUse
	// CanGo: the old key has been quiet as long as asked, and the successor is used.
	CanGo
)

// QuietSince returns how long the old key has not been used as of the last read: since its creation if it never was. It is
// unknown if the service does not tell, and never negative.
func (p *Pair) QuietSince() models.Opt[time.Duration] {
	last := p.Old.LastUsedAt.Value
	if p.Old.NeverUsed() {
		last = p.Old.CreatedAt
	}
	if !p.Told || !p.Old.LastUsedAt.Known || last.IsZero() || p.Old.AsOf.Early.IsZero() {
		return models.Opt[time.Duration]{}
	}
	return models.Opt[time.Duration]{Value: max(0, p.Old.AsOf.Early.Sub(last)), Known: true}
}

// successorUsed reports whether the successor was used by anything but pgtower's own verification.
func (p *Pair) successorUsed() bool {
	return !p.Mark.IsZero() && p.Successor.LastUsedAt.Value.After(p.Mark)
}

// Phase returns how far the rotation is, as of the last read of the list. own is the key of this session, which is in use.
func (p *Pair) Phase(own models.KeyRef) Phase {
	quiet := p.QuietSince()
	switch {
	case p.Successor == nil:
		return Lost
	case !quiet.Known, !p.Successor.LastUsedAt.Known:
		return UseUnknown
	case (p.Kept || own.ID != 0 && p.Successor.Ref() == own) && !p.Moved:
		return Kept
	case !p.successorUsed():
		return Unused
	case own.ID != 0 && p.Old.Ref() == own, quiet.Value < p.Quiet:
		return InUse
	}
	return CanGo
}

// For returns how long the old key has been being replaced at now.
func (p *Pair) For(now time.Time) time.Duration { return max(0, now.Sub(p.Began)) }

// Long returns a duration in days or, if it is short, in hours.
func Long(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d >= 2*day:
		return fmt.Sprintf("%d days", d/day)
	case d >= time.Hour:
		return fmt.Sprintf("%d h", d/time.Hour)
	}
	return fmt.Sprintf("%d min", d/time.Minute)
}
