//go:build pgtower_crash

package cli

import (
	"sync"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/page"
)

// trap is the root with a way to make it panic: PGTOWER_CRASH says where, F12 when, and
// PGTOWER_CRASH_WITH what it says. It is for the tests of what happens then.
type trap struct {
	tea.Model

	where string
	panic func()
}

func (p Process) withTrap(root tea.Model) tea.Model {
	with := p.Getenv("PGTOWER_CRASH_WITH")
	return &trap{root, p.Getenv("PGTOWER_CRASH"), func() { panic(with) }}
}

func (t *trap) Init() tea.Cmd {
	if t.where == "init" {
		t.panic()
	}
	return t.Model.Init()
}

func (t *trap) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if k, ok := msg.(tea.KeyPressMsg); ok && k.Code == tea.KeyF12 {
		return t, t.spring()
	}
	_, cmd := t.Model.Update(msg)
	return t, cmd
}

func (t *trap) View() tea.View {
	if t.where == "now view" {
		t.panic()
	}
	return t.Model.View()
}

func (t *trap) spring() tea.Cmd {
	command := func() tea.Msg { t.panic(); return t.where }
	switch t.where {
	case "view":
		t.where = "now view"
	case "command":
		return command
	case "batch":
		return tea.Batch(command, command)
	case "deep batch":
		return tea.Batch(command, func() tea.Msg { return tea.BatchMsg{command, command} })
	case "worker":
		return t.share
	case "loop":
		return tea.Exec(pause(func() error { t.panic(); return nil }), nil)
	default:
		t.panic()
	}
	return nil
}

// share panics on a goroutine that works for a command.
func (t *trap) share() tea.Msg {
	var c page.PanicCatcher
	var workers sync.WaitGroup
	workers.Go(func() {
		defer c.Catch()
		t.panic()
	})
	workers.Wait()
	c.Deliver()
	return nil
}
