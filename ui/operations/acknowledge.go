package operations

import (
	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/incident"
	"pgtower/models/query"
	"pgtower/ui/style"
)

// see keeps what is acknowledged up to date with what an answer brought.
func (a *alerts) see(project string, ops ...*models.Operation) {
	for _, op := range ops {
		one := query.Operation{Op: op, Project: project, Facts: a.facts}
		a.known.See(one.Place())
	}
}

// acknowledged reports whether the user knows about the failure of a row.
func (a *alerts) acknowledged(r *row) bool { return a.known.Has(r.Place()) }

// list lists the acknowledged ones of some rows among the alerts, without ringing, and returns the others.
func (a *alerts) list(f *finder, rows []*row) (news []*row) {
	var known []*row
	for _, r := range rows {
		if f.matcher != nil && a.acknowledged(r) {
			known = append(known, r)
		} else {
			news = append(news, r)
		}
	}
	if len(known) > 0 {
		alert := a.alert(f, known)
		alert.Reason, alert.Quiet = f.view.Name+", acknowledged", true
		a.session.Emit(alert)
	}
	return news
}

// failures returns the failures of the chosen group, or that of the selected operation.
func (p *Page) failures() (out map[incident.Failure]bool) {
	out = map[incident.Failure]bool{}
	if p.groups == nil {
		r, ok := p.list.selected()
		if ok && r.Op.Status.Failed() {
			out[incident.FailureOf(r.Place())] = true
		}
		return out
	}
	g, ok := p.groups.table.List().Selected()
	if !ok {
		return out
	}
	for o := range p.list.countedPlaces() {
		if o.Status.Failed() && p.groups.as.by.Of(o) == g.Value {
			out[incident.FailureOf(o)] = true
		}
	}
	return out
}

// acknowledge silences the failures of the chosen group, or of the selected operation, until they were away for an hour.
func (p *Page) acknowledge() tea.Cmd {
	all := p.failures()
	if len(all) == 0 {
		p.session.Notify(style.Waiting, "Nothing failed here: there is nothing to acknowledge")
		return nil
	}
	for failure := range all {
		p.alerts.known.Add(failure, p.session.ServiceNow())
	}
	p.session.Notify(style.Good, "✓ Acknowledged "+style.Plural(len(all), "failure")+
		" (an error of an action in a project): views stay quiet until it was away for an hour or you quit")
	return nil
}
