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
type reader struct{ *Page }

// load reads all lists, as the user asked for.
func (p *Page) load() {
	p.learn()
	p.asked = true
	for _, of := range p.keys.all {
		of.wanted = true
	}
	p.put()
	p.session.Polls.Refresh(reader{p}, p.session.Now())
}

// read reads lists again that the key still reaches, also after a failure a moment ago.
func (p *Page) read(ids ...models.ListID) {
	for _, of := range p.keys.all {
		if slices.Contains(ids, of.id) {
			of.wanted = true
			p.session.Polls.Retry(subjectOf(of.id))
		}
	}
	p.put()
}

// put hands over what there is to read, and when.
func (p *Page) put() {
	for _, of := range p.keys.all {
		p.session.Polls.Put(reader{p}, of.id.Org, p.sources(of)...)
	}
}

// sources returns what there is to read of a list and its organization.
func (p *Page) sources(of *keyList) (sources []poll.Source) {
	switch from, due := p.nextRead(of); {
	case of.wanted:
		sources = append(sources, poll.Source{Subject: subjectOf(of.id), Lane: poll.User, Rank: poll.First})
	case due:
		sources = append(sources, poll.Source{Subject: subjectOf(of.id), Lane: poll.User, Rank: poll.Rest, From: from})
	}
	if p.needsMembers(of) {
		sources = append(sources, poll.Source{Subject: membersOf(of.id.Org), Lane: poll.Range, Rank: poll.Rest})
	}
	return sources
}

// nextRead returns when a list is read again by itself, if ever: as long as it may tell what became of a change that had no
// answer, and while keys of it are being replaced. A session that does not know what is shown reads nothing by itself.
func (p *Page) nextRead(of *keyList) (next time.Time, any bool) {
	if p.session.Shown == nil {
		return time.Time{}, false
	}
	steady := p.options.Steady()
	if due := p.keys.Due(of.id, steady); !due.IsZero() {
		next, any = p.session.Now().Add(due.Sub(steady)), true
	}
	if every := p.watchEvery(of); every > 0 {
		watched := p.session.Polls.Freshness(subjectOf(of.id)).Tried.Add(every)
		if !any || watched.Before(next) {
			next, any = watched, true
		}
	}
	return next, any
}

// watchEvery returns how often a list is read for what it shows of uses, or 0: while keys of it are being replaced, and while a
// view alerts.
func (p *Page) watchEvery(of *keyList) time.Duration {
	rotates := of.found != nil && of.found.Rotates()
	switch {
	case rotates && p.session.Shown() == page.APIKeys:
		return watchEvery
	case p.alerts():
		return watchAlerts
	case rotates:
		return watchRest
	}
	return 0
}

// Call returns the request for a list, or for members.
func (r reader) Call(s poll.Subject, now time.Time) (poll.Call, time.Time) {
	if s.Kind == membersKind {
		return r.callMembers(s.Of), time.Time{}
	}
	p, id := r.Page, models.ListID{Org: s.Of}
	of := p.keys.get(id)
	if of == nil {
		return nil, time.Time{} // it was dropped: the key reaches it no longer
	}
	if !of.wanted {
		if from, due := p.nextRead(of); !due || from.After(now) { // another page is shown by now
			return nil, from
		}
	}
	of.wanted = false
	service, clock := p.service, p.session.Now
	uses, sent, changes, performer := of.uses, p.keys.SentIDs(), p.rotations.changes, p.performer()
	asked, began, skew := p.options.Steady(), now, p.session.Skew
	watch := p.watch(id)
	return func(ctx context.Context) (any, error) {
		list, err := service.APIKeys(ctx, id)
		if err != nil {
			return nil, err
		}
		used := uses.Raise(list) // no answer between these two counts
		answer := keys.NewListed(id, list, asked)
		performer.Take(&answer, sent) // what it cannot read, the next change tells
		l := newListing(answer, clock().Add(skew))
		l.began, l.uses, l.changes = began, used, changes
		watch.take(&l)
		return l, nil
	}, time.Time{}
}

// Receive reads a list again that was not answered. What an answer tells, the page learns with [page.Answered].
func (r reader) Receive(a poll.Answer, now time.Time) {
	if a.Kind == membersKind {
		r.receiveMembers(a, now)
		r.put()
		return
	}
	of := r.keys.get(models.ListID{Org: a.Of})
	canceled := models.KindOf(a.Err) == models.KindCanceled
	if of != nil && !a.Late && (canceled || models.Passing(a.Err) && r.session.Shown != nil) {
		of.wanted = true
	}
	r.put()
}

// reading is how current the lists are.
func (p *Page) reading() *table.Reading {
	r, failed := table.Reading{Asked: p.asked}, 0
	for _, of := range p.keys.all {
		err := p.trouble(of)
		busy := of.wanted || p.session.Polls.Freshness(subjectOf(of.id)).Busy
		r.Busy = r.Busy || busy && (err == nil || p.asked) // trouble is shown, not that it is tried again
		if err != nil {
			failed++
			if r.Err == nil {
				r.Err = err
			}
		}
		if !of.good.IsZero() && (r.Last.IsZero() || of.good.Before(r.Last)) {
			r.Last = of.good
		}
	}
	if failed < len(p.keys.all) {
		r.Err = nil
	}
	if p.keys.Len() == 0 {
		r.Err = cmp.Or(r.Err, p.account.KeyListsErr()) // there may be keys nevertheless
	}
	return &r
}

// trouble returns why a list could not be read the last time, or why it is not asked for now; or nil.
func (p *Page) trouble(of *keyList) error {
	health := p.session.Polls.Health(p.session.Now())
	if of.err == nil && of.wanted && health.Silent > 0 {
		return models.Doing(health.Err, "list API keys")
	}
	return of.err
}

// begin reads what is remembered, and the lists of keys that were rotated: an old key may be able to go. While a view alerts,
// it reads all lists.
func (p *Page) begin() tea.Cmd {
	store := p.rotations.store
	return page.Call(p.session, page.APIKeys, func(context.Context) (keys.Memory, error) {
		return store.Load()
	}, func(known keys.Memory, _ error) tea.Cmd {
		var lists []models.ListID
		for _, r := range known.Rotations {
			if of := p.keys.get(r.Old.List); of != nil && of.good.IsZero() {
				lists = append(lists, of.id)
			}
		}
		for _, of := range p.keys.all {
			if p.alerts() && of.good.IsZero() {
				lists = append(lists, of.id)
			}
		}
		p.read(lists...)
		return nil
	})
}
