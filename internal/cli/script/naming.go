package script

import (
	"context"
	"maps"
	"slices"
	"time"

	"golang.org/x/term"

	"pgtower/models"
)

// printsNames reports whether the names of branches and computes are printed: the table of a terminal has none, nor have other
// fields that are chosen.
func (from *Source) printsNames() bool {
	if chosen := from.options.Fields; len(chosen) > 0 {
		return slices.Contains(chosen, "branch_name") || slices.Contains(chosen, "endpoint_name")
	}
	table := !from.options.JSON && !from.options.CSV && !from.reports
	return !table || !term.IsTerminal(int(from.process.Stdout.Fd()))
}

// recallNames completes the names by the remembered ones, once.
func (from *Source) recallNames() {
	if from.Names != nil && !from.recalledNames {
		from.parts.Restore(from.Names.RecallNames())
	}
	from.recalledNames = true
}

// rememberNames remembers the names that the command was told.
func (from *Source) rememberNames() {
	if from.Names != nil && from.parts.Told() {
		from.Names.KeepNames(from.parts.Kept())
	}
}

// filterNames asks for the names of the projects that are listed if the filter uses them, and reports whether it does.
func (l *lister) filterNames(projects []models.Project) bool {
	branches, computes := l.filter.UsesNames()
	if !branches && !computes {
		return false
	}
	l.from.recallNames()
	l.wanted = map[string]bool{}
	for i := range projects {
		l.wanted[projects[i].ID] = computes || l.from.printsNames()
	}
	l.from.parts.Ask(l.wanted)
	return true
}

// needsNames asks for the names that lines lack, if names are printed, and reports whether they lack any.
func (l *lister) needsNames(lines []line) (needed bool) {
	if !l.from.printsNames() {
		return false
	}
	for _, record := range lines {
		needed = l.wantNames(record.project, record.Operation) || needed
		l.from.parts.See(record.project, record.Operation)
	}
	return needed
}

// wantNames asks for the names of a project if those of an operation are not known, and reports whether that is so.
func (l *lister) wantNames(project string, op *models.Operation) bool {
	if l.from.parts.Knows(project, op) {
		return false
	}
	if !l.wanted[project] {
		l.wanted = maps.Clone(l.wanted)
		if l.wanted == nil {
			l.wanted = map[string]bool{}
		}
		l.wanted[project] = true
		l.from.parts.Ask(l.wanted)
	}
	return true
}

// readNames waits for the names that were asked for, unless the service stops answering. Operations are not polled meanwhile, as
// they would take most of the requests.
func (l *lister) readNames(ctx context.Context) error {
	l.poller.Pause()
	defer l.poller.Resume()
	err := l.run(ctx, func(now time.Time) bool {
		return l.from.parts.Waiting() == 0 || l.stopped(now) || hungUp(l.from.process.Stdout)
	})
	for project := range l.wanted {
		if failed := l.from.parts.Err(project); failed != nil {
			l.from.sayOnce("the names of branches are missing: " + failed.Error())
			break
		}
	}
	return err
}

// seeNames asks for the names of an operation that is followed, for the lines to come.
func (l *lister) seeNames(project string, op *models.Operation) {
	if l.from.printsNames() {
		l.from.recallNames()
		l.wantNames(project, op)
	}
	l.from.parts.See(project, op)
}
