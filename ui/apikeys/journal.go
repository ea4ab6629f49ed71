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

// unwritten tells that the journal does not have what came of a change, if there is an error.
func (p *Page) unwritten(err error) {
	if err != nil {
		p.session.Notify(style.Waiting, "The journal does not have what came of this change: "+models.Clean(sentence(err)))
	}
}

// decided records what a list told of changes that had no answer, also after the session.
func (r *recorder) decided(s *page.Session, all []keys.Record) tea.Cmd {
	if len(all) == 0 {
		return nil
	}
	send := keys.Send{Journal: r.journal}
	return s.DoAnyway(page.APIKeys, func(context.Context) (tea.Msg, func()) {
		send.Decided(all)
		return nil, nil
	})
}

// sender returns what sends a change. If the user was told that it will not be recorded, it is sent even then, but recording
// is tried every time; otherwise it is held back.
func (p *Page) sender(told bool) keys.Send {
	return keys.Send{Service: p.service, Journal: p.recorder.journal, Now: p.moment(), Unrecorded: told}
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
func (p *Page) listed(in models.ListID) []models.APIKey {
	list := p.keys.get(in)
	if list == nil {
		return nil
	}
	return list.All
}
