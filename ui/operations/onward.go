package operations

import (
	"cmp"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/moment"
	"pgtower/models/query"
	"pgtower/ui/action"
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
	began   time.Time // when the row to go back to began, or zero
}

// around is how long before and after an operation its neighbours begin.
const around = 10 * time.Minute

// narrowing is a filter for rows that have something in common with one.
type narrowing struct {
	id, title, note string
	filter          string // "" if no filter can have the value, as the note explains
}

// narrowTo returns the narrowing to rows with a value of a field. name is the value on the screen.
func narrowTo(id, value, name string) *narrowing {
	n := &narrowing{id, "same " + id, name, query.Exactly(id, value)}
	switch {
	case value == "":
		n.note = "unavailable, no " + id
	case n.filter == "":
		n.note = "unavailable, it contains a character that filters do not support"
	}
	return n
}

// narrowings returns the narrowings for a row, the last choice first.
func (o *onward) narrowings(r *row) []*narrowing {
	project := narrowTo("project", o.scope.name(r.Project), o.scope.name(r.Project))
	byID := query.Exactly("project_id", r.Project)
	switch {
	case o.scope.single():
		project.note, project.filter = "already shown", ""
	case byID != "" && (project.filter == "" || o.scope.shared(r.Project)):
		project.note, project.filter = o.scope.name(r.Project), byID
	}
	near := &narrowing{
		"time", "10 minutes before and after", "unavailable, the creation time is unknown", "",
	}
	began := r.Op.CreatedAt
	if !began.IsZero() {
		from, until := began.Add(-around), began.Add(around+time.Second) // a filter has whole seconds
		near.note = o.session.Times.Clock(from) + " to " + o.session.Times.Clock(until)
		near.filter = "after:" + moment.Write(o.session.Times.In(from)) + " before:" + moment.Write(o.session.Times.In(until))
	}
	branch, _ := r.Branch()
	compute, _ := r.Compute()
	narrowings := []*narrowing{
		narrowTo("branch", r.Op.BranchID, branch.Or(r.Op.BranchID)), narrowTo("endpoint", r.Op.EndpointID, compute.Or(r.Op.EndpointID)),
		project, narrowTo("action", string(r.Op.Action), string(r.Op.Action)), near,
	}
	slices.SortStableFunc(narrowings, func(a, b *narrowing) int { return number(b.id == o.last) - number(a.id == o.last) })
	return narrowings
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
			ID: n.id, Title: n.title, Note: n.note, Disabled: n.filter == "", Choose: action.With(o.narrow, n),
		})
	}
	o.session.Open(dialog.NewPicker("Related to "+o.scope.operation(r), items, first))
	return nil
}

func (o *onward) narrow(n *narrowing) tea.Cmd {
	o.last = n.id
	return o.filterBy(n.filter)
}

// filterBy filters, as a step.
func (o *onward) filterBy(filter string) tea.Cmd {
	if filter != o.list.table.Query() {
		o.step++
	}
	return o.list.filter(filter)
}
