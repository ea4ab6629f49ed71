//go:build unix

package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
)

// begin starts an operation that runs for a time of the mock's clock.
func (b *backend) begin(project, action string, run time.Duration, fail bool) {
	b.t.Helper()
	task := mock.Task{ProjectID: project, Action: action, Wait: time.Millisecond, Run: run, Fail: fail}
	if _, err := b.Start(task); err != nil {
		b.t.Fatal(err)
	}
}

func TestAllProjectsInOneFeed(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	p := b.program("--interval", "1s")
	p.Wait("all projects (12)", "● live, every 1s")
	b.begin(b.project("payments"), "switch_pageserver", time.Hour, false)
	b.begin(b.project("billing"), "promote_replica", time.Hour, false)
	p.WaitFor("both operations, the newer one above", func(s termtest.Screen) bool {
		_, newer, ok := s.Find("Promote replica")
		_, older, found := s.Find("Switch pageserver")
		return ok && found && newer < older
	})
	p.Press("O")
	p.Wait("Choose a project")
	p.enter("payments")
	p.Wait(" payments ", "Switch pageserver")
	p.WaitGone("Promote replica")
	p.Press("a")
	p.Wait("all projects (12)", "Switch pageserver", "Promote replica")
	p.quit()
}

func TestWatchRings(t *testing.T) {
	t.Parallel()
	for _, fail := range []bool{false, true} {
		how := map[bool]string{false: "finished", true: "failed"}[fail]
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			b := serve(t, mock.Options{})
			project := b.project("scratchpad")
			b.begin(project, "prewarm_replica", time.Hour, fail)
			p := start(t, termtest.Options{
				Args: []string{"--project", project, "--interval", "1s"}, Env: append(b.env(), "TERM_PROGRAM=WezTerm"),
			})
			p.Wait("Prewarm replica", "1 running")
			p.Press("w")
			p.Wait("watching Prewarm replica", "◉")
			if n := p.Bells(); n != 0 {
				t.Errorf("%d bells before the end", n)
			}
			b.ahead.Store(int64(2 * time.Hour))
			p.Wait("Prewarm replica of scratchpad " + how)
			p.WaitFor("the bell", func(termtest.Screen) bool { return p.Bells() == 1 })
			if notice := "\x1b]9;pgtower · watched: "; !bytes.Contains(p.Wrote(), []byte(notice)) {
				t.Errorf("the desktop was not notified with %q", notice)
			}
			title := map[bool]string{false: "pgtower · 0 running", true: "pgtower · 1 failed since you looked · 0 running"}[fail]
			p.WaitFor("the title "+title, func(termtest.Screen) bool { return p.Title() == title })
			p.quit()
		})
	}
}

func TestShowOnlyFailed(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	project := b.project("scratchpad")
	b.begin(project, "import_data", time.Millisecond, true)
	b.begin(project, "update_catalog", time.Millisecond, false)
	p := b.program("--project", project, "--interval", "1s")
	p.Wait("✗ failed", "✓ finished", "1 / 2")
	p.Press("f")
	p.Wait("is:failed", "Import data", "1 of 2")
	p.WaitGone("Update catalog")
	// Later failures appear in the filtered list as well.
	b.begin(project, "swap_binding_id", time.Millisecond, true)
	p.Wait("Swap binding id", "2 of 3")
	p.Press("f")
	p.Wait("Update catalog", "/ 3")
	p.Press("/")
	p.enter("took:5s")
	p.Wait("^", "took:<")
	p.leave("took:5s")
	p.Press("/")
	p.Wait("status:failed")
	p.Send("!ac")
	p.Wait("action:")
	p.Press("tab")
	p.Send("up")
	p.Wait("!action:update_catalog", "2 of 3")
	p.Press("tab")
	p.Send(" (error:x or error:y)")
	p.Wait("No row has a value for error.")
	p.leave("!action:update_catalog")
	p.quit()
}

func TestExportIsNeverOverwritten(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	project := b.project("scratchpad")
	b.begin(project, "import_data", time.Millisecond, false)
	dir := t.TempDir()
	p := start(t, termtest.Options{Args: []string{"--project", project, "--interval", "1s"}, Env: b.env(), Home: dir})
	p.Wait("Import data", "✓ finished")
	export := func(name string) {
		p.Press("e")
		p.Wait("File: operations-")
		p.Press("ctrl+u")
		p.WaitGone("File: operations-")
		p.enter(name)
	}
	export("out.json")
	p.Wait("✓ 1 operations saved to")
	written, err := os.ReadFile(filepath.Join(dir, "out.json"))
	if err != nil {
		t.Fatal(err)
	}
	var records []map[string]any
	if err := json.Unmarshal(written, &records); err != nil || len(records) != 1 || records[0]["action"] != "import_data" {
		t.Errorf("%s: %v", written, err)
	}
	export("out.json")
	p.waitSaid("Nothing was exported", "already exists: choose another name", "File: out.json")
	p.Press("ctrl+u")
	p.WaitGone("File: out.json")
	p.enter("out.csv")
	p.Wait("saved to", "/out.csv")
	lines, err := os.ReadFile(filepath.Join(dir, "out.csv"))
	if err != nil || !strings.HasPrefix(string(lines), "id,project_id,") || strings.Count(string(lines), "\n") != 2 {
		t.Errorf("%q, %v", lines, err)
	}
	p.quit()
}

func TestPausedFeedIsFrozen(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	project := b.project("scratchpad")
	p := b.program("--project", project, "--interval", "1s")
	p.Wait("● live, every 1s", "No operations yet.")
	p.Press("p")
	p.Wait("‖ paused")
	b.begin(project, "import_data", time.Hour, false)
	polls := b.count("GET /projects/" + project + "/operations?")
	time.Sleep(3 * time.Second) // three polls
	if now := b.count("GET /projects/" + project + "/operations?"); now > polls {
		t.Errorf("%d polls while paused", now-polls)
	}
	p.WaitGone("Import data")
	p.Press("p")
	p.Wait("Import data", "● live, every 1s")
	p.quit()
}
