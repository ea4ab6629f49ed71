package ui

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/models/query"
	"pgtower/ui/page"
)

// The columns, the pane and its width are saved for every session.
func TestTheLayoutIsKept(t *testing.T) {
	t.Parallel()
	var saved []page.Layout
	var failure error
	begin := func(_ *backend, o *Options) {
		o.Layout.Operations = []string{"action", "created"}
		o.SaveLayout = func(l page.Layout) error {
			saved = append(saved, l)
			return failure
		}
	}
	play(t, 160, 30, begin, func(p *program) {
		p.sees("   ACTION")
		p.seesNot("STATUS")
		p.Press("c", "J", "enter")
		p.sees("   CREATED UTC")
		p.Press("d", "2", "d", "<")
		// Unchanged settings keep the values in the file.
		columns, pane, width := saved[0], saved[len(saved)-2], saved[len(saved)-1]
		if !slices.Equal(columns.Operations, []string{"created", "action"}) || columns.Pane != nil || columns.PaneWidth > 0 {
			t.Errorf("%+v", columns)
		}
		if pane.Operations != nil || pane.Pane == nil || !*pane.Pane || width.Operations != nil || width.Pane != nil || width.PaneWidth < 41 {
			t.Errorf("%+v, %+v", pane, width)
		}
		failure = errors.New("the disk is full")
		p.Press(">")
		p.sees("The layout lasts until you quit: the disk is full")
	})
}

// The demo keeps layout and views only until the end of the program, and shows that.
func TestTheDemoKeepsItsConfigurationToItself(t *testing.T) {
	t.Parallel()
	begin := func(b *backend, o *Options) {
		withOthers(b, o)
		o.SaveLayout = func(l page.Layout) error {
			t.Errorf("saved %+v", l)
			return nil
		}
		o.ViewText = func(v query.SavedView) string { return "the TOML of " + v.Name }
		o.SaveView = func(v query.SavedView) error {
			t.Errorf("saved %+v", v)
			return nil
		}
	}
	command := func(p *program, typed string) {
		p.Press(":")
		p.Type(typed)
		p.Press("enter")
	}
	play(t, 160, 30, begin, func(p *program) {
		columns := firstLine(p.screen(), "STATUS")
		command(p, "profile demo")
		p.Wait(time.Second)
		p.Press("c", "J", "enter")
		p.sees("   ACTION", "These columns last until you quit: the demo changes no file")
		command(p, "save view Mine")
		p.sees("Saved the view Mine until you quit", "The demo changes no file. To keep", "the TOML of Mine")
		p.Press("y")
		p.sees("copied the view Mine")
		p.Press("esc")
		command(p, "view Mine")
		command(p, "profile default")
		p.Wait(time.Second)
		if got := firstLine(p.screen(), "STATUS"); got != columns || got == "" {
			t.Errorf("the columns became %q", got)
		}
		command(p, "view Mine")
		p.sees("unknown view")
	})
}

func firstLine(screen, with string) string {
	for line := range strings.Lines(screen) {
		if strings.Contains(line, with) {
			return line
		}
	}
	return ""
}

// Changes during a save are saved once, after it.
func TestLayoutKeeper(t *testing.T) {
	t.Parallel()
	var widths []int
	o := &Config{}
	o.SaveLayout = func(l page.Layout) error {
		widths = append(widths, l.PaneWidth)
		return nil
	}
	k, outbox := layoutKeeper{}, &page.Outbox{}
	cmd := k.save(o)
	for o.Layout.PaneWidth < 3 {
		if o.Layout.PaneWidth++; k.save(o) != nil {
			t.Error("two are kept at once")
		}
	}
	for cmd != nil {
		saved, _ := cmd().(layoutSaved)
		cmd = k.wasSaved(saved, o, outbox)
	}
	if !slices.Equal(widths, []int{0, 3}) {
		t.Errorf("kept %v", widths)
	}
}
