package ui_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"
	"pgtower/ui/action"
	"pgtower/ui/page"
)

// The help of each page has all that can be done there, with its keys.
func TestHelpOfEachPage(t *testing.T) {
	t.Parallel()
	play.Speaking(t, play.WithOthers, func(p *play.Program) {
		for id := range page.Count {
			p.Press(strconv.Itoa(int(id) + 1))
			actions := (action.Page{Groups: action.Visible(p.Model.Offered())}).Actions()
			p.Heard()
			p.Press("?", "a")
			help := p.Heard()
			p.Press("esc")
			for _, a := range actions {
				if len(a.Keys) > 0 && !strings.Contains(help, ": "+a.Look().Title) {
					t.Errorf("the help of %s has not %q:\n%s", id.Name(), a.Look().Title, help)
				}
			}
		}
	})
}

// The sign-in form is recorded before and after a key was refused.
func TestScreensOfSignIn(t *testing.T) {
	t.Parallel()
	for _, s := range play.Sizes() {
		play.Run(t, s.W, s.H, func(b *play.Backend, _ *ui.Options) { b.NoKey = true }, func(p *play.Program) {
			p.Golden("signin-" + s.String())
			p.Enter("not-the-key")
			p.Golden("signin-refused-" + s.String())
		})
	}
}

// A screen that is too small says which size is needed, as far as there is room, and the program can be left.
func TestScreenTooSmall(t *testing.T) {
	t.Parallel()
	for _, s := range []play.Size{play.At(1, 1), play.At(5, 5), play.At(10, 3), play.At(30, 20), play.At(39, 40), play.At(200, 5)} {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			play.Run(t, s.W, s.H, nil, func(p *play.Program) {
				needs := map[int]string{1: "…", 5: "40×6", 10: "needs 40×6", 30: "pgtower needs 40×6"}[s.W]
				if needs == "" {
					needs = "pgtower needs 40×6, this is " + strings.ReplaceAll(s.String(), "x", "×")
				}
				if text := strings.TrimSpace(p.Screen()); text != needs {
					t.Errorf("%q instead of %q", text, needs)
				}
				p.Press("x", "r", "q")
				if !p.Over {
					t.Error("q does not quit")
				}
			})
		})
	}
}

// A dialog that the smallest screen has no room for is not shown, but can be left.
func TestScreenTooSmallForADialog(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 40, 6, nil, func(p *play.Program) {
		p.Press("3", "j", "x") // the driver would look for the dialog
		p.Sees("This needs 40×10. esc: back")
		p.Press("tab", "enter", "esc")
		p.Sees("▌ laptop-old")
		p.SeesNot("This needs")
	})
}

// The header is recorded once, for each state: the recordings of pages begin below it.
func TestHeaders(t *testing.T) {
	t.Parallel()
	var lines []string
	record := func(state string, prepare func(*play.Backend, *ui.Options), visit func(*play.Program)) {
		play.Run(t, 200, 36, prepare, func(p *play.Program) {
			visit(p)
			lines = append(lines, state+": "+p.Header())
		})
	}
	wait := func(seconds int) func(*play.Program) {
		return func(p *play.Program) { p.Wait(time.Duration(seconds) * time.Second) }
	}
	to := func(keys ...string) func(*play.Program) {
		return func(p *play.Program) { p.Wait(2 * time.Second); p.Press(keys...) }
	}
	down := func(b *play.Backend, o *ui.Options) { b.Down, o.Project = true, "floral-king-961888" }
	record("without a key", func(b *play.Backend, _ *ui.Options) { b.NoKey = true }, wait(0))
	record("loading", func(b *play.Backend, o *ui.Options) { play.InBusiest(b, o); b.Inject("latency=20s") }, wait(3))
	record("live", nil, wait(2))
	record("paused", nil, to("p"))
	record("late", nil, func(p *play.Program) { p.Wait(2 * time.Second); p.Down = true; p.Wait(12 * time.Second) })
	record("offline", nil, func(p *play.Program) { p.Wait(2 * time.Second); p.Down = true; p.Wait(time.Minute) })
	record("unreachable", down, wait(10))
	record("projects", nil, to("2"))
	record("projects, unreachable", down, to("2"))
	record("keys", nil, to("3"))
	record("keys, unreachable", down, to("3"))
	play.Golden(t, "headers.golden", strings.Join(lines, "\n")+"\n")
}
