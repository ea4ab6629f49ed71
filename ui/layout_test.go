package ui_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	"pgtower/models/query"
	"pgtower/models/settings"
)

// The columns and the pane are saved for every session.
func TestLayoutIsKept(t *testing.T) {
	t.Parallel()
	var saved []settings.Layout
	var failure error
	begin := func(_ *play.Backend, o *ui.Options) {
		o.Layout.SetColumns("operations", []string{"action", "created"})
		o.SaveLayout = func(l settings.Layout) error {
			saved = append(saved, l)
			return failure
		}
	}
	play.Run(t, 160, 30, begin, func(p *play.Program) {
		p.Sees("   ACTION")
		p.SeesNot("STATUS")
		p.Press("c", "shift+down", "enter")
		p.Sees("   CREATED UTC")
		p.Press("d", "2", "d")
		// Unchanged settings keep the values in the file.
		columns, pane := saved[0], saved[len(saved)-1]
		if !slices.Equal(columns.Columns["operations"], []string{"created", "action"}) || columns.Pane != nil {
			t.Errorf("%+v", columns)
		}
		if pane.Columns != nil || pane.Pane == nil || !*pane.Pane {
			t.Errorf("%+v", pane)
		}
		failure = errors.New("the disk is full")
		p.Press("d")
		p.Sees("The layout lasts until you quit: the disk is full")
	})
}

// The demo keeps layout and views only until the end of the program, and shows that.
func TestLayoutOfTheDemoIsItsOwn(t *testing.T) {
	t.Parallel()
	begin := func(b *play.Backend, o *ui.Options) {
		play.WithOthers(b, o)
		o.SaveLayout = func(l settings.Layout) error {
			t.Errorf("saved %+v", l)
			return nil
		}
		o.ViewText = func(v query.SavedView) string { return "the TOML of " + v.Name }
		o.SaveView = func(v query.SavedView) error {
			t.Errorf("saved %+v", v)
			return nil
		}
	}
	play.Run(t, 160, 30, begin, func(p *play.Program) {
		columns, _, _ := strings.Cut(firstLine(p.Screen(), "STATUS"), "│") // beside the pane
		p.Command("profile demo")
		p.Wait(time.Second)
		p.Press("c", "shift+down", "enter")
		p.Sees("   ACTION", "These columns last until you quit: the demo changes no file")
		p.Command("save view Mine")
		p.Sees("Saved the view Mine until you quit", "The demo changes no file. To keep", "the TOML of Mine")
		p.Press("y")
		p.Sees("copied the view Mine")
		p.Press("esc")
		p.Command("view Mine")
		p.Command("profile default")
		p.Wait(time.Second)
		if got, _, _ := strings.Cut(firstLine(p.Screen(), "STATUS"), "│"); got != columns || got == "" {
			t.Errorf("the columns became %q", got)
		}
		p.Command("view Mine")
		p.Sees("unknown view")
	})
}

func firstLine(screen, with string) string {
	for line := range strings.Lines(screen) {
		if strings.Contains(line, with) {
			titles, _, _ := strings.Cut(line, "│") // without the pane
			return strings.TrimSpace(titles)
		}
	}
	return ""
}
