package feed

import (
	"pgtower/models"
	"pgtower/models/incident"
)

// outcome is what came of the operations of an action that ended in a window.
type outcome struct {
	failures incident.Failures
	past     incident.Past
}

// outcomes has one outcome for each action.
type outcomes map[models.Action]*outcome

// failing reports whether an action of a project is [incident.Failing] in the window of a span. This depends only on what
// ended in the window, and on operations without a readable time.
func (e *endings) failing(span incident.Span) bool {
	results := outcomes{}
	e.since(since(span.Now, span.Window), results.add, results.addMinute)
	for action, result := range results {
		state, _ := result.failures.State(result.past, span.Since, span)
		if state == incident.Failing && e.untimed[action] == 0 {
			return true
		}
	}
	return false
}

func (o outcomes) add(op *models.Operation) {
	result := o[op.Action]
	if result == nil {
		result = &outcome{}
		o[op.Action] = result
	}
	result.past.Add(op)
	if op.Status.Failed() {
		result.failures.Add(op)
	}
}

func (o outcomes) addMinute(m *minute) {
	for _, op := range m.operations {
		o.add(op.Operation)
	}
}
