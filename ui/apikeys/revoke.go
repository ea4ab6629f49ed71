package apikeys

import (
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

// askAbout asks whether to revoke a key.
func (p *Page) askAbout(k models.APIKey, first ...dialog.Line) page.Dialog {
	warned := p.recorder.told()
	return p.open(func() (dialog.Question, string) { return p.questionAbout(k, first, warned) })
}

// questionAbout returns the question whether to revoke a key, and what it rests on.
func (p *Page) questionAbout(k models.APIKey, first []dialog.Line, warned bool) (q dialog.Question, rests string) {
	current, listed := p.keys.asOfNow(&k)
	lines := slices.Clone(first)
	if !listed {
		lines = append(lines, line(style.Waiting, "It is not listed now."))
	}
	asked := p.questions()
	q = asked.aboutOne(current, lines)
	q.Confirm = func() tea.Cmd { return p.revoke(k, warned, nil) }
	return q, asked.rests(&k)
}

// askAboutMarked asks whether to revoke the marked keys, or the only one of them that can be revoked.
func (p *Page) askAboutMarked() page.Dialog {
	marked, hidden := p.List().Marked(), p.List().MarkedHidden()
	s, cautions := p.questions().aboutSelection(marked, hidden)
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
	return p.open(func() (dialog.Question, string) { return p.questionAboutMarked(marked, hidden, warned) })
}

// questionAboutMarked returns the question whether to revoke the marked keys, and what it rests on.
func (p *Page) questionAboutMarked(marked []*models.APIKey, hidden int, warned bool) (q dialog.Question, rests string) {
	asked := p.questions()
	var current []*models.APIKey
	for _, k := range marked {
		key, _ := p.keys.asOfNow(k)
		current, rests = append(current, key), rests+asked.rests(k)+"\n"
	}
	s, cautions := asked.aboutSelection(current, hidden)
	q = asked.aboutMany(s.keys, cautions)
	q.Confirm = func() tea.Cmd { return p.startBatch(s.keys, warned) }
	return q, rests
}

// revoke revokes a key, alone or in a batch, in its list. warned is set if the user knows that the journal will not have it.
func (p *Page) revoke(k models.APIKey, warned bool, several *batch) tea.Cmd {
	performer := p.changing()
	flow := performer.Begin(keys.Change{Revoke: true, Key: k, Unrecorded: warned})
	p.keys.Began(&flow)
	p.reaudit()
	return p.perform(performer, flow, func(flow keys.Flow, _ error) tea.Cmd { return p.revoked(k, &flow, several) })
}

// revoked records the outcome of a revocation, and continues its batch or shows the outcome.
func (p *Page) revoked(k models.APIKey, f *keys.Flow, several *batch) tea.Cmd {
	if f.Err != nil {
		f.Err = p.words().notRevoked(&k, f.Err)
	}
	p.told(f)
	p.reaudit()
	r := p.keys.Revocations[k.Ref()]
	switch {
	case several != nil:
		return several.answered(r)
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
