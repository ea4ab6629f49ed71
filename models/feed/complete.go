package feed

import "time"

// CompleteSince returns the time after which nothing is missing of each project that was read, see [Feed.CompleteSince].
func (t *Timeline) CompleteSince() map[string]time.Time {
	out := make(map[string]time.Time, len(t.members))
	for id, m := range t.members {
		if m.feed.Loaded() {
			out[id] = m.feed.CompleteSince()
		}
	}
	return out
}
