package crash

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/page"
)

// broken panics in a chosen method.
type broken struct{ in string }

func (b *broken) at(where string) {
	if b.in == where {
		panic(where)
	}
}

func (b *broken) Init() tea.Cmd {
	b.at("init")
	return func() tea.Msg { b.at("init command"); return nil }
}

func (b *broken) Update(tea.Msg) (tea.Model, tea.Cmd) {
	b.at("update")
	return b, func() tea.Msg {
		b.at("command")
		return tea.BatchMsg{nil, b.command("batch"), func() tea.Msg { return tea.BatchMsg{b.command("deep batch")} }}
	}
}

func (b *broken) command(where string) tea.Cmd {
	return func() tea.Msg { b.at(where); return "done" }
}

func (b *broken) View() tea.View { b.at("view"); return tea.NewView("shown") }

// use calls a model as Bubble Tea does.
func use(m tea.Model) (shown string) {
	run(m.Init())
	next, cmd := m.Update(nil)
	run(cmd)
	return next.View().Content
}

func run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	if batch, ok := cmd().(tea.BatchMsg); ok {
		for _, c := range batch {
			run(c)
		}
	}
}

// A panic anywhere in the model, or in a command of it, is kept and ends the program. After that, the model is not called.
func TestGuardedModel(t *testing.T) {
	t.Parallel()
	for _, in := range []string{"", "init", "init command", "update", "command", "batch", "deep batch", "view"} {
		ended := 0
		g := &Guard{End: func() { ended++ }}
		model := &broken{in}
		guarded := g.Model(model)
		shown := use(guarded)
		caught := g.Caught()
		if in == "" {
			if caught != nil || ended != 0 || shown != "shown" {
				t.Errorf("%+v, ended %d times, shown %q", caught, ended, shown)
			}
			continue
		}
		if caught == nil || caught.Value != in || ended == 0 || !strings.Contains(string(caught.Stack), "(*broken).at") {
			t.Errorf("%s: %+v, ended %d times", in, caught, ended)
		}
		// A panicking root is not used again.
		model.in = "update"
		if use(guarded); g.Caught() != caught {
			t.Errorf("%s: called after its end: %+v", in, g.Caught())
		}
	}
}

// Bubble Tea needs the last view to reset its modes.
func TestGuardKeepsTheLastGoodView(t *testing.T) {
	t.Parallel()
	for _, in := range []string{"update", "view"} {
		model := &broken{}
		guarded := (&Guard{End: func() {}}).Model(model)
		if shown := use(guarded); shown != "shown" {
			t.Fatalf("shows %q", shown)
		}
		model.in = in
		if shown := use(guarded); shown != "shown" {
			t.Errorf("%s: shows %q", in, shown)
		}
	}
}

// A panic that another goroutine has caught is kept with its own stack.
func TestGuardKeepsAPanicThatWasCaughtBefore(t *testing.T) {
	t.Parallel()
	g, caught := &Guard{End: func() {}}, &page.Panic{Value: "worker"}
	g.Do(func() { panic(caught) })
	if g.Caught() != caught {
		t.Errorf("%+v", g.Caught())
	}
}

const secret = "napi_0123456789abcdefghij"

func report(value any) *Report {
	return &Report{
		Panic: &page.Panic{Value: value, Stack: []byte("goroutine 1 [running]:\nmain.f(0x1)\n\t/src/" + secret + ".go:1\x1b[2J\n")},
		At:    time.Date(2026, 3, 4, 5, 6, 7, 0, time.FixedZone("", 3600)),
		Facts: [][2]string{{"TERM", "xterm\x1b]0;x\x07" + strings.Repeat("y", 500)}},
		Redact: func(s string) string {
			return strings.ReplaceAll(s, secret, "•••")
		},
	}
}

// A report has the facts, the panic and its stack, without secrets and control characters, and of a bounded length.
func TestReport(t *testing.T) {
	t.Parallel()
	got := report(errors.New("boom " + secret + " and pgt_unknown_987654321, at\nMyVeryLongFunctionName " + strings.Repeat("z ", 3000))).String()
	for _, want := range []string{
		"time      2026-03-04T04:06:07Z\n", "TERM      xterm�]0;x�yyy", "panic     *errors.errorString\n",
		"boom ••• and •••, at�MyVeryLongFunctionName z z", "goroutine 1 [running]:\nmain.f(0x1)\n\t/src/•••.go:1�[2J\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if strings.Contains(got, secret) || strings.Contains(got, "\x1b") || len(got) > 4_000 {
		t.Errorf("%d bytes:\n%s", len(got), got)
	}
}

// loud panics when it is printed, as a value in an invalid state may.
type loud struct{ p *int }

func (l loud) String() string { return string(rune(*l.p)) }

// A value that panics when it is printed does not break the report.
func TestReportOfAValueThatCannotBeShown(t *testing.T) {
	t.Parallel()
	if got := report(loud{}).What(100); !strings.Contains(got, "PANIC=String method") && got != "<nil>" {
		t.Errorf("got %q", got)
	}
}

// A report is a new file each time, in a folder that is made for it, for its owner only.
func TestReportIsWrittenForItsOwner(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "not", "there yet")
	r := report("boom")
	first, err := r.Write(folder)
	if err != nil {
		t.Fatal(err)
	}
	second, err := r.Write(folder)
	if err != nil || first == second {
		t.Fatalf("%v: the second is written over the first", err)
	}
	if !strings.HasPrefix(filepath.Base(first), "pgtower-crash-20260304T040607Z-") {
		t.Errorf("it is called %s", first)
	}
	info, err := os.Stat(first)
	if err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("%v, %v", info, err)
	}
	if b, err := os.ReadFile(first); err != nil || string(b) != r.String() {
		t.Errorf("%v: %s", err, b)
	}
}
