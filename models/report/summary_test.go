package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/incident"
	"pgtower/models/status"
)

// failuresOf returns a report with so many kinds of errors, the nth of which n+1 operations have.
func failuresOf(errors int) *Report {
	var all []incident.Operation
	for n := range errors {
		for i := range n + 1 {
			at := noon().Add(time.Duration(i) * time.Minute)
			o := &models.Operation{
				ID: fmt.Sprintf("op-%d-%d", n, i), Action: "start_compute", Status: models.StatusFailed, CreatedAt: at, UpdatedAt: at,
				Error: "no " + string(rune('a'+n)),
			}
			all = append(all, incident.Operation{Operation: o, Project: "shop", Name: "shop"})
		}
	}
	return New(Report{
		Of: "all projects (1)", Since: noon().Add(-time.Minute), Until: noon().Add(time.Hour), Now: noon().Add(2 * time.Hour),
		Pasts: incident.PastsOf(slices.Values(all)), AsOf: noon().Add(2 * time.Hour), Missing: []string{"One."},
		Status: &status.Statement{Name: "status.example", Claim: status.Claim{Code: status.Works}, AsOf: noon().Add(2 * time.Hour)},
	}, slices.Values(all))
}

// A summary has at most twelve lines, and counts each failure once, however many errors there are.
func TestSummaryIsShort(t *testing.T) {
	t.Parallel()
	for errors := range 15 {
		r := failuresOf(errors)
		text := r.Summary()
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		sum := 0
		for _, line := range lines {
			n := 0
			for _, form := range []string{"%d × ", "%d failures with "} {
				if _, err := fmt.Sscanf(line, form, &n); err == nil {
					sum += n
				}
			}
		}
		if len(lines) > summaryLines || sum != len(r.Operations) {
			t.Errorf("of %d errors, %d lines have %d of %d failures:\n%s", errors, len(lines), sum, len(r.Operations), text)
		}
		for _, part := range []string{
			"Report of all projects (1)", "status.example said at", "All states are as of 2026-03-01 14:00:00 UTC", "Not all was read", "Complete from",
		} {
			if !strings.Contains(text, part) {
				t.Errorf("no %q in\n%s", part, text)
			}
		}
	}
}

// The JSON has the counts and each failure. The text says as of when states are only if the span is in the past.
func TestReportAsJSON(t *testing.T) {
	t.Parallel()
	r := failuresOf(3)
	text, err := r.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Counts map[string]int
		Groups []struct {
			Error      string
			Failed     int
			Operations []struct{ Operation struct{ ID string } }
		}
		Status struct{ Says string } `json:"status_page"`
	}
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	if read.Counts["failed"] != 6 || len(read.Groups) != 3 || read.Groups[0].Error != "no c" || read.Status.Says != "no incident" {
		t.Errorf("%+v", read)
	}
	for _, g := range read.Groups {
		if len(g.Operations) != g.Failed || g.Operations[0].Operation.ID == "" {
			t.Errorf("%+v", g)
		}
	}
	if !strings.Contains(r.Text(false), "All states are as of") {
		t.Error("of a span in the past, nothing says as of when states are")
	}
	r.Now = r.Until
	if strings.Contains(r.Text(true), "All states are as of") {
		t.Error("of a span until now, states are as of another time")
	}
}
