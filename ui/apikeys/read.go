package apikeys

import (
	"cmp"
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/models/poll"
	"pgtower/ui/page"
	"pgtower/ui/table"
)

// listKind is the kind of the subjects, see [poll.Subject]: each is a list of keys.
const listKind = "keys"

func subjectOf(id models.ListID) poll.Subject { return poll.Subject{Kind: listKind, Of: id.Org} }

// Shows reports whether answers about a subject are on the page.
func (p *Page) Shows(s poll.Subject) bool { return s.Kind == listKind }

// reader reads the lists of keys, and who belongs to their organizations: it is a [poll.Reader].
type reader struct{ page *Page }

// load reads all lists, as the user asked for.
func (p *Page) load() {
	p.learn()
	p.asked = true
	for _, list := range p.keys.all {
		list.wanted = true
	}
	reader{p}.put()
	p.session.Polls.Refresh(reader{p}, p.session.Now())
}

// read reads lists again that the key still reaches, also after a failure a moment ago.
func (p *Page) read(ids ...models.ListID) {
	for _, list := range p.keys.all {
		if slices.Contains(ids, list.id) {
			list.wanted = true
			p.session.Polls.Retry(subjectOf(list.id))
		}
	}
	reader{p}.put()
}

// put hands over what there is to read, and when.
func (r reader) put() {
	for _, list := range r.page.keys.all {
		r.page.session.Polls.Put(r, list.id.Org, r.sources(list)...)
	}
}

// sources returns what there is to read of a list and its organization.
func (r reader) sources(list *keyList) (sources []poll.Source) {
	switch from, due := r.nextRead(list); {
	case list.wanted:
		sources = append(sources, poll.Source{Subject: subjectOf(list.id), Lane: poll.User, Rank: poll.First})
	case due:
		sources = append(sources, poll.Source{Subject: subjectOf(list.id), Lane: poll.User, Rank: poll.Rest, From: from})
	}
	if r.page.members.areDue(list) {
		sources = append(sources, poll.Source{Subject: membersOf(list.id.Org), Lane: poll.Range, Rank: poll.Rest})
	}
	return sources
}

// nextRead returns when a list is read again by itself, if ever: as long as it may tell what became of a change that had no
// answer, and while keys of it are being replaced. A session that does not know what is shown reads nothing by itself.
func (r reader) nextRead(list *keyList) (next time.Time, ok bool) {
	p := r.page
	if p.session.Shown == nil {
		return time.Time{}, false
	}
	steady := p.options.Steady()
	if due := p.keys.Due(list.id, steady); !due.IsZero() {
		next, ok = p.session.Now().Add(due.Sub(steady)), true
	}
	if every := r.watchEvery(list); every > 0 {
		watched := p.session.Polls.Freshness(subjectOf(list.id)).Tried.Add(every)
		if !ok || watched.Before(next) {
			next, ok = watched, true
		}
	}
	return next, ok
}

// watchEvery returns how often a list is read for what it shows of uses, or 0: while keys of it are being replaced, and while a
// view alerts.
func (r reader) watchEvery(list *keyList) time.Duration {
	rotates := list.found != nil && list.found.Rotates()
	switch {
	case rotates && r.page.session.Shown() == page.APIKeys:
		return watchEvery
	case r.page.alerts():
		return watchAlerts
	case rotates:
		return watchRest
	}
	return 0
}

// Call returns the request for a list, or for members.
func (r reader) Call(s poll.Subject, now time.Time) (poll.Call, time.Time) {
	p := r.page
	list := p.keys.get(models.ListID{Org: s.Of})
	switch {
	case list == nil:
		return nil, time.Time{} // it was dropped: the key reaches it no longer
	case s.Kind == membersKind:
		return p.members.call(p.service, list), time.Time{}
	case !list.wanted:
		if from, due := r.nextRead(list); !due || from.After(now) { // another page is shown by now
			return nil, from
		}
	}
	list.wanted = false
	return p.newRequest(list, now).read, time.Time{}
}

// Receive reads a list again that was not answered. What an answer tells, the page learns with [page.Answered].
func (r reader) Receive(a poll.Answer, now time.Time) {
	p := r.page
	list := p.keys.get(models.ListID{Org: a.Of})
	canceled := models.KindOf(a.Err) == models.KindCanceled
	switch {
	case a.Kind == membersKind:
		p.members.receive(a, now)
	case list != nil && !a.Late && (canceled || models.Passing(a.Err) && p.session.Shown != nil):
		list.wanted = true
	}
	r.put()
}

// reading is how current the lists are.
func (r reader) reading() *table.Reading {
	p := r.page
	state, failed := table.Reading{Asked: p.asked}, 0
	for _, list := range p.keys.all {
		err := r.trouble(list)
		busy := list.wanted || p.session.Polls.Freshness(subjectOf(list.id)).Busy
		state.Busy = state.Busy || busy && (err == nil || p.asked) // trouble is shown, not that it is tried again
		if err != nil {
			failed++
			if state.Err == nil {
				state.Err = err
			}
		}
		if !list.good.IsZero() && (state.Last.IsZero() || list.good.Before(state.Last)) {
			state.Last = list.good
		}
	}
	if failed < len(p.keys.all) {
		state.Err = nil
	}
	if p.keys.Len() == 0 {
		state.Err = cmp.Or(state.Err, p.account.KeyListsErr()) // there may be keys nevertheless
	}
	return &state
}

// trouble returns why a list could not be read the last time, or why it is not asked for now; or nil.
func (r reader) trouble(list *keyList) error {
	session := r.page.session
	health := session.Polls.Health(session.Now())
	if list.err == nil && list.wanted && health.Silent > 0 {
		return models.Doing(health.Err, "list API keys")
	}
	return list.err
}

// readRemembered reads what is remembered, and the lists of keys that were rotated: an old key may be able to go. While a view
// alerts, it reads all lists.
func (r reader) readRemembered() tea.Cmd {
	store := r.page.rotations.store
	return page.Call(r.page.session, page.APIKeys, func(context.Context) (keys.Memory, error) {
		return store.Load()
	}, r.readRotated)
}

// readRotated reads the lists that were never read: those of rotated keys, and all of them while a view alerts.
func (r reader) readRotated(memory keys.Memory, _ error) tea.Cmd {
	p := r.page
	var lists []models.ListID
	for _, rotation := range memory.Rotations {
		if list := p.keys.get(rotation.Old.List); list != nil && list.good.IsZero() {
			lists = append(lists, list.id)
		}
	}
	for _, list := range p.keys.all {
		if p.alerts() && list.good.IsZero() {
			lists = append(lists, list.id)
		}
	}
	p.read(lists...)
	return nil
}
