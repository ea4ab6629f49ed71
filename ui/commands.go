package ui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pgtower/models"
	"pgtower/models/settings"
	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// Programs runs the user's programs, without an API key in their environment.
type Programs interface {
	// Terminal runs a program that uses the terminal until it ends. ended turns the result into a message.
	Terminal(ctx context.Context, args []string, ended func(error) tea.Msg) tea.Cmd
	// Run runs a program without the terminal until it ends, or with ctx, and returns the beginning of what it printed.
	Run(ctx context.Context, args []string) (output string, err error)
}

// actions declares the user's commands of each page. The keymap has their keys.
func (c *Config) actions(s *session) (groups [page.Count]action.Group) {
	for id := range groups {
		groups[id].Title = "Your commands"
	}
	for _, command := range c.Commands {
		a := &action.Action{
			ID: command.Name, Title: command.Name, Run: action.With(s.startProgram, &command),
		}
		if command.Footer {
			a.Footer = action.Shown
		}
		for id := range groups {
			if command.Page == page.ID(id).Name() {
				groups[id].Actions = append(groups[id].Actions, a)
			}
		}
	}
	return groups
}

// startProgram runs a command of the user on the selected row, after a confirmation if the command needs one.
func (s *session) startProgram(c *settings.Command) tea.Cmd {
	values := s.pages.front().ChosenValues()
	if values == nil {
		s.Notify(style.Waiting, "Can't run "+c.Name+": no row is selected")
		return nil
	}
	args, err := models.Arguments(c.Run, values, c.AllowDash)
	question := []string{""}
	if err == nil {
		question, err = models.Arguments([]string{c.Confirm}, values, true)
	}
	switch {
	case err != nil:
		s.Notify(style.Waiting, "Can't run "+c.Name+": "+err.Error())
	case c.Confirm == "":
		return s.runProgram(c, args)
	default:
		s.Open(dialog.NewConfirm(dialog.Question{
			Title: c.Name, Lines: []dialog.Line{{Text: question[0]}}, Verb: "Run",
			Confirm: func() tea.Cmd { return s.runProgram(c, args) },
		}))
	}
	return nil
}

func (s *session) runProgram(c *settings.Command, args []string) tea.Cmd {
	programs := s.options.Programs
	if c.Where != "background" && c.Where != "output" {
		var failure error
		notify := s.afterwards(func(context.Context) page.Effect { return endNotice(c.Name, failure, "") })
		return programs.Terminal(s.ctx, args, func(err error) tea.Msg {
			failure = err
			return tea.BatchMsg{resumed, notify}
		})
	}
	s.Notify(style.Muted, c.Name+" is running")
	return s.afterwards(func(ctx context.Context) page.Effect { return runAside(ctx, programs, c, args) })
}

// runAside runs a program without the terminal, and returns how it ended, with its output if the user wants to see it.
func runAside(ctx context.Context, programs Programs, c *settings.Command, args []string) page.Effect {
	output, err := programs.Run(ctx, args)
	if c.Where != "output" {
		return endNotice(c.Name, err, output)
	}
	viewed := programOutput{endNotice(c.Name, err, ""), linesOf(output)}
	return page.Open{Dialog: dialog.NewViewer(c.Name, viewed.wrapped)}
}

func resumed() tea.Msg { return tea.ResumeMsg{} }

// programOutput is the output of a program, below a line with its end.
type programOutput struct {
	end   page.Notice
	lines []string
}

func (o programOutput) wrapped(f page.Frame) []string {
	out := f.Theme.Paragraph(o.end.Tone, o.end.Text, f.Width)
	for _, line := range o.lines {
		out = append(out, style.Wrap(line, f.Width)...)
	}
	return out
}

// endNotice returns the notice for the end of a program, with the last line of its output.
func endNotice(name string, err error, output string) page.Notice {
	last := ""
	for _, line := range linesOf(output) {
		if strings.TrimSpace(line) != "" {
			last = ": " + line
		}
	}
	if err != nil {
		failed := "✗ " + name + " " + models.Clean(err.Error()) + last
		return page.Notice{Tone: style.Bad, Text: failed, Waits: true}
	}
	return page.Notice{Tone: style.Good, Text: "✓ " + name + " ended" + last, Waits: true}
}

// linesOf returns the lines of a program's output, cleaned.
func linesOf(output string) (lines []string) {
	for line := range strings.Lines(ansi.Strip(output)) {
		line = strings.ReplaceAll(strings.TrimRight(line, "\r\n"), "\t", "    ")
		lines = append(lines, models.Clean(line))
	}
	return lines
}
