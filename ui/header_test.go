package ui_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"pgtower/ui/page"
	"pgtower/ui/style"
)

// On any size, the header shows read-only mode and, if the profile has a colour, its name.
func TestHeaderOfProduction(t *testing.T) {
	t.Parallel()
	for _, s := range []play.Size{play.At(40, 6), play.At(60, 15), play.At(80, 24), play.At(120, 36), play.At(200, 60)} {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			prepare := func(b *play.Backend, o *ui.Options) {
				b.ReadOnly = "the profile is read-only"
				o.Name, o.Color = "prod", "red"
			}
			play.Run(t, s.W, s.H, prepare, func(p *play.Program) {
				header, _, _ := strings.Cut(p.Screen(), "\n")
				for _, want := range []string{"prod", "read-only", " 1 ", "●"} {
					if !strings.Contains(header, want) {
						t.Errorf("%q is not in %q", want, header)
					}
				}
				if id, ok := p.Model.FirstTab(); !ok || id != page.Operations {
					t.Errorf("at the first tab is %v, %v", id, ok)
				}
			})
		})
	}
}

func TestHeaderHasTheColourOfTheProfile(t *testing.T) {
	t.Parallel()
	prepare := func(_ *play.Backend, o *ui.Options) { o.Name, o.Color = ui.Unnamed, "red" }
	play.Run(t, 80, 24, prepare, func(p *play.Program) {
		header, _, _ := strings.Cut(p.Model.View().Content, "\n")
		if want := p.Model.Theme().Open(style.Account) + " default · "; !strings.Contains(header, want) {
			t.Errorf("%q is not in %q", want, header)
		}
		p.Send(tea.ColorProfileMsg{Profile: colorprofile.ASCII})
		p.Sees(" default ")
	})
}

// The long form of a status, the names of other pages and the program's name give way before the host.
func TestHeaderKeepsTheHost(t *testing.T) {
	t.Parallel()
	for _, width := range []int{105, 120} {
		play.Run(t, width, 24, func(_ *play.Backend, o *ui.Options) { o.Name = "staging" }, func(p *play.Program) {
			p.Refuse(http.StatusInternalServerError, 0, "*")
			p.Wait(10 * time.Second)
			header, _, _ := strings.Cut(p.Screen(), "\n")
			if !strings.Contains(header, "staging · console.example") || !strings.Contains(header, "✗ the service failed · next") {
				t.Errorf("at %d cells: %q", width, header)
			}
		})
	}
}
