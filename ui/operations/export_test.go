package operations

import (
	"bytes"
	"encoding/csv"
	"slices"
	"testing"
	"time"

	"pgtower/models"
)

// A spreadsheet runs what looks like a formula. Numbers and times of our own stay what they are.
func TestNoCellIsAFormula(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		`=cmd|' /C calc'!A0`: `'=cmd|' /C calc'!A0`, "+1": "'+1", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t=1", "\r=1": "'\r=1",
		"\n=1": "'\n=1", "＝1": "'＝1", "＠x": "'＠x", `","=1`: `","=1`, "a=1": "a=1", "br-1": "br-1", "•••": "•••", "": "",
	} {
		var b bytes.Buffer
		err := writeCSV(&b, ',', []row{{op: &models.Operation{
			ID: text, ProjectID: text, BranchID: text, EndpointID: text, Action: models.Action(text), Status: models.Status(text), Error: text,
			FailuresCount: -2, CreatedAt: at, UpdatedAt: at.Add(time.Second),
		}}})
		if err != nil {
			t.Fatal(err)
		}
		r := csv.NewReader(bytes.NewReader(b.Bytes()))
		lines, err := r.ReadAll()
		line := []string{want, want, want, want, want, want, "-2", "2026-03-01T12:00:00Z", "2026-03-01T12:00:01Z", want, "true"}
		if err != nil || len(lines) != 2 || !slices.Equal(lines[1], line) {
			t.Errorf("%q: got %q, %v", text, lines, err)
		}
	}
}
