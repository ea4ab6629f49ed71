package feed

import "pgtower/models"

// Anomaly is what the answers of a service had in them that the specification does not
// foresee, as a set. A feed copes with all of it; a person should be told of each once,
// because what the screen shows may be incomplete.
type Anomaly uint8

// The anomalies.
const (
	// AnomalyRecord is a record of which something could not be read (see [models.Operation.Damage]).
	AnomalyRecord Anomaly = 1 << iota
	// AnomalyPagination is a pagination object that could not be read: older operations may
	// exist, but cannot be asked for.
	AnomalyPagination
	// AnomalyCursor is a cursor that led to nothing new, and on to another cursor: it goes in
	// a circle.
	AnomalyCursor
	// AnomalyDuplicate is a page that lists an operation more than once.
	AnomalyDuplicate
	// AnomalyOrder is a page that is not newest first.
	AnomalyOrder
	// AnomalyTime is a creation time that cannot be: far in the future or decades ago.
	AnomalyTime
	// AnomalyStatus is an operation that was finished and resumed.
	AnomalyStatus
	// AnomalyLimit is a page with more operations than were asked for.
	AnomalyLimit
)

// Sentences says what was odd, a sentence for each.
func (o Anomaly) Sentences() []string {
	var out []string
	for i, s := range [...]string{
		"Some records could not be read in full.",
		"The service's pagination could not be read: older operations may be missing.",
		"The service's pages go in a circle: older operations may be missing.",
		"The service lists some operations twice on a page.",
		"The service does not list operations newest first.",
		"Some operations have an impossible creation time.",
		"Some finished operations resumed.",
		"The service sends more operations on a page than requested.",
	} {
		if o&(1<<i) != 0 {
			out = append(out, s)
		}
	}
	return out
}

// anomaliesOf returns what is odd about a page by itself, whatever is known already.
func anomaliesOf(p models.Page[models.Operation]) (odd Anomaly) {
	if p.Damage != "" {
		odd |= AnomalyPagination
	}
	if p.Limit > 0 && len(p.Items) > p.Limit {
		odd |= AnomalyLimit
	}
	seen := make(map[string]struct{}, len(p.Items))
	for i := range p.Items {
		op := &p.Items[i]
		if op.Damage != "" {
			odd |= AnomalyRecord
		}
		seen[op.ID] = struct{}{}
	}
	if len(seen) < len(p.Items) {
		odd |= AnomalyDuplicate
	}
	return odd
}
