package apikeys

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// performer returns what performs changes of keys.
func (p *Page) performer() *keys.Performer {
	performer := &keys.Performer{
		Service: p.service, Journal: p.recorder.journal, Store: p.rotations.store, Clock: p.options.Steady, Now: p.moment(),
	}
	if store := p.options.KeyStore; store != nil {
		performer.Check, performer.Verify = store.Check, store.Verify
	}
	return performer
}

// changing returns what performs a change of a key now.
func (p *Page) changing() *keys.Performer {
	performer := p.performer()
	performer.Held = p.session.Polls.Change(p.session.Now())
	return performer
}

// moment returns what bounds the present by the service's clock.
func (p *Page) moment() func() models.Moment {
	if p.options.Moment != nil {
		return p.options.Moment
	}
	now := p.session.Now
	skew := p.session.Skew
	return func() models.Moment { return models.At(now().Add(skew)) }
}

// told records the outcome of the request of a flow, and tells if the journal does not have it.
func (p *Page) told(f *keys.Flow) {
	p.session.Polls.Changed(f.Err, p.session.Now())
	p.recorder.answered(f.Err)
	warnOfJournal(p.session, f.Unwritten)
	p.keys.Told(f)
	p.rotations.know(f.Memory)
}

// handed takes in what came of a new key after its request, and tells what is not written for the first time.
func (p *Page) handed(previous, f *keys.Flow) {
	if previous.Unwritten == nil {
		warnOfJournal(p.session, f.Unwritten)
	}
	if previous.Unremembered == nil && f.Old.ID != 0 {
		warnOfMemory(p.session, f.Unremembered)
	}
	p.rotations.know(f.Memory)
}

// warnOfJournal tells that the journal does not have what came of a change, if there is an error.
func warnOfJournal(s *page.Session, err error) {
	if err != nil {
		s.Notify(style.Waiting, "The journal does not have what came of this change: "+models.Clean(sentence(err)))
	}
}

// warnOfMemory tells that a rotation is not remembered, if there is an error.
func warnOfMemory(s *page.Session, err error) {
	if err != nil {
		s.Notify(style.Waiting, "The rotation is remembered until you quit only: "+sentence(err))
	}
}

// decided records what a list told of changes that had no answer, also after the session.
func (p *Page) decided(records []keys.Record) tea.Cmd {
	if len(records) == 0 {
		return nil
	}
	performer := p.performer()
	return p.session.DoAnyway(page.APIKeys, func(context.Context) (tea.Msg, func()) {
		_ = performer.Decided(records) // the next list decides again
		return nil, nil
	})
}

// checkJournal tries whether the journal can be written, beside the list: another program may hold it for a while.
func (p *Page) checkJournal() tea.Cmd {
	journal := p.recorder.journal
	if journal == nil {
		return nil
	}
	return page.Call(p.session, page.APIKeys, func(context.Context) (struct{}, error) {
		return struct{}{}, journal.Check()
	}, p.recorder.checked)
}
