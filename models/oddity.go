package models

// Oddity is what the answers of a service had in them that the specification does not
// foresee, as a set. A feed copes with all of it; a person should be told of each once,
// because what the screen shows may be incomplete.
type Oddity uint8

// The oddities.
const (
	// OddRecord is a record of which something could not be read (see [Operation.Damage]).
	OddRecord Oddity = 1 << iota
	// OddPagination is a pagination object that could not be read: older operations may
	// exist, but cannot be asked for.
	OddPagination
	// OddCursor is a cursor that led to nothing new, and on to another cursor: it goes in
	// a circle.
	OddCursor
	// OddTwice is a page that lists an operation more than once.
	OddTwice
	// OddOrder is a page that is not newest first.
	OddOrder
	// OddTime is a creation time that cannot be: far in the future or decades ago.
	OddTime
	// OddStatus is an operation that had ended and goes on.
	OddStatus
)

// Sentences says what was odd, a sentence for each.
func (o Oddity) Sentences() []string {
	var out []string
	for i, s := range [...]string{
		"Some records could not be read in full.",
		"The service's pagination could not be read: older operations may be missing.",
		"The service's pages go in a circle: older operations may be missing.",
		"The service lists some operations more than once on a page.",
		"The service does not list operations newest first.",
		"Some operations have a creation time that cannot be.",
		"Some operations had ended and go on.",
	} {
		if o&(1<<i) != 0 {
			out = append(out, s)
		}
	}
	return out
}

// odd is what a page has in it that is odd, whatever is known already.
func (p OperationPage) odd() (odd Oddity) {
	if p.Damage != "" {
		odd |= OddPagination
	}
	seen := make(map[string]struct{}, len(p.Operations))
	for i := range p.Operations {
		op := &p.Operations[i]
		if op.Damage != "" {
			odd |= OddRecord
		}
		seen[op.ID] = struct{}{}
	}
	if len(seen) < len(p.Operations) {
		odd |= OddTwice
	}
	return odd
}
