package operations

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/query"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
)

// onward narrows the feed to rows that are related to one, or moves in time. Each is a step, from which the root leads
// back.
type onward struct {
	session *page.Session
	scope   *scope
	list    *list
	step    int
	last    string    // the id of the last narrowing
	jump    jump      // that is under way
	began   time.Time // when the row began that is gone back to, or zero
}

// around is how long before and after an operation its neighbours begin.
const around = 10 * time.Minute

// target returns the operation of a row, or nothing if it has no id.
func (r *row) target() key {
	if models.NoID(r.Op.ID) {
		return key{}
	}
	return r.key()
}

// narrowing is a filter for rows that have something in common with one.
type narrowing struct {
	id, title, note string
	filter          string // "" if it cannot be filtered by, which the note explains
}

// narrowings returns the narrowings for a row, the last choice first.
func (o *onward) narrowings(r *row) []*narrowing {
	same := func(id, value string) *narrowing {
		n := &narrowing{id, "same " + id, value, query.Exactly(id, value)}
		switch {
		case value == "":
			n.note = "unavailable, no " + id
		case n.filter == "":
			n.note = "unavailable, it contains a character that filters do not support"
		}
		return n
	}
	project := same("project", o.scope.name(r.Project))
	byID := query.Exactly("project_id", r.Project)
	switch {
	case !o.scope.all():
		project.note, project.filter = "already shown", ""
	case byID != "" && (project.filter == "" || o.scope.shared(r.Project)):
		project.note, project.filter = o.scope.name(r.Project), byID
	}
	near := &narrowing{"time", "10 minutes before and after", "unavailable, the creation time is unknown", ""}
	began := r.Op.CreatedAt
	if !began.IsZero() {
		from, to := began.Add(-around), began.Add(around+time.Second) // a filter has whole seconds
		near.note = o.session.Times.Clock(from) + " to " + o.session.Times.Clock(to)
		near.filter = "after:" + o.written(from) + " before:" + o.written(to)
	}
	all := []*narrowing{
		same("branch", r.Op.BranchID), same("endpoint", r.Op.EndpointID), project, same("action", string(r.Op.Action)), near,
	}
	slices.SortStableFunc(all, func(a, b *narrowing) int { return number(b.id == o.last) - number(a.id == o.last) })
	return all
}

// written formats a time for a filter, to the second: with an offset in the hour that is repeated when clocks go back.
func (o *onward) written(t time.Time) string {
	t = o.session.Times.In(t)
	text := t.Format(time.DateTime)
	read, _ := time.ParseInLocation(time.DateTime, text, t.Location())
	if read.Unix() != t.Unix() {
		return t.Format(time.RFC3339)
	}
	return text
}

// shared reports whether the name of a project is a part of another one's, which a filter would find, too.
func (s *scope) shared(project string) bool {
	name := strings.ToLower(s.name(project))
	for id, other := range s.names {
		if id != project && strings.Contains(strings.ToLower(other), name) {
			return true
		}
	}
	return false
}

// chooseRelated opens a picker of narrowings.
func (o *onward) chooseRelated(r *row) tea.Cmd {
	var items []*dialog.PickerItem
	first := ""
	for _, n := range o.narrowings(r) {
		if n.filter != "" {
			first = cmp.Or(first, n.id)
		}
		items = append(items, &dialog.PickerItem{
			ID: n.id, Title: n.title, Note: n.note, Disabled: n.filter == "", Choose: func() tea.Cmd {
				o.last = n.id
				return o.filterBy(n.filter)
			},
		})
	}
	o.session.Open(dialog.NewPicker("Related to "+o.scope.operation(r), items, first))
	return nil
}

// filterBy filters, as a step.
func (o *onward) filterBy(filter string) tea.Cmd {
	if filter != o.list.table.Query() {
		o.step++
	}
	return o.list.filter(filter)
}

// goTo goes to a time. It is a step at once, also if older operations have to be loaded first. Closing the groups is
// a step of its own, which stays if there is no operation to go to.
func (p *Page) goTo(at time.Time) tea.Cmd {
	p.onward.start(at, p.groups != nil)
	p.groups = nil
	p.load(need{at, forUser})
	p.session.Emit(page.ShowOperations{Project: p.scope.project})
	return p.live.poll()
}

// mayHaveOr matches every filter with an or outside of parentheses, and others, which parentheses do not change.
var mayHaveOr = regexp.MustCompile(`(?i)\bor\b`)

// showGroup shows the operations of the chosen group.
func (p *Page) showGroup() tea.Cmd {
	g, ok := p.groups.table.Choose()
	if !ok {
		return nil
	}
	filter := p.list.narrowed(filterFor(p.groups.as.by, g.Value))
	p.groups = nil
	return p.onward.filterBy(filter)
}

// ViewState returns the user's position. At the top of the feed, that is no row.
func (p *Page) ViewState() page.ViewState {
	t := p.list.table
	at := page.ViewState{
		Project: p.scope.project.ID, Step: p.onward.step, Query: t.Query(), Open: t.Opened(), Statistics: p.groups != nil,
	}
	if p.groups != nil {
		at.Row, at.Open = p.groups.table.ViewState().Row, p.groups.table.Opened()
		return at
	}
	k, restoring := t.List().Restoring()
	r, ok := t.List().Selected()
	switch {
	case restoring:
		at.Row, at.Began = k, p.onward.began
	case ok && r.line == nil && t.List().Held():
		at.Row = r.key()
		if r.Op != nil {
			at.Began = r.Op.CreatedAt
		}
	}
	return at
}

// showOperations shows the operations of a project, and restores an earlier position in them.
func (p *Page) showOperations(msg page.ShowOperations) (cmd tea.Cmd) {
	same, back := msg.Project.ID == p.scope.project.ID, msg.Back
	p.scope.project = msg.Project
	if !same {
		p.resetList()
		p.list.locate()
		cmd = tea.Batch(p.countViews(), p.live.poll())
	}
	if back == nil {
		return cmd
	}
	if back.Query != p.list.table.Query() {
		cmd = tea.Batch(cmd, p.list.filter(back.Query))
	}
	if same && back.Step == p.onward.step {
		return cmd
	}
	p.onward.step, p.groups, p.onward.jump = back.Step, nil, jump{}
	p.onward.began = back.Began
	switch {
	case back.Statistics:
		cmd = tea.Batch(cmd, p.openGroups())
		p.groups.table.Restore(back.Row, back.Open)
	case back.Row != key{}:
		p.list.goTo(back.Row, back.Open)
	default:
		cmd = tea.Batch(cmd, p.list.top())
	}
	return cmd
}
