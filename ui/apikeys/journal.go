package apikeys

import (
	"errors"

	"pgtower/models"
	"pgtower/models/keychange"
	"pgtower/ui/dialog"
	"pgtower/ui/style"
)

// journal returns the journal of a change that is about to be asked for: none if it cannot be written, of which the
// dialog then warns.
func (p *Page) journal() keychange.Journal {
	if p.unrecorded != nil {
		return nil
	}
	return p.options.Journal
}

// unrecordedWarning returns that a change will not be in the journal, or "".
func (p *Page) unrecordedWarning() string {
	if p.unrecorded == nil {
		return ""
	}
	return "The journal cannot be written, so it will not have this change: " + models.Clean(sentence(p.unrecorded))
}

// unrecordedLines returns the warning for a dialog.
func (p *Page) unrecordedLines() []dialog.Line {
	if said := p.unrecordedWarning(); said != "" {
		return []dialog.Line{line(style.Waiting, said)}
	}
	return nil
}

// refusedRecord takes in the error of a change: the next dialog warns if it was not sent because of the journal.
func (p *Page) refusedRecord(err error) {
	if failed, ok := errors.AsType[*keychange.ErrJournal](err); ok {
		p.unrecorded = failed.Err
	}
}
