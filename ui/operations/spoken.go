package operations

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// Spoken says the feed in words, or its statistics, as of the same time as View.
func (p *Page) Spoken(f page.Frame) announce.Description {
	f = p.frozen(f)
	if p.stats != nil {
		scene := p.stats.Spoken(f, table.Said{
			ID: [2]any{page.Operations, "statistics"}, Name: "Statistics of " + p.scopeName(), Empty: noStatistics(f),
			Notes: []announce.Part{{Name: "about", Text: aboutStatistics(f)}},
		})
		scene.Over = true
		return scene
	}
	return p.table.Spoken(f, table.Said{
		ID: page.Operations, Name: "Operations", Scope: p.scope(), Summary: p.summary(f.Now), State: p.spokenState(f), Empty: p.words(f), Nothing: p.nothing(f),
		Trouble: p.trouble(f), Notes: p.spokenNotes(f), News: p.news(f.Now),
	})
}

// scope is whose operations these are.
func (p *Page) scope() announce.Part {
	name := "Project " + p.scopeName()
	if p.all() {
		name = style.Sentence(p.scopeName())
	}
	return announce.Part{Name: "scope", Key: "scope " + p.project.ID, Text: name}
}

// summary is what the strip says besides, without the trend. Its numbers are said once, so
// they wait until every project has been read that can be, and all of the window is loaded.
func (p *Page) summary(now time.Time) []string {
	asked := p.session.Now()
	if p.poller.Freshness(asked).State == feed.Loading || p.timeline.Read() == 0 || p.poller.Backfilling(asked) {
		return nil
	}
	return []string{p.spokenCounts(now), count(p.timeline.Loaded()) + " loaded"}
}

// spokenState is how current the feed is. It is said when that changes, not how the
// seconds pass.
func (p *Page) spokenState(f page.Frame) announce.Part {
	part, now := announce.Part{Name: "state"}, p.session.Now()
	again := " It is tried again on its own; " + announce.Key(f.Keys.Label(refreshKey())) + " tries now."
	if p.all() && p.projects.Err != nil && p.timeline.Read() == 0 {
		part.Text = "Offline." + again
		return part
	}
	if p.paused() {
		part.Text = "Paused. " + announce.Key(f.Keys.Label(pauseKey())) + " goes on."
		return part
	}
	ago := ""
	state := p.poller.Freshness(now)
	if !state.Oldest.IsZero() {
		ago = ": the last answer came " + style.Ago(state.Oldest, now)
	}
	switch state.State {
	case feed.Live:
		part.Text = "Live, read every " + style.DurationWords(p.poller.Interval()) + "."
		part.Key = "live " + p.poller.Interval().String()
	case feed.Late:
		part.Text, part.Key = "Late"+ago+"."+again, "late"
		if state.Projects > 1 {
			// There are more projects than the budget can ask within the bound.
			part.Text = fmt.Sprintf("%s: %s were read within %s, the oldest %s.", table.Plural(state.Projects, "project"),
				count(state.Fresh), style.DurationWords(p.poller.Bound()), style.Ago(state.Oldest, now))
		}
	case feed.Offline:
		part.Text, part.Key = "Offline"+ago+"."+again, "offline"
	case feed.Silent:
		part.Text, part.Key = "No answer"+ago+"."+again, "silent"
	case feed.Limited:
		part.Text, part.Key = "Rate limited by the service"+ago+".", "limited"
	case feed.Failing:
		part.Text, part.Key = style.Sentence(models.KindOf(state.Err).String())+again, "failing"
	case feed.Loading:
	}
	return part
}

// spokenNotes are what the line below the rows says. How many operations came since the
// person left the top is said when they ask: each of them was said as it came.
func (p *Page) spokenNotes(f page.Frame) []announce.Part {
	list, failed := p.table.List(), ""
	if n := p.failures.away; n > 0 {
		failed = ", " + count(n) + " failed"
	}
	if n := list.Arrivals(); n > 0 {
		return []announce.Part{{Name: "arrivals", Text: count(n) + " new above" + failed + ". " + announce.Key(f.Keys.Label(table.TopKey())) + " goes to the top.", Quiet: true}}
	}
	part := announce.Part{Name: "said", Text: p.said(f)}
	switch {
	case p.poller.Goal() != feed.Goal{}:
		// How far it is, whoever asks is told; that it has ended, a notice says.
		part.Key = "loading"
	case list.Arranged() && list.Len() == 0:
		return nil // it is said where the rows would be
	case list.Arranged() && part.Text != "":
		// How the time passes is not said.
		part.Key = fmt.Sprint("complete ", p.asked() > 0 && p.extent().back(f.Now) >= p.asked())
	}
	return []announce.Part{part}
}

// say is an operation in words, what it does and how that goes first.
func (p *Page) say(r row, now time.Time) string {
	if r.line != nil {
		return p.divider(*r.line, now)
	}
	if r.gap != nil && r.gap.Broken {
		return "history of " + p.name(r.project) + " stops here: the service's paging broke"
	}
	if r.gap != nil {
		return "operations of " + p.name(r.project) + " are missing here, and can be loaded"
	}
	o := r.op
	parts := []string{lookOf(o).word, o.Action.Title()}
	if p.all() {
		parts = append(parts, "project "+p.name(r.project))
	}
	if !o.CreatedAt.IsZero() {
		parts = append(parts, p.session.Times.Ago(o.CreatedAt, now))
	}
	if took := o.Took(now); took.Known && o.Done() {
		parts = append(parts, "took "+style.DurationWords(took.Value))
	}
	if unasked := p.facts.Load().unasked(r, now); unasked > 0 {
		parts = append(parts, "not asked for "+style.DurationWords(unasked))
	} else if p.facts.Load().slow(r, now) {
		parts = append(parts, "slow")
	}
	if n := int(o.FailuresCount); n > 0 {
		parts = append(parts, table.Plural(n, "failure"))
	}
	if p.watch[p.rows.Key(r)] {
		parts = append(parts, "watched")
	}
	if o.Damage != "" {
		parts = append(parts, "parts of it could not be read")
	}
	if p.partial(r) {
		parts = append(parts, "incomplete: others may be missing around it")
	}
	return strings.Join(parts, ", ")
}

// news are the operations that are marked as new or changed, as far as the filter shows
// them, the one that changed first at the front. The failure that a notice named was said.
func (p *Page) news(now time.Time) []announce.Event {
	type change struct {
		op    *models.Operation
		key   key
		added bool
	}
	var changes []change
	for k, c := range p.marks {
		i, ok := p.timeline.Find(k.project, k.id)
		if c == 0 || !ok || k == p.failures.named {
			continue
		}
		op := p.timeline.At(i)
		if p.table.List().Wanted(row{op: op, project: k.project}, now) {
			changes = append(changes, change{op, k, c == table.Added})
		}
	}
	slices.SortFunc(changes, func(a, b change) int {
		return cmp.Or(a.op.UpdatedAt.Compare(b.op.UpdatedAt), strings.Compare(a.key.id, b.key.id))
	})
	events := make([]announce.Event, len(changes))
	for i, c := range changes {
		word := lookOf(c.op).word
		said := word + ": " + c.op.Action.Title() + " of " + p.name(c.key.project)
		if c.added && !c.op.Done() {
			said = word + ", new: " + c.op.Action.Title() + " of " + p.name(c.key.project)
		}
		if took := c.op.Took(now); took.Known && c.op.Done() {
			said += " after " + style.DurationWords(took.Value)
		}
		if n := int(c.op.FailuresCount); n > 0 {
			said += ", " + table.Plural(n, "failure")
		}
		events[i] = announce.Event{Key: fmt.Sprint(c.key, word, c.op.FailuresCount), Kind: word, Text: said}
	}
	return events
}
