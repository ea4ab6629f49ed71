package apikeys

import (
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// questions returns the questions as of now.
func (p *Page) questions() *questions {
	return &questions{
		words: p.words(), now: p.session.ServiceNow(), steady: p.options.Steady(), warning: p.recorder.lines(),
	}
}

// asking is an open question about keys. Its targets never change.
type asking struct {
	dialog *dialog.Confirm
	ask    func() (q dialog.Question, rests string) // the question as of now, and the facts that it rests on
	rests  string                                   // the facts of the question on the screen
}

// follow asks an open question again if a list has changed the facts that it rests on.
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

// open asks a question, which is asked again if the lists change its facts.
func (p *Page) open(ask func() (dialog.Question, string)) page.Dialog {
	q, rests := ask()
	d := dialog.NewConfirm(q)
	p.asking = &asking{d, ask, rests}
	return d
}
