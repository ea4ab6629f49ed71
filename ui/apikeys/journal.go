package apikeys

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/ui/dialog"
	"pgtower/ui/style"
)

// recorder knows whether changes can be recorded in the journal.
type recorder struct {
	journal keys.Journal // nil: there is none
	err     error        // the error of the last attempt to write it, or nil
}

// told reports whether dialogs have the warning now.
func (r *recorder) told() bool { return r.err != nil }

// warning returns the warning that a change will not be recorded, or "".
func (r *recorder) warning() string {
	if r.err == nil {
		return ""
	}
	return "The journal cannot be written, so it will not have this change: " + models.Clean(sentence(r.err))
}

// lines returns the warning as lines of a dialog.
func (r *recorder) lines() []dialog.Line {
	if r.err == nil {
		return nil
	}
	return []dialog.Line{line(style.Waiting, r.warning())}
}

// checked records the result of checking the journal.
func (r *recorder) checked(_ struct{}, err error) tea.Cmd {
	r.err = err
	return nil
}

// answered records the error of a change: the next dialog warns if the change was not sent because of the journal.
func (r *recorder) answered(err error) {
	failed, ok := errors.AsType[*keys.ErrJournal](err)
	if ok {
		r.err = failed.Err
	}
}
