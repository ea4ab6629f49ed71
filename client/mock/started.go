package mock

import (
	"sort"
	"time"
)

// startedOperations is what was started by hand in a project, in order of numbers, from
// startedBias, and of times: each is younger than the one before it. The platform's
// mutex guards it.
type startedOperations []operation

// horizon returns the time up to which a project's operations are born: now, or the
// latest that was started, because many are started while the clock stands and each has
// a microsecond of its own. All that is born up to it can be listed, and all that is
// started later is younger: what a list once showed as newest has nothing new below it.
func (s startedOperations) horizon(now time.Time) time.Time {
	if n := len(s); n > 0 && s[n-1].created.After(now) {
		return s[n-1].created
	}
	return now
}

// before returns how many were created before a time.
func (s startedOperations) before(t time.Time) int {
	return sort.Search(len(s), func(i int) bool { return !s[i].created.Before(t) })
}

// find returns the operation with the number, if there is one.
func (s startedOperations) find(number int64) (operation, bool) {
	if number-startedBias >= int64(len(s)) {
		return operation{}, false
	}
	return s[number-startedBias], true
}

// page returns up to limit of them created before a time, newest first.
func (s startedOperations) page(before time.Time, limit int) []operation {
	var out []operation
	for i := s.before(before) - 1; i >= 0 && len(out) < limit; i-- {
		out = append(out, s[i])
	}
	return out
}

// merged returns the newest of two lists that are newest first, up to limit.
func merged(a, b []operation, limit int) []operation {
	if len(b) == 0 {
		return a[:min(limit, len(a))]
	}
	out := make([]operation, 0, min(limit, len(a)+len(b)))
	for len(out) < limit && len(a)+len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && a[0].created.After(b[0].created) {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return out
}
