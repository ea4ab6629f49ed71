package projects

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/style"
)

// pinMark stands before the name of a pinned project.
const pinMark = "★ "

// isPinned reports whether a project is pinned, on any goroutine: the filter asks, too.
func (p *Page) isPinned(project *models.Project) bool { return (*p.pinned.Load())[project.ID] }

// setPinned takes over what the profile pins, as much of it as may be pinned.
func (p *Page) setPinned(ids []string) {
	pinned, most := map[string]bool{}, p.options.Feed.MaxPinned()
	for _, id := range ids {
		if len(pinned) < most {
			pinned[id] = true
		}
	}
	p.pinned.Store(&pinned)
	if len(pinned) == most && len(ids) > most {
		p.session.Tell(style.Waiting, fmt.Sprintf("Pinned only the first %d of %d projects: %s.", most, len(ids), p.pinLimit()))
	}
}

// pinLimit says why no more projects can be pinned.
func (p *Page) pinLimit() string {
	o := p.options.Feed
	return fmt.Sprintf("the budget of %d requests a second can ask no more every %s", o.Budget, style.Every(o.Interval))
}

// togglePin pins the selected project for this session, or unpins it.
func (p *Page) togglePin() tea.Cmd {
	project, ok := p.table.Choose()
	if !ok {
		return nil
	}
	pinned := maps.Clone(*p.pinned.Load())
	done := "Pinned "
	switch {
	case pinned[project.ID]:
		delete(pinned, project.ID)
		done = "Unpinned "
	case len(pinned) >= p.options.Feed.MaxPinned():
		p.session.Notify(style.Waiting, fmt.Sprintf(
			"Cannot pin %s: %d projects are pinned, and %s.", project.Name, len(pinned), p.pinLimit()))
		return nil
	default:
		pinned[project.ID] = true
	}
	p.session.Notify(style.Good, done+project.Name+"."+p.howToKeep(pinned))
	p.pinned.Store(&pinned)
	p.publish()
	return p.table.Refresh()
}

// howToKeep says what to write into the configuration to keep the pins.
func (p *Page) howToKeep(pinned map[string]bool) string {
	if p.options.Profile == "" {
		return ""
	}
	var ids []string
	for _, id := range slices.Sorted(maps.Keys(pinned)) {
		ids = append(ids, strconv.Quote(id))
	}
	return fmt.Sprintf(" To keep: pinned = [%s] in [profiles.%s] of config.toml.", strings.Join(ids, ", "), p.options.Profile)
}
