package incident

import (
	"time"
)

// awayFor is how long an acknowledged failure must not have happened until it is news again.
const awayFor = time.Hour

// Failure is an error of an action in a project.
type Failure struct {
	Work

	Error string // see [Error]
}

// FailureOf returns the failure of a failed operation.
func FailureOf(o Operation) Failure { return Failure{WorkOf(o), Errors.Of(o)} }

// Acknowledged has the failures that the user knows about, with the last time at which each happened, by the service's
// clock.
type Acknowledged map[Failure]time.Time

// Add acknowledges a failure until it has not happened for [awayFor] since a time, or since it happened last.
func (a Acknowledged) Add(f Failure, now time.Time) {
	if now.After(a[f]) {
		a[f] = now
	}
}

// Has reports whether the failure of an operation is acknowledged.
func (a Acknowledged) Has(o Operation) bool {
	if !o.Status.Failed() {
		return false
	}
	last, ok := a[FailureOf(o)]
	return ok && o.EndedAt().Sub(last) < awayFor
}

// See updates the acknowledged failures by an operation: one that happens again stays acknowledged, unless it was away
// for too long.
func (a Acknowledged) See(o Operation) {
	if o.Operation == nil || !o.Status.Failed() || len(a) == 0 {
		return
	}
	f := FailureOf(o)
	_, ok := a[f]
	switch {
	case !ok:
	case a.Has(o):
		a.Add(f, o.EndedAt())
	default:
		delete(a, f)
	}
}
