// Command crashing is pgtower with deliberate panics, to test crashes: PGTOWER_CRASH is the location of the panic, F12
// triggers it, and PGTOWER_CRASH_WITH is its text.
package main

import (
	"context"
	"io"
	"os"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/internal/cli"
	"pgtower/keystore/keyenv"
	"pgtower/ui/page"
)

func main() {
	keyenv.RestoreTmux()
	os.Exit(cli.Run(context.Background(), cli.Process{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		LookupEnv: keyenv.LookupEnv, Clock: time.Now, ConfigDir: os.UserConfigDir,
		CacheDir: os.UserCacheDir,
		Wrap:     func(root tea.Model) tea.Model { return &crashTest{root, os.Getenv("PGTOWER_CRASH")} },
	}))
}

// crashTest wraps the program's root model and panics at one location.
type crashTest struct {
	tea.Model

	where string
}

func crash() { panic(os.Getenv("PGTOWER_CRASH_WITH")) }

// Init panics if it is the location.
func (c *crashTest) Init() tea.Cmd {
	if c.where == "init" {
		crash()
	}
	return c.Model.Init()
}

// Update panics, or returns a command that does, when F12 is pressed.
func (c *crashTest) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if k, ok := msg.(tea.KeyPressMsg); ok && k.Code == tea.KeyF12 {
		return c, c.begin()
	}
	_, cmd := c.Model.Update(msg)
	return c, cmd
}

// View panics if it is the location.
func (c *crashTest) View() tea.View {
	if c.where == "now view" {
		crash()
	}
	return c.Model.View()
}

func (c *crashTest) begin() tea.Cmd {
	switch c.where {
	case "view":
		c.where = "now view"
	case "command":
		return func() tea.Msg { crash(); return nil }
	case "worker":
		return inWorker
	case "loop":
		return tea.Exec(inLoop{}, nil)
	default:
		crash()
	}
	return nil
}

// inWorker panics on a goroutine of a command.
func inWorker() tea.Msg {
	var c page.PanicCatcher
	var workers sync.WaitGroup
	workers.Go(func() { crashCaught(&c) })
	workers.Wait()
	c.Deliver()
	return nil
}

// crashCaught panics where a catcher recovers it.
func crashCaught(c *page.PanicCatcher) {
	defer c.Catch()
	crash()
}

// inLoop panics in Bubble Tea's loop, which runs other programs.
type inLoop struct{}

// Run panics.
func (inLoop) Run() error { crash(); return nil }

// SetStdin does nothing.
func (inLoop) SetStdin(io.Reader) {}

// SetStdout does nothing.
func (inLoop) SetStdout(io.Writer) {}

// SetStderr does nothing.
func (inLoop) SetStderr(io.Writer) {}
