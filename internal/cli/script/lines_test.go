package script

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"pgtower/internal/driver"
	"pgtower/models"
	"pgtower/models/format"
	"pgtower/models/moment"
	"pgtower/models/naming"
	"pgtower/ui/style"
)

// Chosen fields are in JSON in the order of the user, also without a value.
func TestFieldsOfJSONAreChosen(t *testing.T) {
	t.Parallel()
	files := driver.NewFiles(t, "")
	o := &Options{JSON: true, Fields: []string{"status", "error", "id"}}
	out := newOutput(o, files.Out, operationLayout("", utcTimes(time.Now)))
	out.write(line{Operation: &models.Operation{ID: "a", Status: models.StatusFinished}})
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	if got, _ := files.Printed(); got != `{"status":"finished","error":null,"id":"a"}`+"\n" {
		t.Error(got)
	}
	known := []string{"id", "status"}
	for text, want := range map[string]string{"id,damage": "", "id,stat": `--json: unknown field "stat"; there are id, status, error_cut, damage`} {
		err := (&Options{Fields: strings.Split(text, ",")}).checkFields(known)
		if got := fmt.Sprint(err); err != nil && got != want || err == nil && want != "" {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// linesOf returns what a form prints for two operations, and for a gap between them that is filled.
func linesOf(t *testing.T, f format.Form, width int) string {
	t.Helper()
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	files := driver.NewFiles(t, "")
	now := func() time.Time { return at.Add(time.Hour) }
	printed := operationLayout("event", moments{Times: style.TimesOf(style.UTC, nil, false), now: now})
	out := outputOf(files.Out, f, width, printed)
	first := models.Operation{
		ID: "a", ProjectID: "p", BranchID: "br-1", Action: "create_branch", Status: models.StatusFailed, FailuresCount: 2,
		CreatedAt: at, UpdatedAt: at.Add(1500 * time.Millisecond), Error: "=1+1, \"no\" <room>",
	}
	second := models.Operation{ID: "b", ProjectID: "p", Action: "start_compute", Status: models.StatusRunning, CreatedAt: at}
	none := &models.Operation{}
	out.write(line{event: "added", project: "p", name: "store", branch: naming.Name{Name: "main"}, Operation: &first, now: now()})
	out.write(line{event: "gap", project: "p", name: "store", Operation: none, since: at, until: at.Add(time.Minute), now: now()})
	out.write(line{event: "filled", project: "p", name: "store", Operation: none, since: at, until: at.Add(time.Minute), now: now()})
	out.write(line{event: "changed", project: "p", Operation: &second, now: now()})
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	got, _ := files.Printed()
	return got
}

// JSON, CSV and tabs have all fields; a table has as many columns as its width allows.
func TestLinesHaveAFormForEachReader(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		form  format.Form
		width int
		want  []string
	}{
		"JSON": {format.JSON, 80, []string{
			`{"event":"added","id":"a","project_id":"p","project_name":"store","branch_id":"br-1","branch_name":"main","action":"create_branch",` +
				`"status":"failed","failures_count":2,"created_at":"2026-11-21T12:00:00Z","updated_at":"2026-11-21T12:00:01.500000Z",` +
				`"duration_ms":1500,"error":"=1+1, \"no\" \u003croom\u003e"}`,
			`{"event":"gap","project_id":"p","project_name":"store","since":"2026-11-21T12:00:00Z","until":"2026-11-21T12:01:00Z"}`,
			`{"event":"filled","project_id":"p","project_name":"store","since":"2026-11-21T12:00:00Z","until":"2026-11-21T12:01:00Z"}`,
			`{"event":"changed","id":"b","project_id":"p","action":"start_compute","status":"running","failures_count":0,` +
				`"created_at":"2026-11-21T12:00:00Z","duration_ms":3600000}`,
		}},
		"CSV": {format.CSV, 80, []string{
			"event,id,project_id,project_name,branch_id,branch_name,endpoint_id,endpoint_name,action,status,failures_count,created_at,updated_at," +
				"duration_ms,error,retry_at,total_duration_ms,gone,since,until,org_id,org_name",
			`added,a,p,store,br-1,main,,,create_branch,failed,2,2026-11-21T12:00:00Z,2026-11-21T12:00:01.500000Z,1500,` +
				`"'=1+1, ""no"" <room>",,,,,,,`,
			"gap,,p,store,,,,,,,,,,,,,,,2026-11-21T12:00:00Z,2026-11-21T12:01:00Z,,",
			"filled,,p,store,,,,,,,,,,,,,,,2026-11-21T12:00:00Z,2026-11-21T12:01:00Z,,",
			"changed,b,p,,,,,,start_compute,running,0,2026-11-21T12:00:00Z,,3600000,,,,,,,,",
		}},
		"tabs": {format.Tabs, 80, []string{
			"added\ta\tp\tstore\tbr-1\tmain\t\t\tcreate_branch\tfailed\t2\t2026-11-21T12:00:00Z\t2026-11-21T12:00:01.500000Z\t1500\t" +
				"=1+1, \"no\" <room>\t\t\t\t\t\t\t",
			"gap\t\tp\tstore" + strings.Repeat("\t", 15) + "2026-11-21T12:00:00Z\t2026-11-21T12:01:00Z\t\t",
			"filled\t\tp\tstore" + strings.Repeat("\t", 15) + "2026-11-21T12:00:00Z\t2026-11-21T12:01:00Z\t\t",
			"changed\tb\tp\t\t\t\t\t\tstart_compute\trunning\t0\t2026-11-21T12:00:00Z\t\t3600000" + strings.Repeat("\t", 8),
		}},
		"a table": {format.Lines, 80, []string{
			"EVENT    PROJECT             ACTION              STATUS         CREATED UTC",
			"added    store               Create branch       ✗ failed ×2    12:00:00",
			"gap      store               operations          ┄ missing      12:01:00",
			"filled   store               operations          ✓ complete     12:01:00",
			"changed  p                   Start compute       ◐ running      12:00:00",
		}},
		"a table of 100 cells": {format.Lines, 100, []string{
			"EVENT    PROJECT             ACTION              STATUS         CREATED UTC   TOOK",
			"added    store               Create branch       ✗ failed ×2    12:00:00      1.5s",
			"gap      store               operations          ┄ missing      12:01:00      1m00s",
			"filled   store               operations          ✓ complete     12:01:00      1m00s",
			"changed  p                   Start compute       ◐ running      12:00:00      1h00m…",
		}},
		"a wide table": {format.Lines, 130, []string{
			"EVENT    PROJECT             ACTION              STATUS         CREATED UTC   TOOK     ID",
			"added    store               Create branch       ✗ failed ×2    12:00:00      1.5s     a",
			"gap      store               operations          ┄ missing      12:01:00      1m00s    –",
			"filled   store               operations          ✓ complete     12:01:00      1m00s    –",
			"changed  p                   Start compute       ◐ running      12:00:00      1h00m…   b",
		}},
	} {
		if got, want := linesOf(t, c.form, c.width), strings.Join(c.want, "\n")+"\n"; got != want {
			t.Errorf("%s:\n%s\nnot\n%s", name, got, want)
		}
	}
}

// In a table of a terminal, a long name does not shift the next columns. Elsewhere it is whole.
func TestLinesCutLongNamesInATable(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", models.MaxAPIKeyName)
	for _, f := range []format.Form{format.Lines, format.Markdown} {
		var text strings.Builder
		out := outputOf(&text, f, 130, auditLayout(moments{now: time.Now}))
		for _, name := range []string{"ci", long} {
			out.write(audited{
				APIKey: &models.APIKey{ID: 1, Name: name, LastUsedFromAddr: "127.0.0.1"}, reach: "everything", now: time.Now(),
			})
		}
		_ = out.Flush()
		lines := strings.Split(text.String(), "\n")
		lines = lines[len(lines)-3:] // below the header
		before := func(line string) int { at, _, _ := strings.Cut(line, "127"); return style.Width(at) }
		if whole := strings.Contains(text.String(), long); whole == (f == format.Lines) || !whole && before(lines[0]) != before(lines[1]) {
			t.Errorf("form %d:\n%s", f, &text)
		}
	}
}

// The flags define how far back the list goes, or the filter does.
func TestListingGoesBackAsFarAsAskedFor(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		given Listing
		back  time.Duration // of the filter
		want  Listing
	}{
		"nothing said":      {Listing{}, 0, Listing{Limit: Newest}},
		"a number":          {Listing{Limit: 7}, 24 * time.Hour, Listing{Limit: 7}},
		"a time":            {Listing{Since: moment.Ago(time.Hour)}, 0, Listing{Since: moment.Ago(time.Hour)}},
		"both":              {Listing{Since: moment.Ago(1), Limit: 7}, 0, Listing{Since: moment.Ago(1), Limit: 7}},
		"a filter":          {Listing{}, 24 * time.Hour, Listing{Since: moment.Ago(24 * time.Hour)}},
		"a filter's time":   {Listing{}, 2 * time.Hour, Listing{Since: moment.Ago(2 * time.Hour)}},
		"from now on":       {Listing{Follow: true}, 24 * time.Hour, Listing{Follow: true}},
		"and the Newest":    {Listing{Limit: 3, Follow: true}, 0, Listing{Limit: 3, Follow: true}},
		"and what began by": {Listing{Since: moment.Ago(time.Hour), Follow: true}, 0, Listing{Since: moment.Ago(time.Hour), Follow: true}},
	} {
		if c.given.setDefaults(c.back > 0, moment.Ago(c.back)); c.given != c.want {
			t.Errorf("%s: %+v, not %+v", name, c.given, c.want)
		}
	}
}

// The documents list the tab-separated fields in order.
func TestFieldsOrderIsDocumented(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../../../docs/scripting.md")
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Join(strings.Fields(string(doc)), " ")
	for _, names := range [][]string{
		operationLayout("", moments{now: time.Now}).fields, projectLayout(moments{now: time.Now}).fields,
		newKeyFacts().layout(moments{now: time.Now}).fields, usesLayout(nil).fields, eventLayout(moments{now: time.Now}).fields, journalLayout(nil).fields,
	} {
		if !strings.Contains(words, strings.Join(names, " ")) {
			t.Errorf("docs/scripting.md has not %s", strings.Join(names, " "))
		}
	}
}

// An error that was cut says so at its end, in JSON in a field, too.
func TestLinesSayThatAnErrorIsCut(t *testing.T) {
	t.Parallel()
	var op models.Operation
	err := op.UnmarshalJSON([]byte(`{"id":"a","status":"failed","error":"` + strings.Repeat("x", 1001) + `"}`))
	if err != nil {
		t.Fatal(err)
	}
	for f, want := range map[format.Form]string{format.JSON: `x… (cut)","error_cut":true}`, format.CSV: "x… (cut),", format.Tabs: "x… (cut)\t"} {
		var text strings.Builder
		out := outputOf(&text, f, 80, operationLayout("", moments{now: time.Now}))
		out.write(line{Operation: &op})
		if err := out.Flush(); err != nil || !strings.Contains(text.String(), want) {
			t.Errorf("%v: %s lacks %s", err, text.String(), want)
		}
	}
}
