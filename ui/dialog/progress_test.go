package dialog_test

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

type stop struct{}

func progressView(m *dialog.Progress, height int) string {
	return ansi.Strip(m.View(page.Frame{Width: 80, Height: height, Theme: style.NewTheme(true, colorprofile.TrueColor)}))
}

func labels(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("key-%02d", i)
	}
	return out
}

func TestWorkIsStoppedOnce(t *testing.T) {
	t.Parallel()
	esc, enter := tea.KeyPressMsg{Code: tea.KeyEscape}, tea.KeyPressMsg{Code: tea.KeyEnter}
	m := dialog.NewProgress("Revoking", labels(3), stop{})
	m.Set(0, dialog.Running, "")
	if done, answer := m.Update(enter); done || answer != nil {
		t.Error("enter does something while the work goes on")
	}
	if done, answer := m.Update(esc); done || answer != (stop{}) {
		t.Errorf("esc answers %v, %v", done, answer)
	}
	if done, answer := m.Update(esc); done || answer != nil {
		t.Error("the work was stopped twice")
	}
	m.Set(0, dialog.Done, "")
	m.Finish("1 of 3", dialog.Line{Text: "You stopped it."})
	for _, want := range []string{"1 of 3", "✓ key-00", "– key-01", "You stopped it.", "[ Close ]"} {
		if !strings.Contains(progressView(m, 24), want) {
			t.Errorf("no %q in\n%s", want, progressView(m, 24))
		}
	}
	if done, _ := m.Update(enter); !done {
		t.Error("enter does not close")
	}
}

func TestWorkThatCannotBeStopped(t *testing.T) {
	t.Parallel()
	m := dialog.NewProgress("Revoking", labels(3), nil)
	if done, answer := m.Update(tea.KeyPressMsg{Code: tea.KeyEscape}); done || answer != nil {
		t.Error("it was stopped, or left")
	}
	if m.Keys()[0].Actions[0].Off == "" {
		t.Error("nothing says why not")
	}
}

// TestWhatRunsIsInSight runs more steps than the screen holds, and draws all of them
// within it.
func TestWhatRunsIsInSight(t *testing.T) {
	t.Parallel()
	m := dialog.NewProgress("Revoking", labels(60), stop{})
	for i := range 60 {
		progressView(m, 15) // what shows follows from the last drawing
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
	for range 60 {
		m.Update(tea.KeyPressMsg{Code: tea.KeyPgUp})
	}
	if got := progressView(m, 15); !strings.Contains(got, "key-00") {
		t.Errorf("it cannot be scrolled to the top:\n%s", got)
	}
}

func TestWorkEndsWithTheSession(t *testing.T) {
	t.Parallel()
	m := dialog.NewProgress("Revoking", labels(2), stop{})
	m.Set(0, dialog.Running, "")
	m.Outlive()
	if !strings.Contains(progressView(m, 24), "The session ended.") {
		t.Errorf("it does not say so:\n%s", progressView(m, 24))
	}
	m.Finish("2 of 2")
	m.Outlive()
	if strings.Contains(progressView(m, 24), "The session ended.") {
		t.Errorf("what was over before is not:\n%s", progressView(m, 24))
	}
}
