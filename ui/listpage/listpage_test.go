package listpage_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"pgtower/models/format"
	"pgtower/models/record"
	"pgtower/ui/action"
	"pgtower/ui/listpage"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

type region struct {
	id, name string
	projects int64
}

func fields() []record.Field[*region] {
	return []record.Field[*region]{
		{Name: "id", Get: record.IDs(func(r *region) string { return r.id }), Title: "ID", Width: 8, Priority: 1, Filter: "id", Searched: 1},
		{Name: "name", Get: record.Words(func(r *region) string { return r.name }), Title: "NAME", Width: 12, Filter: "name", Searched: 1},
		{
			Name: "projects", Title: "PROJECTS", Width: 8, Filter: "projects",
			Get: record.Counts(record.Number, func(r *region) (int64, bool) { return r.projects, r.projects > 0 }),
		},
		{Name: "damage", Aside: true, Get: record.Words(func(r *region) string { return strings.TrimPrefix(r.id, "r") })},
	}
}

// read is the message with the rows.
type read struct {
	rows []region
	err  error
}

func newPage(t *testing.T) *listpage.Page[region] {
	t.Helper()
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	return listpage.New(listpage.Config[region]{
		ID: page.Projects, Session: page.NewSession(t.Context(), 1, func() time.Time { return at }), Fields: fields(),
		Columns: []string{"name", "projects", "id"}, Filters: []string{"name", "id", "projects"},
		Key: func(r *region) string { return r.id }, Row: "region",
		Receive: func(msg tea.Msg) ([]region, table.Reading, bool) {
			got, ok := msg.(read)
			return got.rows, table.Reading{Last: at, Err: got.err}, ok
		},
	})
}

func drawn(p *listpage.Page[region]) string {
	theme := style.ChooseTheme(style.Auto, true, colorprofile.NoTTY)
	return strings.Join(p.View(page.Frame{Width: 100, Height: 20, Theme: theme}), "\n")
}

// A page is its fields and what it receives: it needs no other code to show, filter and export them.
func TestPage(t *testing.T) {
	t.Parallel()
	p := newPage(t)
	p.Update(read{rows: []region{{"r1", "=north", 2}, {"r2", "south", 0}}})
	text := drawn(p)
	for _, want := range []string{"NAME", "PROJECTS", "ID", "=north", "south", "–"} {
		if !strings.Contains(text, want) {
			t.Errorf("the screen lacks %q:\n%s", want, text)
		}
	}
	if err := p.CheckFilter("projects:>1 id:r1 south"); err != nil {
		t.Error(err)
	}
	if got := slices.Sorted(slices.Values(p.Placeholders())); !slices.Equal(got, []string{"damage", "id", "name", "projects"}) {
		t.Errorf("placeholders are %q", got)
	}
	export := p.Export()
	var csv, json bytes.Buffer
	if err := errors.Join(export.Print(&csv, format.CSV), export.Print(&json, format.JSONList)); err != nil {
		t.Fatal(err)
	}
	if want := "id,name,projects\nr1,'=north,2\nr2,south,\n"; csv.String() != want {
		t.Errorf("CSV is %q, want %q", csv.String(), want)
	}
	if got := strings.Join(strings.Fields(json.String()), ""); got != `[{"id":"r1","name":"=north","projects":2,"damage":"1"},{"id":"r2","name":"south","damage":"2"}]` {
		t.Errorf("JSON is %s", got)
	}
}

// Without rows, the page says why, and there is nothing to export.
func TestPageWithoutRows(t *testing.T) {
	t.Parallel()
	p := newPage(t)
	for want, msg := range map[string]read{"There are no regions.": {}, "no route": {err: errors.New("no route")}} {
		p.Update(msg)
		if text := drawn(p); !strings.Contains(text, want) {
			t.Errorf("the screen lacks %q:\n%s", want, text)
		}
	}
	export, ok := action.ByID(p.Actions(), "export")
	if !ok || export.Reason() != "nothing to export" {
		t.Errorf("the export is %+v", export)
	}
}
