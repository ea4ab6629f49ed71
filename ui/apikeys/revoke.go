package apikeys

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

func (p *Page) askToRevoke() {
	if p.List().CountMarked() > 0 {
		p.session.Open(p.askAboutMarked())
		return
	}
	k, ok := p.Choose()
	if ok {
		p.session.Open(p.askAbout(*k))
	}
}

// questions returns what asks before keys are revoked now.
func (p *Page) questions() *questions {
	return &questions{
		words: p.words(), now: p.session.ServiceNow(), always: p.options.AlwaysType,
		warning: p.recorder.lines(),
		recent: func(id models.ListID) bool {
			of := p.keys.get(id)
			return of != nil && p.session.Now().Sub(of.good) <= fresh
		},
	}
}

// askAbout asks whether to revoke a key.
func (p *Page) askAbout(k models.APIKey, first ...dialog.Line) page.Dialog {
	return p.confirm(k, p.questions().aboutOne(&k, first))
}

// confirm returns a dialog that revokes a key if the user says so.
func (p *Page) confirm(k models.APIKey, q dialog.Question) page.Dialog {
	told := p.recorder.told()
	q.Confirm = func() tea.Cmd { return p.revoke(k, told, nil) }
	return dialog.NewConfirm(q)
}

// askAboutMarked asks whether to revoke the marked keys, or the only one of them that can be revoked.
func (p *Page) askAboutMarked() page.Dialog {
	q, told := p.questions(), p.recorder.told()
	s := p.keys.selection(p.List().Marked(), func(k *models.APIKey) bool {
		_, ok := q.canGo(k)
		return ok
	}, q.now)
	mayBeOwn := slices.ContainsFunc(s.keys, q.words.mayBeOwn)
	cautions := s.cautions(p.List().MarkedHidden(), mayBeOwn)
	switch len(s.keys) {
	case 0:
		return dialog.NewMessage("No keys to revoke", cautions)
	case 1:
		if len(cautions) > 0 {
			cautions = append(cautions, dialog.Line{})
		}
		return p.askAbout(*s.keys[0], cautions...)
	}
	asked := q.aboutMany(s.keys, cautions)
	asked.Confirm = func() tea.Cmd { return p.startBatch(s.keys, told) }
	return dialog.NewConfirm(asked)
}

// revoke revokes a key, alone or in a batch, in its list. told is set if the user knows that it will not be recorded.
func (p *Page) revoke(k models.APIKey, told bool, of *batch) tea.Cmd {
	p.keys.Begin(k)
	p.reaudit()
	send := p.sender(told)
	type result struct {
		record    keys.Record
		unwritten error
	}
	return page.Call(p.session, page.APIKeys, func(ctx context.Context) (got result, err error) {
		send.Unwritten = func(err error) { got.unwritten = err }
		got.record, err = send.Revoke(ctx, k)
		return got, err
	}, func(got result, err error) tea.Cmd {
		p.recorder.answered(err)
		p.unwritten(got.unwritten)
		if err != nil {
			err = p.words().notRevoked(&k, err)
		}
		r := p.keys.Answered(k, got.record, err, p.session.Now())
		p.reaudit()
		if of != nil {
			return of.answered(r)
		}
		return p.revoked(k, r)
	})
}

func (p *Page) revoked(k models.APIKey, r keys.Revocation) tea.Cmd {
	switch {
	case r.State == keys.Unknown:
		p.changeFailed(k.List, r.Err)
		return p.read(k.List)
	case r.State == keys.Refusal:
		p.changeFailed(k.List, r.Err)
	case p.keys.isOwn(&k):
		p.session.Emit(page.SignOut{Reason: "You revoked the key of this session, " + k.Name + "."})
	default:
		p.failed = failedChange{}
		p.Unmark(rowOf(k.Ref()))
		p.session.Notify(style.Good, "✓ revoked "+k.Name)
	}
	return nil
}
