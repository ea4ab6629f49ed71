package apikeys

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// recorder knows whether changes can be recorded in the journal.
type recorder struct {
	journal keys.Journal // nil: there is none
	err     error        // why it could not be written when that was last tried, or nil
}

// told reports whether a dialog that is opened now warns.
func (r *recorder) told() bool { return r.err != nil }

// warning returns that a change will not be recorded, or "".
func (r *recorder) warning() string {
	if r.err == nil {
		return ""
	}
	return "The journal cannot be written, so it will not have this change: " + models.Clean(sentence(r.err))
}

// lines returns the warning for a dialog.
func (r *recorder) lines() []dialog.Line {
	if r.err == nil {
		return nil
	}
	return []dialog.Line{line(style.Waiting, r.warning())}
}

// answered takes in the error of a change: the next dialog warns if it was not sent because of the journal.
func (r *recorder) answered(err error) {
	failed, ok := errors.AsType[*keys.ErrJournal](err)
	if ok {
		r.err = failed.Err
	}
}

// checkJournal tries whether the journal can be written, beside the list: another program may hold it for a while.
func (p *Page) checkJournal() tea.Cmd {
	journal := p.recorder.journal
	if journal == nil {
		return nil
	}
	return page.Call(p.session, page.APIKeys, func(context.Context) (struct{}, error) {
		return struct{}{}, journal.Check()
	}, func(_ struct{}, err error) tea.Cmd {
		p.recorder.err = err
		return nil
	})
}

// told records the outcome of the request of a flow, and tells if the journal does not have it.
func (p *Page) told(f *keys.Flow) {
	p.session.Polls.Changed(f.Err, p.session.Now())
	p.recorder.answered(f.Err)
	p.unwritten(f.Unwritten)
	p.keys.Told(f)
	p.know(f)
}

// handed takes in what came of a new key after its request, and tells what is not written for the first time.
func (p *Page) handed(previous, f *keys.Flow) {
	if previous.Unwritten == nil {
		p.unwritten(f.Unwritten)
	}
	if previous.Unremembered == nil && f.Old.ID != 0 {
		warnOfMemory(p.session, f.Unremembered)
	}
	p.know(f)
}

// unwritten tells why the journal does not have what came of a change, if there is an error.
func (p *Page) unwritten(err error) {
	if err != nil {
		p.session.Notify(style.Waiting, "The journal does not have what came of this change: "+models.Clean(sentence(err)))
	}
}

// warnOfMemory tells that a rotation is not remembered, if there is an error.
func warnOfMemory(s *page.Session, err error) {
	if err != nil {
		s.Notify(style.Waiting, "The rotation is remembered until you quit only: "+sentence(err))
	}
}

// know adds the memory of a flow.
func (p *Page) know(f *keys.Flow) {
	if f.Memory != nil {
		p.rotations.know(f.Memory)
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

// listed returns the keys of a list as last read.
func (p *Page) listed(id models.ListID) []models.APIKey {
	list := p.keys.get(id)
	if list == nil {
		return nil
	}
	return list.All
}
