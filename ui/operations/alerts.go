package operations

import (
	"cmp"
	"maps"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/incident"
	"pgtower/models/naming"
	"pgtower/models/query"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// calm is the time between two alerts of a view: the second one includes everything found meanwhile.
const calm = 10 * time.Second

// alerts notify the user when an operation first matches an alerting view and when a watched one ends, whatever the screen
// shows.
type alerts struct {
	session *page.Session
	scope   *scope
	live    *live
	finders []*finder    // of the watches, of what recovered, and one of each alerting view
	failed  map[key]bool // the failures that were found: the user is told if one recovers
	most    int          // with more failures than this, some are forgotten
	facts   *query.Facts
	wait    page.Timer // until the next alert may be shown
	named   key        // the operation that the last alert named
	unnamed []*row     // operations that wait for the name of their branch, which a filter may use
	silent  incident.Acknowledged
	since   map[key]bool // the operations that views found since the user looked, without acknowledged failures
}

// finder collects the matches of a view, the ended watches, or what recovered.
type finder struct {
	view    query.SavedView // as the matcher has it
	matcher *feed.Matcher   // nil for the watches and for what recovered
	fresh   []*row          // found since the last alert
	told    time.Time       // when the last alert was shown
}

func newAlerts(session *page.Session, s *scope, l *live) *alerts {
	watches := &finder{view: query.SavedView{Name: "watched", Alert: true}}
	recoveries := &finder{view: query.SavedView{Name: "recovered"}}
	return &alerts{
		session: session, scope: s, live: l, finders: []*finder{watches, recoveries},
		failed: map[key]bool{}, most: leastFailed,
		silent: incident.Acknowledged{}, since: map[key]bool{},
	}
}

// alertsDue arrives when [calm] has passed.
type alertsDue struct{}

// receive finds the operations of an answer that views alert of.
func (a *alerts) receive(views []query.SavedView, answer feed.Answer) {
	a.facts = a.live.facts(a.scope)
	read := a.live.poller.Feed(answer.Project)
	if read == nil {
		return
	}
	for _, r := range answer.Change.Changed {
		k := key{Project: answer.Project, ID: r.After.ID}
		if a.failed[k] && r.After.Recovered() {
			delete(a.failed, k)
			a.recovered(a.row(answer.Project, r.After, answer.AsOf))
		}
	}
	if slices.ContainsFunc(views, alertsByNames) {
		a.await(answer)
	}
	for _, v := range views {
		if !v.Alerts() {
			continue
		}
		f := a.finder(v)
		if f.view.Filter != v.Filter || f.view.Project != v.Project {
			f.matcher.Restart(a.live.poller, a.matching(v))
		}
		f.view = v
		for _, op := range f.matcher.Receive(read, answer) {
			r := a.row(answer.Project, op, answer.AsOf)
			a.find(f, r)
			a.count(r)
		}
	}
	// The views come first: for them, a failure that was away for an hour is a new one.
	a.see(answer.Project, answer.Change.Added...)
	for _, r := range answer.Change.Changed {
		a.see(answer.Project, r.After)
	}
}

// mostUnnamed is the most operations that wait for names.
const mostUnnamed = 1000

// await keeps the operations of an answer whose branches have no known name yet.
func (a *alerts) await(answer feed.Answer) {
	ops := slices.Clone(answer.Change.News)
	for _, revised := range answer.Change.Changed {
		ops = append(ops, revised.After)
	}
	for _, op := range ops {
		r := a.row(answer.Project, op, answer.AsOf)
		if len(a.unnamed) < mostUnnamed && !named(r.Branch()) {
			a.unnamed = append(a.unnamed, r)
		}
	}
}

func alertsByNames(v query.SavedView) bool { return v.Alerts() && mayUseNames(v.Filter) }

// named reports whether a branch has a name, or no id.
func named(name naming.Name, id string) bool { return id == "" || name.Name != "" }

// renamed matches the waiting operations again, after new names came.
func (a *alerts) renamed() {
	a.facts = a.live.facts(a.scope)
	waiting := a.unnamed
	a.unnamed = nil
	for _, r := range waiting {
		r = a.row(r.Project, r.Op, r.AsOf)
		if !named(r.Branch()) && a.session.Now().Sub(r.AsOf) < unnamedFor {
			a.unnamed = append(a.unnamed, r)
			continue
		}
		for _, f := range a.finders {
			if f.matcher != nil && mayUseNames(f.view.Filter) && f.matcher.Again(r.Project, r.Op, r.AsOf) {
				a.find(f, r)
				a.count(r)
			}
		}
	}
}

// mostUnseen is the most operations that are counted until the user looks.
const mostUnseen = 10_000

// count counts an operation that a view found, once for all views, unless its failure is acknowledged.
func (a *alerts) count(r *row) {
	if !a.acknowledged(r) && len(a.since) < mostUnseen {
		a.since[r.key()] = true
	}
}

// unnamedFor is how long an operation waits for the name of its branch.
const unnamedFor = 5 * time.Minute

// finder returns the finder of the view with a name.
func (a *alerts) finder(v query.SavedView) *finder {
	for _, f := range a.finders {
		if f.matcher != nil && f.view.Named(v.Name) {
			return f
		}
	}
	f := &finder{view: v, matcher: feed.NewMatcher(a.live.poller, a.matching(v))}
	a.finders = append(a.finders, f)
	return f
}

// matching returns the filter of a view. A view without a project is of all projects.
func (a *alerts) matching(v query.SavedView) feed.Match {
	q, wrong := query.Parse(v.Filter, fields(a.live.timeline))
	return func(project string, op *models.Operation, asOf time.Time) bool {
		return wrong == nil && v.Of(project) && q.Match(a.row(project, op, asOf), a.session.Times.In(a.session.ServiceNow()))
	}
}

// row returns an operation as it was when it was requested.
func (a *alerts) row(project string, op *models.Operation, asOf time.Time) *row {
	r := newRow(a.facts, project, op)
	r.AsOf = asOf
	return r
}

// ended records that watched operations have ended.
func (a *alerts) ended(rows []*row) {
	for _, r := range rows {
		a.find(a.finders[0], r)
	}
}

func (a *alerts) find(f *finder, r *row) {
	f.fresh = append(f.fresh, r)
	if r.Op.Status.Failed() {
		a.failed[r.key()] = true
		a.forget()
	}
}

// leastFailed is the number of failures up to which none is forgotten.
const leastFailed = 10_000

// forget forgets the failures that are no longer loaded: nothing more is read of them.
func (a *alerts) forget() {
	if len(a.failed) <= a.most {
		return
	}
	maps.DeleteFunc(a.failed, func(k key, _ bool) bool { return !a.live.poller.Has(k) })
	a.most = max(leastFailed, 2*len(a.failed))
}

// recovered tells that a failed operation recovered, in place of the failure if that was not told yet.
func (a *alerts) recovered(r *row) {
	waits := false
	for _, f := range a.finders {
		i := slices.IndexFunc(f.fresh, func(o *row) bool { return o.key() == r.key() })
		if i >= 0 {
			f.fresh[i], waits = r, true
		}
	}
	if !waits {
		a.find(a.finders[1], r)
	}
}

// tell shows an alert about the matches of each view. It waits until the last alert of the view is [calm] ago.
func (a *alerts) tell() tea.Cmd {
	now, wait := a.session.Now(), time.Duration(0)
	for _, f := range a.finders {
		left := f.told.Add(calm).Sub(now)
		switch {
		case len(f.fresh) == 0:
		case left > 0 && left <= calm: // more is left if the clock was set back
			wait = min(cmp.Or(wait, left), left)
		default:
			news := a.list(f, f.fresh)
			f.fresh = nil
			if len(news) > 0 {
				f.told = now
				alert := a.alert(f, news)
				a.named = alert.Found[0].About
				a.session.Emit(alert)
			}
		}
	}
	if wait == 0 {
		return nil
	}
	return a.wait.Set(a.session, page.Operations, wait, alertsDue{})
}

// alert returns the alert about fresh matches.
func (a *alerts) alert(f *finder, rows []*row) page.Alert {
	slices.SortStableFunc(rows, func(a, b *row) int { return a.Op.UpdatedAt.Compare(b.Op.UpdatedAt) })
	out := page.Alert{
		Reason: f.view.Name, Tone: style.StatusOf(rows[0].Op).Tone, Rings: f.view.Alert,
		Run: f.view.Run,
	}
	for _, r := range rows {
		why, brief := when(r.Op.Error != "", ": "+r.Op.Error), r.title()+" "+a.result(r)
		if r.Op.Status.Failed() {
			brief = cmp.Or(r.Op.Error, brief)
		}
		if out.Text == "" {
			more := when(len(rows) > 1, ", +"+count(len(rows)-1)+" more")
			out.Text = a.outcome(r) + why + more
			if !slices.ContainsFunc(rows, func(other *row) bool { return other.Op.Error != r.Op.Error }) {
				out.Text = a.outcome(r) + more + why
			}
		}
		out.Found = append(out.Found, page.Found{
			Text: a.outcome(r) + why, Sign: style.StatusOf(r.Op), Subject: a.scope.name(r.Project),
			Brief: brief, About: r.target(), Values: r.values(),
		})
	}
	failures := f.view.Named(query.FailedView) && f.view.Filter == query.FailedQuery
	if f.matcher != nil && !failures { // the name of the view of failures would say no more than the text
		out.Text = f.view.Name + ": " + out.Text
	}
	return out
}

// outcome describes an operation's result: "✓ Create branch of storefront finished after 3s".
func (a *alerts) outcome(r *row) string {
	return style.StatusOf(r.Op).Glyph + " " + a.scope.operation(r) + " " + a.result(r)
}

// result describes how an operation ended: "finished after 3s".
func (a *alerts) result(r *row) string {
	switch {
	case r.Op.Gone:
		return "no longer exists in the service"
	case r.Op.Status.Failed():
		return string(models.StatusFailed)
	}
	found := cmp.Or(r.AsOf, a.session.Now()) // the alert may come later
	return written().result(r, a.session.Service(found))
}

// looked records that the user looked.
func (a *alerts) looked() { clear(a.since) }

// unseen counts the operations that views found since the user looked, for the title: "2 alerts since you looked · ", or "".
func (a *alerts) unseen() string {
	switch n := len(a.since); n {
	case 0:
		return ""
	case mostUnseen:
		return "≥" + count(n) + " alerts since you looked · "
	default:
		return style.Plural(n, "alert") + " since you looked · "
	}
}

// see updates the acknowledged failures with the operations of an answer.
func (a *alerts) see(project string, ops ...*models.Operation) {
	for _, op := range ops {
		operation := query.Operation{Op: op, Project: project, Facts: a.facts}
		a.silent.See(operation.Incident())
	}
}

// acknowledged reports whether the user knows about the failure of a row.
func (a *alerts) acknowledged(r *row) bool { return a.silent.Has(r.Incident()) }

// acknowledge silences failures until they were away for an hour.
func (a *alerts) acknowledge(failures map[incident.Failure]bool) {
	for failure := range failures {
		a.silent.Add(failure, a.session.ServiceNow())
	}
	a.session.Notify(style.Good, "✓ Acknowledged "+style.Plural(len(failures), "failure")+
		" (an error of an action in a project): views stay quiet until it was away for an hour or you quit")
}

// list adds the acknowledged failures to the list of alerts, without ringing, and returns the other rows.
func (a *alerts) list(f *finder, rows []*row) (news []*row) {
	var silenced []*row
	for _, r := range rows {
		if f.matcher != nil && a.acknowledged(r) {
			silenced = append(silenced, r)
		} else {
			news = append(news, r)
		}
	}
	if len(silenced) > 0 {
		alert := a.alert(f, silenced)
		alert.Reason, alert.Quiet = f.view.Name+", acknowledged", true
		a.session.Emit(alert)
	}
	return news
}
