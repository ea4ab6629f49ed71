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

// failing reports whether an action of a project is [incident.Failing] in the window of a span. That depends on nothing
// but what ended in the window, and on what has no readable time.
func (e *endings) failing(span incident.Span) bool {
	outcomes := map[models.Action]*outcome{}
	add := func(op *models.Operation) {
		result := outcomes[op.Action]
		if result == nil {
			result = &outcome{}
			outcomes[op.Action] = result
		}
		result.past.Add(op)
		if op.Status.Failed() {
			result.failures.Add(op)
		}
	}
	e.since(since(span.Now, span.Window), add, func(m *minute) {
		for _, op := range m.operations {
			add(op.Operation)
		}
	})
	for action, result := range outcomes {
		state, _ := result.failures.State(result.past, span.Since, span)
		if state == incident.Failing && e.untimed[action] == 0 {
			return true
		}
	}
	return false
}
