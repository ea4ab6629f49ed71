package ui

import (
	"net/http"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"pgtower/ui/page"
	"pgtower/ui/style"
)

// On any size, the header shows read-only mode and, if the profile has a colour, its name.
func TestHeaderOfProduction(t *testing.T) {
	t.Parallel()
	for _, s := range []size{{40, 6}, {60, 15}, {80, 24}, {120, 36}, {200, 60}} {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			prepare := func(b *backend, o *Options) {
				b.readOnly = "the profile is read-only"
				o.Name, o.Color = "prod", "red"
			}
			play(t, s.w, s.h, prepare, func(p *program) {
				header, _, _ := strings.Cut(p.screen(), "\n")
				for _, want := range []string{"prod", "read-only", " 1 ", "●"} {
					if !strings.Contains(header, want) {
						t.Errorf("%q is not in %q", want, header)
					}
				}
				h := p.model.header()
				if id, ok := h.tabAt(h.tabs); !ok || id != page.Operations {
					t.Errorf("at the first tab is %v, %v", id, ok)
				}
			})
		})
	}
}

func TestColourOfTheProfile(t *testing.T) {
	t.Parallel()
	prepare := func(_ *backend, o *Options) { o.Name, o.Color = unnamed, "red" }
	play(t, 80, 24, prepare, func(p *program) {
		header := p.model.header().line
		if want := p.model.theme.Open(style.Account) + " default · "; !strings.Contains(header, want) {
			t.Errorf("%q is not in %q", want, header)
		}
		p.handle(tea.ColorProfileMsg{Profile: colorprofile.ASCII})
		p.sees(" default ")
	})
}

// The long form of a status, the names of other pages and the program's name give way before the host.
func TestHeaderKeepsTheHost(t *testing.T) {
	t.Parallel()
	for _, width := range []int{105, 120} {
		play(t, width, 24, func(_ *backend, o *Options) { o.Name = "staging" }, func(p *program) {
			p.refuse(http.StatusInternalServerError, 0, "*")
			p.Wait(10 * time.Second)
			header, _, _ := strings.Cut(p.screen(), "\n")
			if !strings.Contains(header, "staging · console.example") || !strings.Contains(header, "✗ the service failed · next") {
				t.Errorf("at %d cells: %q", width, header)
			}
		})
	}
}
