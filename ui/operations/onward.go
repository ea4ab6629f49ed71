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
	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
)

// onward narrows the feed to rows that are related to one. Each time is a step, from which the history leads back.
type onward struct {
	*state

	step int
	last string // the id of the last narrowing
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
	project := same("project", o.name(r.Project))
	switch byID := query.Exactly("project_id", r.Project); {
	case !o.all():
		project.note, project.filter = "already shown", ""
	case byID != "" && (project.filter == "" || o.shared(r.Project)):
		project.note, project.filter = o.name(r.Project), byID
	}
	near := &narrowing{"time", "10 minutes before and after", "unavailable, the creation time is unknown", ""}
	if began := r.Op.CreatedAt; !began.IsZero() {
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
	if read, _ := time.ParseInLocation(time.DateTime, text, t.Location()); read.Unix() != t.Unix() {
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
	o.session.Open(dialog.NewPicker("Related to "+o.operation(r), items, first))
	return nil
}

// filterBy filters, as a step.
func (o *onward) filterBy(filter string) tea.Cmd {
	if filter != o.table.Query() {
		o.step++
	}
	return o.table.SetQuery(filter)
}

// goTo goes to a time. It is a step at once, also if older operations have to be loaded first. Closing the statistics is
// a step of its own, which stays if there is no operation to go to.
func (p *Page) goTo(at time.Time) tea.Cmd {
	p.onward.step++
	p.jump.step = p.onward.step
	if p.statistics != nil {
		p.statistics, p.jump.step = nil, 0
	}
	p.load(need{at, forUser})
	p.jump.start(at)
	return p.poll()
}

// showActionAction declares what Enter does in the statistics: it shows the operations of a line.
func (p *Page) showActionAction() *action.Action {
	none := func() bool {
		if !p.counting() {
			return false
		}
		r, ok := p.statistics.table.Selected()
		return !ok || r.Action == ""
	}
	return &action.Action{
		ID: "action-operations", Title: "operations", Keys: []string{"enter"}, Footer: action.Leading,
		Hidden: func() bool { return !p.counting() }, Disabled: action.If(none, "no action is selected"), Run: p.showAction,
	}
}

// mayHaveOr matches every filter with an or outside of parentheses, and others, which parentheses do not change.
var mayHaveOr = regexp.MustCompile(`(?i)\bor\b`)

func (p *Page) showAction() tea.Cmd {
	r, ok := p.statistics.table.Choose()
	if !ok {
		return nil
	}
	filter := p.table.Query()
	if mayHaveOr.MatchString(filter) {
		q, _ := query.Parse(filter, fields(p.timeline))
		if filter = "(" + filter; q.Hint() == nil {
			filter += ")"
		}
	}
	p.statistics = nil
	// The last term may be unfinished, such as an open quote: it stays the last one.
	return p.onward.filterBy(strings.TrimSpace(query.Exactly("action", string(r.Action)) + " " + filter))
}

// ViewState returns the user's position. At the top of the feed, that is no row.
func (p *Page) ViewState() page.ViewState {
	place := page.ViewState{
		Project: p.project.ID, Step: p.onward.step, Query: p.table.Query(), Open: p.table.Opened(),
		Statistics: p.statistics != nil,
	}
	if p.statistics != nil {
		place.Row, place.Open = p.statistics.table.ViewState().Row, p.statistics.table.Opened()
	} else if k, ok := p.table.Restoring(); ok {
		place.Row = k
	} else if r, ok := p.table.Selected(); ok && r.line == nil && p.table.Held() {
		place.Row = r.key()
	}
	return place
}

// showOperations shows the operations of a project, and restores an earlier position in them.
func (p *Page) showOperations(msg page.ShowOperations) (cmd tea.Cmd) {
	same, back := msg.Project.ID == p.project.ID, msg.Back
	if p.project = msg.Project; !same {
		p.newTable()
		p.rows.place()
		cmd = tea.Batch(p.views.count(), p.poll())
	}
	if back == nil {
		return cmd
	}
	if back.Query != p.table.Query() {
		cmd = tea.Batch(cmd, p.table.SetQuery(back.Query))
	}
	if same && back.Step == p.onward.step {
		return cmd
	}
	p.onward.step, p.statistics, p.jump.to = back.Step, nil, time.Time{}
	switch {
	case back.Statistics:
		cmd = tea.Batch(cmd, p.toggleStatistics())
		p.statistics.table.Restore(back.Row, back.Open)
	case back.Row != key{}:
		p.table.Restore(back.Row, back.Open)
	default:
		cmd = tea.Batch(cmd, p.table.Top())
	}
	return cmd
}
