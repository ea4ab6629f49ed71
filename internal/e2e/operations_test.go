//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/dustin/go-humanize"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
)

const theEnd = "End of history."

// operationFields are the fields of section 2.3.
var operationFields = strings.Fields("id project_id branch_id endpoint_id action status failures_count created_at updated_at") //nolint:gochecknoglobals // a constant, had Go such lists

func TestDemoOpensWithoutAnything(t *testing.T) {
	t.Parallel()
	p := start(t, termtest.Options{
		Args: []string{"--demo", "--interval", "1s", "--page-size", "30"}, Cols: 80, Rows: 24,
	})
	p.choose("payments")
	p.Wait("● live, every 1s", "STATUS", "ACTION", "finished")
	p.scrollToTheEnd(30)
	p.Press("enter")
	p.Wait(operationFields...)
	p.leave("failures_count")
	p.Wait("STATUS", theEnd)
	p.quit()
}

// scrollToTheEnd scrolls down to the end of history, which must take more than the first page of pageSize.
func (p *program) scrollToTheEnd(pageSize int) (rows int) {
	p.t.Helper()
	for loaded := 0; ; {
		p.Press("G")
		p.WaitFor("older operations, or the end of them", func(s termtest.Screen) bool {
			_, rows = position(s)
			return rows > loaded || s.Contains(theEnd)
		})
		if p.Screen().Contains(theEnd) {
			break
		}
		loaded = rows
	}
	p.Press("G")
	p.WaitFor("the last row, and the end", func(s termtest.Screen) bool {
		row, of := position(s)
		rows = of
		return row == of && s.Contains(theEnd)
	})
	if rows <= pageSize {
		p.t.Errorf("the history ended after %d rows, with pages of %d", rows, pageSize)
	}
	return rows
}

func TestHistoryIsWhole(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	id := b.project("payments")
	p := b.program("--project", id, "--page-size", "30", "--interval", "5m")
	p.Wait(" payments ")
	rows := p.scrollToTheEnd(30)
	var all struct{ Operations []record }
	b.api.call(http.MethodGet, "/projects/"+id+"/operations?limit=1000", "", &all)
	// The project is still active, so the service may have more by now.
	if more := len(all.Operations) - rows; more < 0 || more > 5 {
		t.Errorf("%d rows, and the service has %d", rows, len(all.Operations))
	}
	last := all.Operations[len(all.Operations)-1]
	p.Press("enter")
	p.Wait(last["id"].(string), last["created_at"].(string)[:10])
	p.leave("esc back")
	p.Press("g")
	p.waitRow("1", func(row, _ int) bool { return row == 1 })
	p.quit()
}

func TestEveryFieldOfAnOperation(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	project := b.project("payments")
	started, err := b.Start(mock.Task{ProjectID: project, Action: "tenant_attach", Wait: time.Millisecond, Run: time.Millisecond, Fail: true})
	if err != nil {
		t.Fatal(err)
	}
	var answer struct{ Operation record }
	p := b.program("--project", project, "--interval", "1s")
	p.Wait("Tenant attach", "failed")
	b.api.call(http.MethodGet, "/projects/"+project+"/operations/"+started.ID, "", &answer)
	p.Press("enter")
	for _, name := range operationFields {
		p.waitField(name, answer.Operation[name])
	}
	p.Wait("Attaches the project to storage.")
	p.Press("esc")
	p.Wait("STATUS")
	p.quit()
}

// waitField waits until a field has the value that the service sent.
func (p *program) waitField(name string, value any) {
	p.t.Helper()
	want := regexp.QuoteMeta(shown(value))
	line := regexp.MustCompile(`(?m)^ +` + name + ` +` + want + `( |$)`)
	p.WaitFor(name+" "+want, func(s termtest.Screen) bool { return line.MatchString(s.String()) })
}

// shown returns how the screen should show a value of the service's JSON.
func shown(value any) string {
	switch v := value.(type) {
	case nil:
		return "–"
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case json.Number:
		n, _ := v.Int64()
		return humanize.Comma(n)
	}
	text := fmt.Sprint(value)
	if at, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return strings.Replace(at.UTC().Format(time.DateTime), "T", " ", 1) + " UTC"
	}
	return text
}

func TestNewOperationsAppear(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	project := b.project("scratchpad")
	polls := func() int { return b.count("GET /projects/" + project + "/operations?") }
	p := b.program("--project", project, "--interval", "1s")
	p.Wait("● live, every 1s", "No operations yet.")
	before := polls()
	if _, err := b.Start(mock.Task{ProjectID: project, Action: "start_compute", Wait: time.Minute, Run: time.Hour}); err != nil {
		t.Fatal(err)
	}
	p.Wait("Start compute", "◌ scheduling")
	// One poll may have been in flight at the start, and one more while the screen is read.
	if n := polls() - before; n > 3 {
		t.Errorf("the new operation came with poll %d", n)
	}
	b.ahead.Store(int64(2 * time.Minute))
	p.WaitGone("◌ scheduling")
	p.Wait(" running ", "1 running")
	b.ahead.Store(int64(2 * time.Hour))
	p.WaitGone("1 running")
	p.Wait("Start compute", "1 / 1", "1h01m")
	p.quit()
}

func TestSelectionStaysWhenOperationsArrive(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	project := b.project("payments")
	p := b.program("--project", project, "--interval", "1s")
	p.Wait("● live, every 1s", "STATUS")
	p.Press("j", "j", "j")
	p.waitRow("4", func(row, _ int) bool { return row == 4 })
	before := branchAndAction(selected(p.Screen()))
	for range 3 {
		if _, err := b.Start(mock.Task{ProjectID: project, Action: "finalize_migration"}); err != nil {
			t.Fatal(err)
		}
	}
	p.Wait("new · g: newest")
	p.waitRow("pushed down by three", func(row, _ int) bool { return row >= 7 })
	if after := branchAndAction(selected(p.Screen())); after != before {
		t.Errorf("the selection was %q and is %q", before, after)
	}
	p.Press("g")
	p.WaitGone("g: newest")
	p.waitRow("1", func(row, _ int) bool { return row == 1 })
	p.quit()
}

// branchAndAction returns the part of a row that does not change with time.
func branchAndAction(row string) string {
	return regexp.MustCompile(`[A-Z][a-z ]+ br-\S+`).FindString(row)
}
