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

// Shows reports whether the page shows answers about a subject.
func (p *Page) Shows(s poll.Subject) bool { return s.Kind == listKind }

// reader is a [poll.Reader] of the lists of keys and of the members of their organizations.
type reader struct{ page *Page }

// load reads all lists for the user.
func (p *Page) load() {
	p.learn()
	p.asked = true
	for _, list := range p.keys.all {
		list.wanted = true
	}
	reader{p}.put()
	p.session.Polls.Refresh(reader{p}, p.session.Now())
}

// read reads lists again, even if they failed a moment ago. It ignores lists that are gone.
func (p *Page) read(ids ...models.ListID) {
	for _, list := range p.keys.all {
		if slices.Contains(ids, list.id) {
			list.wanted = true
			p.session.Polls.Retry(subjectOf(list.id))
		}
	}
	reader{p}.put()
}

// put gives the poller everything that is to be read, and when.
func (r reader) put() {
	for _, list := range r.page.keys.all {
		r.page.session.Polls.Put(r, list.id.Org, r.sources(list)...)
	}
}

// sources returns the sources of a list and of its organization.
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

// nextRead returns when a list is read again by itself, if ever: as long as it may decide a change without an answer, and while
// its uses are watched. A session that does not know which page is shown reads nothing by itself.
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

// watchEvery returns how often a list is read to watch the uses of its keys: while keys are being replaced, and while a view
// alerts; or 0.
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
		return nil, time.Time{} // the list is gone
	case s.Kind == membersKind:
		return p.members.call(p.service, list), time.Time{}
	case !list.wanted:
		if from, due := r.nextRead(list); !due || from.After(now) { // the user went to another page
			return nil, from
		}
	}
	list.wanted = false
	return p.newRequest(list, now).read, time.Time{}
}

// Receive keeps a list wanted that was not answered. The page handles answers as [page.Answered].
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

// reading returns how current the lists are.
func (r reader) reading() *table.Reading {
	p := r.page
	limited := p.session.Polls.Health(p.session.Now()).Limited
	state, failed := table.Reading{Asked: p.asked, Limited: limited}, 0
	for _, list := range p.keys.all {
		err := r.trouble(list)
		busy := list.wanted || p.session.Polls.Freshness(subjectOf(list.id)).Busy
		state.Busy = state.Busy || busy && (err == nil || p.asked) // the error is shown rather than the next attempt
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

// trouble returns why a list could not be read the last time, or why it is not requested now; or nil.
func (r reader) trouble(list *keyList) error {
	session := r.page.session
	health := session.Polls.Health(session.Now())
	if list.err == nil && list.wanted && health.Silent > 0 {
		return models.Doing(health.Err, "list API keys")
	}
	return list.err
}

// readRemembered loads the remembered rotations, then the lists of their keys: an old key may be able to go. While a view alerts,
// it reads all lists.
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
