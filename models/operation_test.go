package models

import (
	"encoding/json"
	"testing"
	"time"
)

// An operation that is written as JSON is read as the same operation.
func TestOperationSurvivesJSON(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 12, 0, 0, 123456000, time.UTC)
	for name, op := range map[string]Operation{
		"nothing but an id": {ID: "a"},
		"everything": {
			ID: "a", ProjectID: "p", BranchID: "b", EndpointID: "e", Action: "start_compute", Status: StatusFailed,
			FailuresCount: 3, CreatedAt: at, UpdatedAt: at.Add(time.Second), Error: "no <room>", RetryAt: at.Add(time.Minute),
			Total: Opt[time.Duration]{1500 * time.Millisecond, true},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := op.JSON()
			var back Operation
			if err := json.Unmarshal(b, &back); err != nil || back != op {
				t.Errorf("%s came back as %+v, %v", b, back, err)
			}
		})
	}
}

// An operation that waits has not taken any time, whatever its age.
func TestTook(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for status, want := range map[Status]Opt[time.Duration]{
		StatusScheduling: {},
		StatusRunning:    {time.Minute, true},
		StatusFinished:   {time.Second, true},
	} {
		o := Operation{Status: status, CreatedAt: began, UpdatedAt: began.Add(time.Second)}
		if got := o.Took(began.Add(time.Minute)); got != want {
			t.Errorf("%s: %+v", status, got)
		}
	}
}

// How long an operation ran that vanished before it ended is unknown: the total of a running operation is not final.
func TestTookGone(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	total := Opt[time.Duration]{3 * time.Second, true}
	for status, want := range map[Status]Opt[time.Duration]{StatusRunning: {}, StatusFinished: total} {
		o := Operation{Status: status, Gone: true, CreatedAt: began, UpdatedAt: began, Total: total}
		if got := o.Took(began.Add(time.Minute)); got != want {
			t.Errorf("%s: %+v", status, got)
		}
	}
}
