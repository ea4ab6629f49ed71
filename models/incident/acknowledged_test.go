package incident

import (
	"testing"
	"time"

	"pgtower/models"
)

// An acknowledged failure stays acknowledged until it has not happened for an hour; another error, action or project
// never was.
func TestAcknowledgedFailureIsNewsAfterAnHourAway(t *testing.T) {
	t.Parallel()
	failed := func(after time.Duration, reason, project string, action models.Action) Operation {
		at := noon().Add(after)
		return Operation{Operation: &models.Operation{
			Action: action, Status: models.StatusFailed, Error: reason, CreatedAt: at, UpdatedAt: at,
		}, Project: project}
	}
	known := Acknowledged{}
	first := failed(0, "no answer within 5s", "p", "start_compute")
	known.Add(FailureOf(first), noon())
	for _, c := range []struct {
		o     Operation
		knows bool
	}{
		{failed(30*time.Minute, "no answer within 12s", "p", "start_compute"), true},
		{failed(30*time.Minute, "no capacity", "p", "start_compute"), false},
		{failed(30*time.Minute, "no answer within 5s", "q", "start_compute"), false},
		{failed(30*time.Minute, "no answer within 5s", "p", "apply_config"), false},
		{failed(85*time.Minute, "no answer within 5s", "p", "start_compute"), true}, // 55 minutes after the last one
		{failed(146*time.Minute, "no answer within 5s", "p", "start_compute"), false},
		{failed(147*time.Minute, "no answer within 5s", "p", "start_compute"), false}, // it is not acknowledged again
	} {
		if got := known.Has(c.o); got != c.knows {
			t.Errorf("%+v: %v", c.o.Operation, got)
		}
		known.See(c.o)
	}
}
