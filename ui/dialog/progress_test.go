package dialog_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgtower/ui/action"
	"pgtower/ui/dialog"
)

func progressView(m *dialog.Progress, height int) string { return view(m, frame(80, height)) }

func labels(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("key-%02d", i)
	}
	return out
}

// Esc stops the work once, and the dialog shows and announces the result. Only then can it be closed.
func TestProgressIsStoppedOnce(t *testing.T) {
	t.Parallel()
	stopped := 0
	m := dialog.NewProgress("Revoking", labels(3), func() { stopped++ })
	m.Set(0, dialog.Running, "")
	if send(t, m, keysOf("\n")...); stopped > 0 || m.Done() {
		t.Error("enter does something while the work goes on")
	}
	m.Warn()
	if send(t, m, keysOf("⎋")...); stopped != 1 || m.Done() || !strings.Contains(progressView(m, 24), "Stopping after the current one") {
		t.Errorf("esc does not stop, or does not say so:\n%s", progressView(m, 24))
	}
	if send(t, m, keysOf("⎋")...); stopped != 1 || m.Done() {
		t.Error("the work was stopped twice")
	}
	m.Set(0, dialog.Done, "")
	m.Finish("1 of 3", dialog.Line{Text: "Stopped by you."})
	for _, want := range []string{"1 of 3", "✓ key-00", "– key-01", "Stopped by you.", "[ Close ]"} {
		if !strings.Contains(progressView(m, 24), want) {
			t.Errorf("no %q in\n%s", want, progressView(m, 24))
		}
	}
	said := m.Describe(frame(80, 24))
	if said.Name != "Revoking" || said.Parts[0].Text != "1 of 3.\nStopped by you." || len(said.News) != 1 {
		t.Errorf("%+v", said)
	}
	if send(t, m, keysOf("\n")...); !m.Done() {
		t.Error("enter does not close")
	}
}

// TestProgressShowsTheRunningStep runs more steps than fit on the screen: the running one is visible.
func TestProgressShowsTheRunningStep(t *testing.T) {
	t.Parallel()
	m := dialog.NewProgress("Revoking", labels(60), func() {})
	for i := range 60 {
		progressView(m, 15) // the view depends on the last drawing
		m.Set(i, dialog.Running, "")
		got := progressView(m, 15)
		if !strings.Contains(got, fmt.Sprintf("◌ key-%02d", i)) {
			t.Fatalf("step %d is out of sight:\n%s", i, got)
		}
		if n := strings.Count(got, "\n") + 1; n > 15 {
			t.Fatalf("%d lines", n)
		}
		m.Set(i, dialog.Done, "")
	}
	m.Set(41, dialog.Failed, "no")
	m.Finish("59 of 60")
	if got := progressView(m, 15); !strings.Contains(got, "✗ key-41  no") {
		t.Errorf("what failed is out of sight:\n%s", got)
	}
	pages := func(a *action.Action) bool { return slices.Contains(a.Keys, "pgdown") }
	all := m.Actions()[0].Actions
	if n := len(all); len(slices.DeleteFunc(all, pages)) != n-1 {
		t.Errorf("not one action for the next page: %+v", m.Actions())
	}
	for range 60 {
		send(t, m, keysOf("⇞")...)
	}
	if got := progressView(m, 15); !strings.Contains(got, "key-00") {
		t.Errorf("it cannot be scrolled to the top:\n%s", got)
	}
}

// The end of the session ends work in progress, and changes nothing that had ended before.
func TestProgressEndsWithTheSession(t *testing.T) {
	t.Parallel()
	m := dialog.NewProgress("Revoking", labels(2), func() {})
	m.Set(0, dialog.Running, "")
	m.OnSessionEnd()
	if !strings.Contains(progressView(m, 24), "The session ended.") {
		t.Errorf("it does not say so:\n%s", progressView(m, 24))
	}
	m.Finish("2 of 2")
	m.OnSessionEnd()
	if strings.Contains(progressView(m, 24), "The session ended.") {
		t.Errorf("what was over before is not:\n%s", progressView(m, 24))
	}
}
