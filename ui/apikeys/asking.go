package apikeys

import (
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// questions returns what asks before keys are revoked now.
func (p *Page) questions() *questions {
	return &questions{
		words: p.words(), now: p.session.ServiceNow(), steady: p.options.Steady(), warning: p.recorder.lines(),
	}
}

// asking is a question about keys that is open. Its targets were captured when it was asked.
type asking struct {
	dialog *dialog.Confirm
	ask    func() (q dialog.Question, rests string) // the question as it is now, and what it rests on
	rests  string                                   // what the question on the screen rests on
}

// follow asks again if a list has changed what an open question said.
func (p *Page) follow() {
	a := p.asking
	switch {
	case a == nil:
		return
	case a.dialog.Done():
		p.asking = nil
		return
	}
	q, rests := a.ask()
	if rests == a.rests {
		return
	}
	a.rests = rests
	const changed = "What the list tells has changed since you were asked."
	q.Lines = append([]dialog.Line{line(style.Waiting, changed), {}}, q.Lines...)
	a.dialog.Ask(q)
}

// open asks a question that follows the lists.
func (p *Page) open(ask func() (dialog.Question, string)) page.Dialog {
	q, rests := ask()
	d := dialog.NewConfirm(q)
	p.asking = &asking{d, ask, rests}
	return d
}
