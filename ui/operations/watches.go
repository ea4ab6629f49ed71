package operations

import (
	"fmt"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// watches are the operations whose end the user is told of.
type watches struct {
	*scope

	of map[key]bool
}

// keys are what the poller looks after.
func (w *watches) keys() []feed.Key {
	keys := make([]feed.Key, 0, len(w.of))
	for k := range w.of {
		keys = append(keys, feed.Key{Project: k.project, ID: k.id})
	}
	return keys
}

// toggle watches an operation until it ends, or no longer.
func (w *watches) toggle(r row) {
	k, title := r.key(), w.operation(r)
	switch {
	case w.of[k]:
		delete(w.of, k)
		w.session.Notify(style.Muted, "no longer watching "+title)
	case r.op.Done():
		w.session.Notify(style.Waiting, title+" already ended")
	default:
		w.of[k] = true
		w.session.Emit(page.Notice{Tone: style.Good, Text: "◉ watching " + title + ": you will be told when it ends"})
	}
}

// addAll watches the unfinished operations of a project that are shown.
func (w *watches) addAll(project string, t *feed.Timeline) {
	before, more, name := false, 0, w.name(project)
	for k := range w.of {
		before = before || k.project == project
	}
	for i := range t.Len() {
		op := t.At(i)
		if k := (key{project: project, id: op.ID}); t.ProjectAt(i) == project && !op.Done() && !w.of[k] && !models.NoID(op.ID) {
			w.of[k] = true
			more++
		}
	}
	switch {
	case more > 0:
		text := fmt.Sprintf("◉ watching %d more of %s: you will be told when they end", more, name)
		w.session.Emit(page.Notice{Tone: style.Good, Text: text})
	case before:
		w.session.Notify(style.Waiting, "all unfinished operations of "+name+" are watched already")
	default:
		w.session.Notify(style.Waiting, "Nothing is running in "+name)
	}
}

// take tells the user how operations ended that were watched.
func (w *watches) take(project string, c feed.Change) {
	for _, r := range c.Changed {
		k, op := key{project: project, id: r.After.ID}, r.After
		if !w.of[k] || !op.Done() {
			continue
		}
		delete(w.of, k)
		s := styleOf(op)
		text := s.glyph + " " + op.Action.Title() + " " + s.word
		if took := op.Took(w.session.ServiceNow()); took.Known && !op.Gone {
			text += " after " + style.Took(took.Value)
		}
		if op.Gone {
			text = s.glyph + " " + op.Action.Title() + " is gone: the service no longer knows it"
		}
		w.session.Emit(page.Alert{Tone: s.tone, Title: w.name(project), Text: text})
	}
}
