package apikeys

import (
	"context"
	"fmt"
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

// rests returns what a question about a key rests on. That a key in use is used again changes nothing, and that of this session
// is used by pgtower itself.
func (p *Page) rests(k *models.APIKey) string {
	now, listed := p.asOfNow(k)
	q := p.questions()
	pair, canGo := q.canGo(now)
	_, phase, _ := p.audited().Replaced(now)
	use := ""
	switch {
	case p.keys.isOwn(now):
	case !now.LastUsedAt.Known:
		use = "unknown"
	case maybeInUse(now, q.now):
		use = "in use from " + now.LastUsedFromAddr
	default:
		use = now.LastUsedAt.Value.String()
	}
	return fmt.Sprint(listed, now.Name, now.Reach(), use, canGo, canGo && pair.Rests(), phase,
		p.keys.isOwn(now), p.keys.notRevocable(now))
}

// askAbout asks whether to revoke a key.
func (p *Page) askAbout(k models.APIKey, first ...dialog.Line) page.Dialog {
	warned := p.recorder.told()
	return p.open(func() (dialog.Question, string) {
		now, listed := p.asOfNow(&k)
		lines := slices.Clone(first)
		if !listed {
			lines = append(lines, line(style.Waiting, "It is not listed now."))
		}
		q := p.questions().aboutOne(now, lines)
		q.Confirm = func() tea.Cmd { return p.revoke(k, warned, nil) }
		return q, p.rests(&k)
	})
}

// askAboutMarked asks whether to revoke the marked keys, or the only one of them that can be revoked.
func (p *Page) askAboutMarked() page.Dialog {
	marked, hidden := p.List().Marked(), p.List().MarkedHidden()
	s, cautions := p.revocable(marked, hidden)
	switch len(s.keys) {
	case 0:
		return dialog.NewMessage("No keys to revoke", cautions)
	case 1:
		if len(cautions) > 0 {
			cautions = append(cautions, dialog.Line{})
		}
		return p.askAbout(*s.keys[0], cautions...)
	}
	warned := p.recorder.told()
	return p.open(func() (dialog.Question, string) {
		var now []*models.APIKey
		rests := ""
		for _, k := range marked {
			key, _ := p.asOfNow(k)
			now, rests = append(now, key), rests+p.rests(k)+"\n"
		}
		s, cautions := p.revocable(now, hidden)
		asked := p.questions().aboutMany(s.keys, cautions)
		asked.Confirm = func() tea.Cmd { return p.startBatch(s.keys, warned) }
		return asked, rests
	})
}

// revocable returns which of some keys can be revoked together, and the warnings about them.
func (p *Page) revocable(marked []*models.APIKey, hidden int) (selection, []dialog.Line) {
	q := p.questions()
	s := p.keys.selection(marked, q.canGo, q.now)
	mayBeOwn := slices.ContainsFunc(s.keys, q.words.mayBeOwn)
	return s, s.cautions(hidden, mayBeOwn)
}

// revoke revokes a key, alone or in a batch, in its list. warned is set if the user knows that it will not be recorded.
func (p *Page) revoke(k models.APIKey, warned bool, several *batch) tea.Cmd {
	performer := p.changing()
	flow := performer.Begin(keys.Change{Revoke: true, Key: k, Unrecorded: warned})
	p.keys.Began(&flow)
	p.reaudit()
	return page.Call(p.session, page.APIKeys, func(ctx context.Context) (keys.Flow, error) {
		return performer.Perform(ctx, flow), nil
	}, func(flow keys.Flow, _ error) tea.Cmd {
		if flow.Err != nil {
			flow.Err = p.words().notRevoked(&k, flow.Err)
		}
		p.told(&flow)
		p.reaudit()
		r := p.keys.Revocations[k.Ref()]
		if several != nil {
			return several.answered(r)
		}
		return p.revoked(k, r)
	})
}

func (p *Page) revoked(k models.APIKey, r keys.Revocation) tea.Cmd {
	switch {
	case r.State == keys.Unknown:
		p.changeFailed(k.List, r.Err)
		p.read(k.List)
		return nil
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
