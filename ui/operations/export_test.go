package operations

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/internal/files"
	"pgtower/models"
	"pgtower/models/format"
	"pgtower/models/naming"
	"pgtower/models/query"
)

// A spreadsheet runs texts that look like formulas. Numbers and times stay unchanged.
func TestExportHasNoFormulas(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		`=cmd|' /C calc'!A0`: `'=cmd|' /C calc'!A0`, "+1": "'+1", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t'=1", "\r=1": "'\r'=1",
		"\n=1": "'\n'=1", "＝1": "'＝1", "＠x": "'＠x", `","=1`: `","'=1`, "a;=1+1": "a;'=1+1", "a;b,+1": "a;b,'+1",
		`a; "=1"`: `a; "'=1"`, " =1": " '=1", "a; b=1": "a; b=1", "a=1": "a=1", "br-1": "br-1", "•••": "•••", "": "",
	} {
		var b bytes.Buffer
		called := map[string]naming.Name{text: {Name: text}}
		facts := &query.Facts{Names: names{"p": text}, Book: naming.Book{"p": {Branches: called, Computes: called}}}
		rows := exported([]*row{{Operation: query.Operation{Facts: facts, Project: "p", Op: &models.Operation{
			ID: text, ProjectID: text, BranchID: text, EndpointID: text, Action: models.Action(text), Status: models.Status(text), Error: text,
			FailuresCount: -2, CreatedAt: at, UpdatedAt: at.Add(1500 * time.Millisecond),
		}}}})
		if err := rows.Print(&b, format.CSV); err != nil {
			t.Fatal(err)
		}
		r := csv.NewReader(bytes.NewReader(b.Bytes()))
		lines, err := r.ReadAll()
		name := cmp.Or(want, "p")
		line := []string{
			want, want, name, want, want, want, want, want, want, "-2", "2026-03-01T12:00:00Z", "2026-03-01T12:00:01.500000Z", "", want, "", "", "", "true",
		}
		if err != nil || len(lines) != 2 || !slices.Equal(lines[1], line) {
			t.Errorf("%q: got %q, %v", text, lines, err)
		}
	}
}

// An export has the names of project and branch, and the duration. A ~ is the home folder.
func TestExport(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	began := time.Date(2026, 3, 1, 13, 0, 0, 0, time.FixedZone("", 3600))
	all := []*row{
		{Operation: query.Operation{Facts: &query.Facts{
			Names: names{"p": "shop"}, Book: naming.Book{"p": {Branches: map[string]naming.Name{"br-1": {Name: "main"}}}},
		}, Project: "p", Op: &models.Operation{
			ID: "a", BranchID: "br-1", Status: models.StatusFinished, CreatedAt: began, UpdatedAt: began.Add(1500 * time.Millisecond),
		}}},
		{partial: true, Operation: query.Operation{
			Facts: &query.Facts{}, Project: "p", Op: &models.Operation{ID: "b", Status: models.StatusRunning},
		}},
	}
	for ending, want := range map[string][]string{
		"csv": {
			"a,,shop,br-1,main,,,,finished,0,2026-03-01T12:00:00Z,2026-03-01T12:00:01.500000Z,1.500,,,,,true",
			"b,,p,,,,,,running,0,,,,,,,,false",
		},
		"json": {`"project_name": "shop",`, `"branch_id": "br-1",`, `"branch_name": "main",`, `"duration_seconds": 1.500,`, `"project_name": "p",`, `"created_at": null`, `"complete": false`},
	} {
		rows := exported(all)
		path, err := rows.Save(files.User{}, "~/out."+ending)
		if err != nil || path != filepath.Join(home, "out."+ending) {
			t.Fatalf("%s: %v", path, err)
		}
		text, err := os.ReadFile(path)
		for _, part := range want {
			if err != nil || !strings.Contains(string(text), part) {
				t.Errorf("%s, %v, lacks %s", text, err, part)
			}
		}
		if ending == "json" && !json.Valid(text) {
			t.Errorf("%s", text)
		}
	}
}
