package feed

import "pgtower/models"

// Anomaly is a set of deviations from the specification in the service's responses. A feed copes with all of them, but
// what the screen shows may be incomplete: report each to the user once.
type Anomaly uint8

// The anomalies.
const (
	anomalyRecord     Anomaly = 1 << iota // a record that could not be read in full, see Damage
	anomalyPagination                     // a pagination object that could not be read
	anomalyCursor                         // a cursor that led to nothing new, and on to another cursor
	anomalyDuplicate                      // a page that lists an operation more than once
	anomalyOrder                          // a page that is not newest first
	anomalyTime                           // a creation time far in the future or decades ago
	anomalyStatus                         // an operation that was finished and resumed
	anomalyLimit                          // a page with more operations than were asked for
)

// Sentences returns one sentence for each anomaly.
func (o Anomaly) Sentences() []string {
	var out []string
	for i, s := range [...]string{
		"Some records could not be read in full.",
		"The service's pagination could not be read: older operations may be missing.",
		"The service's pagination loops: older operations may be missing.",
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

// anomaliesOf returns the anomalies of a page by itself.
func anomaliesOf(p models.Page[models.Operation]) (odd Anomaly) {
	if p.Damage != "" {
		odd |= anomalyPagination
	}
	if p.Limit > 0 && len(p.Items) > p.Limit {
		odd |= anomalyLimit
	}
	ids := make(map[string]struct{}, len(p.Items))
	for i := range p.Items {
		op := &p.Items[i]
		if op.Damage != "" {
			odd |= anomalyRecord
		}
		ids[op.ID] = struct{}{}
	}
	if len(ids) < len(p.Items) {
		odd |= anomalyDuplicate
	}
	return odd
}
