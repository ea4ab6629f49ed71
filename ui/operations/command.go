package operations

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// intervalWanted asks for another interval between polls.
type intervalWanted struct{ interval time.Duration }

// Commands are what the palette can do here, and from the other pages.
func (p *Page) Commands() []page.Command {
	out := []page.Command{
		{
			Name: "project", Title: "show the operations of a project", Arg: "name",
			Values: p.proposeProjects, Run: p.projectCommand,
		},
		{
			Name: "interval", Title: "change the time between polls", Arg: "2s",
			Values: func(typed string) []page.Value {
				var words []string
				for _, d := range intervals() {
					words = append(words, style.Every(d))
				}
				return page.Containing(words, typed)
			},
			Run: func(arg string) (tea.Msg, error) {
				d, err := time.ParseDuration(arg)
				steps := intervals()
				if least, most := steps[0], steps[len(steps)-1]; err != nil || d < least || d > most {
					return nil, fmt.Errorf("%q is not a time between %s and %s", arg, style.Every(least), style.Every(most))
				}
				return to(intervalWanted{d}), nil
			},
		},
		p.loadCommand(),
		p.windowCommand(),
	}
	if p.stats != nil {
		return append(out, p.stats.Commands()...)
	}
	return append(out, p.table.Commands()...)
}

// proposeProjects are the projects whose name or id contains what was typed.
func (p *Page) proposeProjects(typed string) []page.Value {
	typed = strings.ToLower(typed)
	var out []page.Value
	for _, project := range p.projects.Projects {
		if strings.Contains(strings.ToLower(project.Name), typed) || strings.Contains(project.ID, typed) {
			out = append(out, page.Value{Text: project.Name, Note: project.ID})
		}
	}
	return out
}

// projectCommand takes a name or an id, or the beginning of one that no other begins with.
func (p *Page) projectCommand(arg string) (tea.Msg, error) {
	var begin []models.Project
	for _, project := range p.projects.Projects {
		switch {
		case project.ID == arg, project.Name == arg:
			return page.ShowOperations{Project: project}, nil
		case arg != "" && strings.HasPrefix(strings.ToLower(project.Name), strings.ToLower(arg)):
			begin = append(begin, project)
		}
	}
	switch len(begin) {
	case 0:
		return nil, fmt.Errorf("there is no project %q", arg)
	case 1:
		return page.ShowOperations{Project: begin[0]}, nil
	}
	return nil, fmt.Errorf("%d projects begin with %q", len(begin), arg)
}
