package keys

import (
	"fmt"
	"strings"
	"time"

	"pgtower/models"
)

// The bounds within which the service is trusted: a request may be carried out up to a minute after its answer was lost;
// a list may show keys eight seconds late, and uses two.
const (
	// Slack is how much the times of two uses must differ for one to be known to be later.
	Slack = 10 * time.Second
	// youngFor is how old a key must be for a list without it to prove that it is gone.
	youngFor = 20 * time.Second
	// Deadline is how long after its answer was lost a change may still be carried out and appear in a list.
	Deadline = 75 * time.Second
	// recordDeadline is the deadline after the sending of a change that only the journal has.
	recordDeadline = 140 * time.Second

	lateBy = time.Minute // how long a request goes on whose answer was lost
	// Killed is how long a verification may have lasted if the program ended during it.
	Killed         = 130 * time.Second
	verifyingAgain = 10 * time.Minute
	// askedMark is how long after its creation the uses of a successor count as a verification if a command names it.
	askedMark = 10 * time.Minute
)

// QuietFor is how long an old key must be quiet before it can go, unless the user has set another time, and maxQuiet the
// longest such time: a job that runs once a month must be seen.
const (
	QuietFor = 24 * time.Hour
	maxQuiet = 13 * 7 * 24 * time.Hour
)

// Age returns how long ago a time was at now. It is the longer one of two: by the monotonic clock, which stands still
// while the computer sleeps, and by the time of day, which may be set.
func Age(t, now time.Time) time.Duration { return max(now.Sub(t), now.Round(0).Sub(t.Round(0))) }

// Phase is how far a rotation is.
type Phase int

// The phases of a rotation.
const (
	UseUnknown Phase = iota // the uses of one of the keys, the time, or the outcome of a change
	ByName                  // only the names tell of the rotation
	Lost                    // the successor is not listed
	NobodyHas               // nobody has the secret of the successor
	Kept                    // the successor is pgtower's key, whose uses prove nothing
	Unused                  // the successor was not used by anything but pgtower
	Behind                  // the old key was used after the successor
	TooShort                // the old key has not been quiet as long as asked, or is this session's
	CanGo                   // nothing that used the old key needs it any more, as far as uses show
)

// phaseNames are those of metrics.
var phaseNames = [...]string{
	UseUnknown: "unknown", ByName: "may-be-replaced", Lost: "successor-not-listed", NobodyHas: "nobody-has-it",
	Kept: "successor-is-own", Unused: "successor-unused", Behind: "still-used", TooShort: "quiet-too-short", CanGo: "can-go",
}

// String returns the name of the phase, such as can-go.
func (p Phase) String() string { return phaseNames[p] }

// Pair is a key that is being replaced, and its successor, as of a list.
type Pair struct {
	Old       *models.APIKey
	Successor *models.APIKey // nil if it is not listed
	Began     time.Time
	Quiet     time.Duration // how long the old key must be quiet
	Mark      time.Time     // uses of the successor until then are pgtower's own
	Handover  Handover
	Named     bool   // only the names tell of the rotation
	Kept      bool   // the successor became pgtower's key
	Moved     bool   // pgtower used the old key, and moved to the successor
	Told      bool   // the service tells the last use of some key of the list
	Unclear   bool   // what is remembered cannot be true, or a change of a key is open
	Usage     *Usage // what was seen of the use of the old key; nil: nothing
	created   time.Time
}

// QuietSince returns how long the old key has not been used as of the list: since its creation if it never was. It is
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

// usedByOthers reports whether the successor was used by anything but pgtower.
func (p *Pair) usedByOthers() bool {
	return !p.Kept && !p.Mark.IsZero() && p.Successor.LastUsedAt.Value.After(p.Mark)
}

// movedOn reports whether pgtower's own uses of the successor count, as it used the old key itself before.
func (p *Pair) movedOn() bool { return p.Moved && !p.Successor.NeverUsed() }

// behind reports whether the old key may have been used after the successor.
func (p *Pair) behind() bool {
	return p.Successor.LastUsedAt.Value.Before(p.Old.LastUsedAt.Value.Add(Slack))
}

// lost returns the phase of a rotation whose successor is not listed: a list may be older than a key.
func (p *Pair) lost() Phase {
	if early := p.Old.AsOf.Early; p.created.IsZero() || early.Before(p.created.Add(youngFor)) {
		return UseUnknown
	}
	return Lost
}

// Phase returns how far the rotation is, as of the list. session is the key of this session, which is in use.
func (p *Pair) Phase(session models.KeyRef) Phase {
	quiet := p.QuietSince()
	switch {
	case p.Named:
		return ByName
	case p.Unclear:
		return UseUnknown
	case p.Successor == nil:
		return p.lost()
	case p.Handover.Stage == Nobody:
		return NobodyHas
	case !quiet.Known, !p.Successor.LastUsedAt.Known:
		return UseUnknown
	case (p.Kept || session.ID != 0 && p.Successor.Ref() == session) && !p.movedOn():
		return Kept
	case !p.usedByOthers() && !p.movedOn():
		return Unused
	case p.behind():
		return Behind
	case session.ID != 0 && p.Old.Ref() == session, quiet.Value < p.Quiet:
		return TooShort
	}
	return CanGo
}

// Paused returns the longest pause between two uses of the old key that was seen, or 0.
func (p *Pair) Paused() time.Duration {
	if p.Usage == nil {
		return 0
	}
	return p.Usage.Paused()
}

// Rests reports whether the old key is known to pause for longer than it was asked to be quiet: then its quiet does not
// show that nothing needs it.
func (p *Pair) Rests() bool { return p.Paused() > p.Quiet }

// history returns two parts of a sentence about the uses that were seen: a longer pause than the present one, and how
// long was watched. A part may be "".
func (p *Pair) history() (paused, watched string) {
	if p.Usage == nil {
		return "", ""
	}
	if p.Paused() > p.QuietSince().Value {
		paused = "; it has paused for " + Long(p.Paused()) + " before"
	}
	if watch := p.Usage.Watched(); watch < p.Quiet {
		watched = " · watched for " + partOf(watch, p.Quiet)
	}
	return paused, watched
}

// partOf returns a part of a duration in its units: "3 of 8 days".
func partOf(part, whole time.Duration) string {
	number, unit, _ := strings.Cut(Long(whole), " ")
	units := map[string]time.Duration{"days": 24 * time.Hour, "h": time.Hour, "min": time.Minute}
	return fmt.Sprintf("%d of %s %s", part/units[unit], number, unit)
}

// For returns how long the old key has been being replaced at now.
func (p *Pair) For(now time.Time) time.Duration { return max(0, now.Sub(p.Began)) }

// Long returns a duration in days or, if it is short, in hours or minutes.
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
