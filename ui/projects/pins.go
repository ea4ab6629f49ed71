package projects

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// pinMark stands before the name of a pinned project.
const pinMark = "★ "

func pinKey() action.Action { return action.New("*", "pin", "*").Named("pin") }

// isPinned reports whether a project is pinned, on any goroutine: the filter asks, too.
func (p *Page) isPinned(project *models.Project) bool { return (*p.pinned.Load())[project.ID] }

// setPinned takes over what the profile pins, as much of it as may be pinned.
func (p *Page) setPinned(ids []string) tea.Cmd {
	pinned, max := map[string]bool{}, p.options.Feed.MaxPinned()
	for _, id := range ids {
		if len(pinned) < max {
			pinned[id] = true
		}
	}
	p.pinned.Store(&pinned)
	if len(pinned) == max && len(ids) > max {
		return page.Say(page.Notice{Tone: style.Waiting, Text: fmt.Sprintf(
			"Pinned only the first %d of %d projects: %s.", max, len(ids), p.pinLimit())})
	}
	return nil
}

// pinLimit says why no more projects can be pinned.
func (p *Page) pinLimit() string {
	return fmt.Sprintf("the budget of %d requests a second can ask no more every %s", p.options.Feed.Budget, style.Every(p.options.Feed.Interval))
}

// pin pins the selected project, or unpins it, for this session. The configuration is the
// user's to change.
func (p *Page) pin() tea.Cmd {
	project, ok := p.table.Choose()
	if !ok || models.NoID(project.ID) {
		return nil
	}
	pinned := maps.Clone(*p.pinned.Load())
	notice := page.Notice{Tone: style.Good, Here: true}
	switch {
	case pinned[project.ID]:
		delete(pinned, project.ID)
		notice.Text = "Unpinned " + project.Name + "." + p.toKeep(pinned)
	case len(pinned) >= p.options.Feed.MaxPinned():
		notice.Tone = style.Waiting
		notice.Text = fmt.Sprintf("Cannot pin %s: %d projects are pinned, and %s.", project.Name, len(pinned), p.pinLimit())
	default:
		pinned[project.ID] = true
		notice.Text = "Pinned " + project.Name + "." + p.toKeep(pinned)
	}
	p.pinned.Store(&pinned)
	p.session.Tell(notice)
	return tea.Batch(p.table.Refresh(), p.tell())
}

// toKeep says what to write into the configuration to keep the pins.
func (p *Page) toKeep(pinned map[string]bool) string {
	if p.options.Profile == "" {
		return ""
	}
	var ids []string
	for _, id := range slices.Sorted(maps.Keys(pinned)) {
		ids = append(ids, `"`+id+`"`)
	}
	return fmt.Sprintf(" To keep: pinned = [%s] in [profiles.%s] of config.toml.", strings.Join(ids, ", "), p.options.Profile)
}
