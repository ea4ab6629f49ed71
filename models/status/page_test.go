package status

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgtower/models"
)

// sent is a page as Status.io sends it, with more than is read.
const sent = `{"result": {
	"status_overall": {"updated": "2026-11-27T19:00:00.000Z", "status": "Partial Service Disruption", "status_code": 400},
	"status": [
		{"id": "1", "name": "Database Connectivity", "status": "Partial Service Disruption", "status_code": 400, "containers": [
			{"id": "a", "name": "AWS eu-central-1", "updated": "2026-11-27T19:00:00.000Z", "status": "x", "status_code": 400},
			{"id": "b", "name": "AWS us-east-2", "status": "Operational", "status_code": 100},
			{"id": "c", "name": "Azure eastus2", "status": "Planned Maintenance", "status_code": 200}]},
		{"id": "2", "name": "Project/Branch Operations", "status_code": 400, "containers": [
			{"name": "AWS eu-central-1", "status_code": "400"}, {"name": "AWS us-east-2", "status_code": 100}]},
		{"id": "3", "name": "Console API", "status_code": 100, "containers": []}],
	"incidents": [
		{"name": "Slow", "datetime_open": "2026-11-27T17:00:00.000Z", "containers_affected": [{"name": "AWS us-east-2", "_id": "b"}]},
		{"name": "Computes fail to start", "datetime_open": "2026-11-27T18:58:07.128Z", "messages": [{"details": "…"}],
			"containers_affected": [{"name": "AWS eu-central-1", "_id": "a"}, "Azure eastus2"]}],
	"maintenance": {"active": [], "upcoming": []}}}`

func minute(t time.Time) string { return t.Format("15:04") }

// A page says the worst state of the regions that are asked about, since when, and of which parts.
func TestPageSays(t *testing.T) {
	t.Parallel()
	page, err := Parse([]byte(sent))
	if err != nil {
		t.Fatal(err)
	}
	for want, regions := range map[string][]string{
		"aws-eu-central-1 partly down since 18:58 (Database Connectivity, +1)":                 {"aws-sa-east-1", "aws-eu-central-1"},
		"aws-eu-central-1 partly down since 18:58, +1 more region (Database Connectivity, +1)": {"aws-us-east-2", "aws-eu-central-1"},
		"azure-eastus2 planned maintenance since 18:58 (Database Connectivity)":                {"azure-eastus2"},
		"incident in aws-us-east-2 since 17:00: Slow":                                          {"aws-us-east-2", "aws-sa-east-1"},
		"unknown: the page does not tell of aws-sa-east-1":                                     {"aws-sa-east-1"},
	} {
		if got := page.Of(regions...).Text(minute, ""); got != want {
			t.Errorf("%v: %q, not %q", regions, got, want)
		}
	}
	all := "aws-eu-central-1 partly down since 18:58, +1 more region (Database Connectivity, +1)"
	if got := page.Of().Text(minute, ""); got != all {
		t.Errorf("%q, not %q", got, all)
	}
	opened := page.Incidents[0].Opened
	for want, c := range map[string]Claim{
		"no incident there":            {Region: "aws-us-1", Code: Works},
		"down since 17:00 (Databases)": {Region: "aws-us-1", Code: Down, Parts: []string{"Databases"}, Since: opened},
		"incident since 17:00: Slow":   {Region: "aws-us-1", Code: Works, Incident: "Slow", Since: opened},
		"aws-us-2 down (Databases)":    {Region: "aws-us-2", Code: Down, Parts: []string{"Databases"}},
		"incident in aws-us-2: Slow":   {Region: "aws-us-2", Code: Works, Incident: "Slow"},
	} {
		if got := c.Text(minute, "aws-us-1"); got != want {
			t.Errorf("beside its name: %q, not %q", got, want)
		}
	}
	works, err := Parse([]byte(`{"result": {"status": [{"name": "Console API", "status_code": 100}]}}`))
	if got := works.Of().Text(minute, ""); got != "no incident" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	// What is unknown of one region is not hidden by another one that works, nor by parts that can be read.
	parts := `{"result": {"status": [{"name": "Databases", "containers": [{"name": "AWS us-1", "status_code": 100}, {"name": "AWS us-2", "status_code": 0}]}]}}`
	unread, err := Parse([]byte(parts))
	if err != nil {
		t.Fatal(err)
	}
	for want, regions := range map[string][]string{
		"no incident in aws-us-1": {"aws-us-1"}, "no incident in aws-us-1 and aws-us-1": {"aws-us-1", "aws-us-1"}, "unknown: the page does not tell of aws-us-3": {"aws-us-1", "aws-us-3"},
		"unknown: the page does not tell of aws-us-2": {"aws-us-2"}, "unknown: a part of the page cannot be read": nil,
	} {
		if got := unread.Of(regions...).Text(minute, ""); got != want {
			t.Errorf("%v: %q, not %q", regions, got, want)
		}
	}
	down, err := Parse([]byte(strings.ReplaceAll(strings.ReplaceAll(sent, `"status_code": 200`, `"status_code": 100`), "2026-11-27T18", "?")))
	if got := down.Of().Text(minute, ""); got != "aws-eu-central-1 partly down, +2 more regions (Database Connectivity, +1)" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// Trouble is worse than planned maintenance, and an incident of no region is none of its own.
func TestPageRanksTrouble(t *testing.T) {
	t.Parallel()
	opened := time.Date(2026, 11, 27, 17, 0, 0, 0, time.UTC)
	for want, p := range map[string]Page{
		"incident in b since 17:00: Slow starts": {
			Parts:     []Part{{"DB", "a", Maintenance}, {"DB", "b", Works}},
			Incidents: []Incident{{"Slow starts", opened, []string{"b"}}},
		},
		"a planned maintenance (DB)": {Parts: []Part{{"DB", "a", Maintenance}, {"DB", "b", Works}}},
		"incident since 17:00: Console": {
			Parts: []Part{{"DB", "a", Works}, {"DB", "b", Works}}, Incidents: []Incident{{Name: "Console", Opened: opened}},
		},
		"a down since 17:00 (DB)": {
			Parts: []Part{{"DB", "a", Down}, {"DB", "b", Works}}, Incidents: []Incident{{Name: "Console", Opened: opened}},
		},
		"a down, +1 more region (DB)": {Parts: []Part{{"DB", "a", Down}, {"DB", "b", PartlyDown}}},
	} {
		if got := p.Of("a", "b").Text(minute, ""); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

// A page that is broken proves nothing, not even that all is well.
func TestPageThatIsBrokenIsUnknown(t *testing.T) {
	t.Parallel()
	for _, doc := range []string{
		"", "<html>", "null", "[]", "{}", `{"error": "no such page"}`, `{"result": null}`, `{"result": {}}`, `{"result": {"status": []}}`,
		`{"result": {"status": [{"name": "Console API"}]}}`, `{"result": {"status": [{"name": "Console API", "status_code": 0}]}}`,
		`{"result": {"status": [{"name": "Console API", "containers": [{"name": "AWS us-east-2", "status_code": null}]}]}}`,
		`{"result": {"status": [{"name": "Console API", "status_code": true}]}}`, `{"result": {"status": "fine"}}`,
	} {
		if page, err := Parse([]byte(doc)); err == nil {
			t.Errorf("%s says %+v", doc, page)
		}
	}
}

// FuzzParse reads what a page may answer: it says something short and clean, or an error.
func FuzzParse(f *testing.F) {
	f.Add([]byte(sent))
	f.Add([]byte(`{"result": {"status": [{"name": "\u001b[31m\u202e", "status_code": 1e2, "containers": [{"name": "\n", "status_code": 999}]}]}}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		page, err := Parse(doc)
		if err != nil {
			return
		}
		for _, regions := range [][]string{nil, {"aws-eu-central-1"}, {page.Parts[0].Region}} {
			c := page.Of(regions...)
			text := c.Text(minute, "")
			if !utf8.ValidString(text) || models.Clean(text) != text || strings.ContainsAny(text, "\n\r\t") || len(text) > 8*maxText {
				t.Errorf("%q", text)
			}
			if c.Code < 0 || c.Code > 999 || c.Trouble() && len(c.Parts) == 0 {
				t.Errorf("%+v", c)
			}
		}
	})
}

// A known state has its word, and another one its number.
func TestCodes(t *testing.T) {
	t.Parallel()
	for code, want := range map[Code]string{
		100: "works", 200: "planned maintenance", 300: "slow", 400: "partly down", 500: "down", 600: "security event",
		250: "in state 250",
	} {
		if got := fmt.Sprint(code); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
