package mock

import (
	"slices"
	"sort"
	"time"
)

// startedOperations is what was started by hand in a project. The platform's mutex
// guards it.
type startedOperations struct {
	all    []operation // in order of their numbers, from startedBias
	byTime []int       // indexes into all, oldest first; no two at the same microsecond
}

func (s *startedOperations) add(op operation) {
	at := s.before(op.created)
	s.all = append(s.all, op)
	s.byTime = slices.Insert(s.byTime, at, len(s.all)-1)
}

// before returns how many were created before a time.
func (s *startedOperations) before(t time.Time) int {
	return sort.Search(len(s.byTime), func(i int) bool { return !s.created(i).Before(t) })
}

func (s *startedOperations) created(i int) time.Time { return s.all[s.byTime[i]].created }

// taken says whether one was created at the time.
func (s *startedOperations) taken(t time.Time) bool {
	i := s.before(t)
	return i < len(s.byTime) && s.created(i).Equal(t)
}

// free returns the latest microsecond up to a time at which none was created. Those
// without a gap between them are passed over at once: many can be started while the
// clock stands.
func (s *startedOperations) free(upTo time.Time) time.Time {
	if !s.taken(upTo) {
		return upTo
	}
	last := s.before(upTo)
	// Among i to last there is no gap if they are as many as the microseconds they span.
	first := sort.Search(last, func(i int) bool {
		return upTo.Sub(s.created(i)) == time.Duration(last-i)*time.Microsecond
	})
	return s.created(first).Add(-time.Microsecond)
}

// find returns the operation with the number, if there is one by now.
func (s *startedOperations) find(number int64, now time.Time) (operation, bool) {
	if s == nil || number-startedBias >= int64(len(s.all)) {
		return operation{}, false
	}
	op := s.all[number-startedBias]
	return op, !op.created.After(now)
}

// page returns up to limit of them created before a time, newest first.
func (s *startedOperations) page(before time.Time, limit int) []operation {
	var out []operation
	for i := s.before(before) - 1; i >= 0 && len(out) < limit; i-- {
		out = append(out, s.all[s.byTime[i]])
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
