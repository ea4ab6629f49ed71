package cli

import (
	"cmp"
	"fmt"

	"pgtower/models"
	"pgtower/models/format"
	"pgtower/ui/style"
)

type verdict string

const (
	verdictOK      verdict = "ok"
	verdictWarning verdict = "warning"
	verdictFailed  verdict = "failed"
)

type finding struct {
	Check   string  `json:"check"`
	Verdict verdict `json:"verdict"`
	Detail  string  `json:"detail"`
	Advice  string  `json:"advice,omitempty"` // what to do
}

func (f finding) failed() bool { return f.Verdict == verdictFailed }

// doctor runs the checks, and prints each finding at once.
type doctor struct {
	process  Process
	settings *setup
	findings []finding
	broken   error                     // of the configuration file
	failed   error                     // of writing the findings
	keyID    int64                     // the id of the key that was found, or 0 if unknown
	keyList  models.Opt[models.ListID] // the list of that key, as remembered
	account  string                    // profile@host
	redacted bool                      // the findings have no secrets of the user, for other readers
}

// note adds a finding, and prints it unless JSON is wanted.
func (d *doctor) note(v verdict, check, detail, advice string) {
	f := finding{check, v, models.Clean(detail), models.Clean(advice)}
	if d.redacted {
		f = newRedactor(d.process, d.settings).finding(f)
	}
	d.findings = append(d.findings, f)
	if d.settings.json {
		return
	}
	rows := [][]string{{string(v), f.Check, f.Detail}}
	if f.Advice != "" {
		rows = append(rows, []string{"", "", "→ " + f.Advice})
	}
	for _, row := range rows {
		_, err := fmt.Fprintln(d.process.Stdout, format.Line(row, []int{7, 14}, style.PrintedWidth))
		d.failed = cmp.Or(d.failed, err)
	}
}

func (d *doctor) ok(check, detail string) { d.note(verdictOK, check, detail, "") }

func (d *doctor) warn(check, detail, advice string) { d.note(verdictWarning, check, detail, advice) }

func (d *doctor) fails(check string, err error) {
	why, advice := explain(err)
	d.note(verdictFailed, check, why, advice)
}
