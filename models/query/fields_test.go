package query_test

import (
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/incident"
	"pgtower/models/query"
	"pgtower/models/record"
)

// A filter finds the texts of operations as the screen and the details show them.
func TestFilterOfOperationsFindsWhatTheScreenShows(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 15, 0, 0, 0, time.UTC)
	op := &models.Operation{
		ID: "532c7a10-eab6", ProjectID: "p", Action: "start_compute", Status: models.StatusFailed, BranchID: "br-odd-math-1",
		Error: "postgres exited: timeout 5s", CreatedAt: now.Add(-28 * time.Minute), UpdatedAt: now,
	}
	timeline := feed.NewTimeline()
	for filter, want := range map[string]bool{
		`"start compute"`: true, "start_compute": true, "storefront": true, "timeout": true, `"exited: time"`: true,
		"532c7a": true, "532c": false, "today": true, "14:32": true, "2026-11-22 14:32": true, "15:00:00": true,
		"after:14:30": true, "before:14:32": false, "gone": false,
		"region:eu": true, `region:"aws-eu-west-2"`: true, `region:"aws-eu-west"`: false,
		`action:"start compute"`: true, `action:"START_compute"`: true, "action:start": true, `action:"start"`: false,
		`organization:"acme staging"`: true, "organization:acme": true, `organization:"Acme"`: false, `organization:"org-2"`: true,
		`error_group:"postgres exited: timeout …"`: true, "error_group:exited": true, `error_group:"timeout"`: false, "created:14:32": true, "updated:14:32": false,
	} {
		f, err := query.ParseOperations(filter, query.Facts{
			Names: map[string]string{"p": "storefront"}, Regions: map[string]string{"p": "aws-eu-west-2"},
			Orgs: query.Organizations{"p": {ID: "org-2", Name: "Acme Staging"}},
		}, timeline)
		if err != nil || f.Match("p", op, now) != want {
			t.Errorf("%q: want %v, error %v", filter, want, err)
		}
	}
}

// A filter finds the texts of projects as the screen and the details show them.
func TestFilterOfProjectsFindsWhatTheScreenShows(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 15, 0, 0, 0, time.UTC)
	project := &models.Project{
		Name: "shop", ID: "floral-king-961888", RegionID: "aws-eu-west-2", PlatformID: "aws", Provisioner: "k8s-neonvm",
		ProxyHost: "eu.console.example", CreatedAt: now.Add(-48 * time.Hour), UpdatedAt: now,
		PgVersion: models.Opt[int64]{Value: 17, Known: true}, CPUUsedSec: models.Opt[int64]{Value: 3725, Known: true}, BranchLogicalSizeLimit: models.Opt[int64]{Value: 10_240, Known: true},
	}
	unpinned := func(*models.Project) bool { return false }
	text := func(kind record.Kind, v record.Value) string {
		return map[record.Kind]string{record.Mebibytes: "10,240 MiB", record.Seconds: "3,725 s (1h02m)"}[kind] + v.Text
	}
	for filter, want := range map[string]bool{
		`"10,240 MiB"`: true, "10,240": true, "3,725": true, "1h02m": true, "neonvm": true, "eu.console": true, "today": true,
		"2026-11-20": true, "pg:17": true, "pg:>17": false, "pg:>=15": true, "before:yesterday": true, "after:2026-11-21": false,
	} {
		q, err := query.Parse(filter, query.Projects(unpinned, text))
		if err != nil || q.Match(project, now) != want {
			t.Errorf("%q: want %v, error %v", filter, want, err)
		}
	}
}

// Errors that were cut are found by their end, and by the group of the whole.
func TestFilterFindsCutErrors(t *testing.T) {
	t.Parallel()
	var op models.Operation
	doc := `{"id":"a","status":"failed","error":"` + strings.Repeat("no room on ps-7 ", 100) + `"}`
	if err := op.UnmarshalJSON([]byte(doc)); err != nil {
		t.Fatal(err)
	}
	group := incident.Error(&op, "shop")
	for filter, want := range map[string]bool{
		`error:"(cut)"`: true, `error_group:"` + group + `"`: true, `error_group:"` + group[:len(group)-2] + `"`: false,
	} {
		parsed, err := query.ParseOperations(filter, query.Facts{}, feed.NewTimeline())
		if err != nil || parsed.Match("p", &op, time.Time{}) != want {
			t.Errorf("%s: %v, %v", filter, !want, err)
		}
	}
}
