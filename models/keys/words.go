package keys

import "time"

// Words returns how far a rotation is. ago returns how long ago a time was, such as "3 min ago".
func (p *Pair) Words(phase Phase, ours bool, ago func(time.Time) string) string {
	switch phase {
	case ByName:
		return "may be replaced by " + p.Successor.Name
	case Lost:
		return "its successor is not listed now"
	case NobodyHas:
		return "nobody has the secret of " + p.Successor.Name + ": rotate again"
	case Behind:
		if !p.Old.LastUsedAt.Value.After(p.Successor.LastUsedAt.Value) { // both were used just now
			break
		}
		return "used after its successor, " + ago(p.Old.LastUsedAt.Value) + p.from()
	case UseUnknown:
		return "being replaced, use unknown"
	case Kept:
		return p.progress(ours) + " · successor is pgtower's key: its uses prove nothing"
	case Unused:
		if p.stillUsed() {
			return "still used " + ago(p.Old.LastUsedAt.Value) + p.from()
		}
		return p.progress(ours) + " · successor not used yet"
	case TooShort:
	case CanGo:
		return p.beside("can go: quiet "+Long(p.QuietSince().Value), ago)
	}
	return p.beside(p.progress(ours), ago)
}

// beside adds what was seen of the use of the old key, and of its successor, to how long the old key is quiet.
func (p *Pair) beside(quiet string, ago func(time.Time) string) string {
	paused, watched := p.history()
	return quiet + paused + " · successor used " + ago(p.Successor.LastUsedAt.Value) + watched
}

// stillUsed reports whether the old key was used lately, after the rotation began.
func (p *Pair) stillUsed() bool {
	const lately = time.Hour
	return p.Old.LastUsedAt.Value.After(p.Began) && p.QuietSince().Value < min(lately, p.Quiet)
}

// progress returns how long the old key was quiet, of the time for which it must be.
func (p *Pair) progress(ours bool) string {
	quiet := p.QuietSince().Value
	switch {
	case ours:
		return "still this session's key"
	case quiet < p.Quiet:
		return "quiet " + Long(quiet) + " of " + Long(p.Quiet)
	}
	return "quiet " + Long(quiet)
}

// from returns from where the old key was used as the end of a sentence, or "".
func (p *Pair) from() string {
	if p.Old.LastUsedFromAddr == "" {
		return ""
	}
	return " from " + p.Old.LastUsedFromAddr
}
