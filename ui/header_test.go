package ui_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/internal/play"
	"pgtower/models"
	"pgtower/ui"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"pgtower/ui/page"
	"pgtower/ui/style"
)

// firstLineOf returns the header as it is drawn.
func firstLineOf(p *play.Program) string {
	line, _, _ := strings.Cut(p.Screen(), "\n")
	return line
}

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
				header := firstLineOf(p)
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

// A profile with a color is named in that color, even the one without a name. A terminal without colors shows the name
// alone.
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
			header := firstLineOf(p)
			if !strings.Contains(header, "staging · console.example") || !strings.Contains(header, "✗ the service failed · next") {
				t.Errorf("at %d cells: %q", width, header)
			}
		})
	}
}

// Each part gives way before a more important one, so that the keys of the pages and the state are there at any width.
// What is recorded is the header of a long host with a personal key.
func TestHeadersOfALongHost(t *testing.T) {
	t.Parallel()
	var lines []string
	for _, state := range []string{"live", "paused", "limited", "read-only"} {
		prepare := func(b *play.Backend, o *ui.Options) {
			b.Simulate(mock.Options{Live: true, Organizations: 1})
			o.Name, o.BaseURL = "prod-eu", "https://pg-control.example.com:8443/api/v2"
			if state == "read-only" {
				b.ReadOnly = "the profile is read-only"
			}
		}
		play.Run(t, 200, 36, prepare, func(p *play.Program) {
			p.Wait(10 * time.Second)
			switch state {
			case "paused":
				p.Press("p")
			case "limited":
				p.Refuse(http.StatusTooManyRequests, 30*time.Second, "*")
				p.Wait(10 * time.Second)
			}
			for _, width := range []int{200, 120, 100, 92, 80, 70, 60, 50, 40} {
				p.Send(tea.WindowSizeMsg{Width: width, Height: 36})
				lines = append(lines, fmt.Sprintf("%-9s %3d│%s│", state, width, style.Fit(firstLineOf(p), width)))
			}
		})
	}
	play.Golden(t, "headers-long.golden", strings.Join(lines, "\n")+"\n")
}

// The live service needs no host beside the name or the kind of the key.
func TestHeaderOfTheLiveService(t *testing.T) {
	t.Parallel()
	prepare := func(b *play.Backend, o *ui.Options) {
		b.Simulate(mock.Options{Live: true, Organizations: 1})
		o.BaseURL = models.DefaultBaseURL
	}
	play.Loaded(t, 80, 24, prepare, func(p *play.Program) {
		header := firstLineOf(p)
		if strings.Contains(header, "neon") || !strings.Contains(header, "personal") {
			t.Errorf("it is %q", header)
		}
	})
}

// No countdown or age moves the tabs.
func TestHeaderStandsStill(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 120, 36, nil, func(p *play.Program) {
		p.Down = true
		p.Wait(12 * time.Second)
		tabs := func() int { return strings.Index(firstLineOf(p), "1 Operations") }
		first, moved := tabs(), 0
		for range 12 {
			p.Wait(time.Second)
			if tabs() != first {
				moved++
			}
		}
		if first < 0 || moved > 0 {
			t.Errorf("from cell %d the tabs moved %d times", first, moved)
		}
	})
}
