package script

import (
	"context"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/control"
	"pgtower/models/incident"
	"pgtower/models/status"
)

// A report asks the status page once, of the region where failures lie together, and not at all if they do not.
func TestReportAsksTheStatusPage(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 27, 19, 0, 0, 0, time.UTC)
	asked := 0
	var failure error
	page := &status.Source{Name: "status.example", Host: "status.example", Read: func(context.Context) (status.Page, error) {
		asked++
		return status.Page{Parts: []status.Part{{Name: "Databases", Region: "aws-1", Code: status.Down}, {Region: "aws-2", Code: status.Works}}}, failure
	}}
	clock := func() time.Time { return now }
	service := func() time.Time { return now.Add(time.Minute) }
	place := func(by incident.Dimension, value string) []incident.Concentration {
		return []incident.Concentration{{By: by, Value: value}}
	}
	for name, c := range map[string]struct {
		places  []incident.Concentration
		failure error
		says    string
	}{
		"nowhere":   {nil, nil, ""},
		"a region":  {place(incident.Regions, "aws-1"), nil, "status.example: aws-1 down (Databases)"},
		"a project": {place(incident.Projects, "p2"), nil, "status.example: no incident in aws-2"},
		"an action": {place(incident.Actions, "start_compute"), nil, "status.example: aws-1 down (Databases)"},
		"two": {
			[]incident.Concentration{{By: incident.Projects, Value: "p2"}, {By: incident.Regions, Value: "aws-1"}},
			nil,
			"status.example: aws-1 down (Databases)",
		},
		"one of no region": {place(incident.Projects, "p3"), nil, "status.example: aws-1 down (Databases)"},
		"a broken page":    {place(incident.Regions, "aws-1"), &models.Error{Kind: models.KindMalformed}, "status.example: unknown"},
	} {
		from := NewSource(Process{Clock: clock}, &Options{}, control.Connection{Status: page}, service)
		from.regions = map[string]string{"p1": "aws-1", "p2": "aws-2", "p3": ""}
		asked, failure = 0, c.failure
		got, want := from.askStatus(t.Context(), c.places), min(1, len(c.places))
		switch {
		case asked != want:
			t.Errorf("%s: asked %d times", name, asked)
		case (got == nil) != (c.says == ""):
			t.Errorf("%s: %+v", name, got)
		case got != nil && got.Text(time.Time.String, "") != c.says:
			t.Errorf("%s: %q", name, got.Text(time.Time.String, ""))
		case got != nil && got.Err == nil && !got.AsOf.Equal(service()):
			t.Errorf("%s: as of %v", name, got.AsOf)
		}
	}
}
