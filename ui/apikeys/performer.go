package apikeys

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// performer returns a performer of changes of keys, with the service and the journal of this session.
func (p *Page) performer() *keys.Performer {
	performer := &keys.Performer{
		Service: p.service, Journal: p.recorder.journal, Store: p.rotations.store, Clock: p.options.Steady, Now: p.moment(),
	}
	if store := p.options.KeyStore; store != nil {
		performer.Check, performer.Verify = store.Check, store.Verify
	}
	return performer
}

// changing returns a performer for a change that begins now. It does not send the change while the service must not be asked.
func (p *Page) changing() *keys.Performer {
	performer := p.performer()
	performer.Held = p.session.Polls.Change(p.session.Now())
	return performer
}

// moment returns a clock that bounds the present of the service.
func (p *Page) moment() func() models.Moment {
	if p.options.Moment != nil {
		return p.options.Moment
	}
	now := p.session.Now
	skew := p.session.Skew
	return func() models.Moment { return models.At(now().Add(skew)) }
}

// perform performs the next task of a flow, unless the session ends meanwhile, and passes the result to done.
func (p *Page) perform(performer *keys.Performer, flow keys.Flow, done func(keys.Flow, error) tea.Cmd) tea.Cmd {
	return page.Call(p.session, page.APIKeys, func(ctx context.Context) (keys.Flow, error) {
		return performer.Perform(ctx, flow), nil
	}, done)
}

// told records the outcome of the request of a flow, and warns if the journal does not have it.
func (p *Page) told(f *keys.Flow) {
	p.session.Polls.Changed(f.Err, p.session.Now())
	p.recorder.answered(f.Err)
	warnOfJournal(p.session, f.Unwritten)
	p.keys.Told(f)
	p.rotations.know(f.Memory)
}

// handed records a later step of a new key. It warns if this step is the first that could not be written.
func (p *Page) handed(previous, f *keys.Flow) {
	if previous.Unwritten == nil {
		warnOfJournal(p.session, f.Unwritten)
	}
	if previous.Unremembered == nil && f.Old.ID != 0 {
		warnOfMemory(p.session, f.Unremembered)
	}
	p.rotations.know(f.Memory)
}

// warnOfJournal warns that the journal does not have the outcome of a change, if there is an error.
func warnOfJournal(s *page.Session, err error) {
	if err != nil {
		s.Notify(style.Waiting, "The journal does not have what came of this change: "+models.Clean(sentence(err)))
	}
}

// warnOfMemory warns that a rotation was not saved, if there is an error.
func warnOfMemory(s *page.Session, err error) {
	if err != nil {
		s.Notify(style.Waiting, "The rotation is remembered until you quit only: "+sentence(err))
	}
}

// decided records the changes without an answer that a list decided, even after the end of the session.
func (p *Page) decided(records []keys.Record) tea.Cmd {
	if len(records) == 0 {
		return nil
	}
	performer := p.performer()
	return p.session.DoAnyway(page.APIKeys, func(context.Context) (tea.Msg, func()) {
		_ = performer.Decided(records) // if it fails, the next list decides again
		return nil, nil
	})
}

// checkJournal checks whether the journal can be written. Another program may lock it, so this runs after each list.
func (p *Page) checkJournal() tea.Cmd {
	journal := p.recorder.journal
	if journal == nil {
		return nil
	}
	return page.Call(p.session, page.APIKeys, func(context.Context) (struct{}, error) {
		return struct{}{}, journal.Check()
	}, p.recorder.checked)
}
