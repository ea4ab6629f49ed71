package dialog

import (
	"slices"
	"strings"
	"time"

	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	maxEvents = 1000             // the maximum number of lines
	similarIn = 10 * time.Minute // the longest pause between two similar events in one line
)

// Event is something that happened at a time, or several similar events in one line.
type Event struct {
	From, At time.Time // of the first and of the last one
	Times    int       // how many there are
	Sign     style.Status
	Subjects []string // names, or ids of projects
	Many     string   // names several subjects: "projects"
	Text     string   // the same for all similar events
	Apart    string   // also the same for all similar events, and not shown

	About   func() []Line // the last one in full
	Copied  *page.Copy    // the text to copy, or nil
	Target  string        // the place that it leads to, such as "the operation", or ""
	Nowhere string        // why it leads nowhere
	Follow  func()        // shows the target; nil if there is none
}

// inFull returns the text of the last event in full.
func (e *Event) inFull() string {
	var texts []string
	for _, line := range e.About() {
		texts = append(texts, line.Text)
	}
	return strings.Join(texts, " ")
}

// canCopy reports whether there is something to copy of an event, which may be nil.
func (e *Event) canCopy() bool { return e != nil && e.Copied != nil }

// similar reports whether a later event belongs in the same line.
func (e *Event) similar(later *Event) bool {
	return e.Text == later.Text && e.Sign == later.Sign && e.Apart == later.Apart && later.At.Sub(e.At) <= similarIn
}

// Events are what happened, the last one last.
type Events []*Event

// Add adds an event, or raises the count and the end of a similar one.
func (e *Events) Add(added *Event) {
	list := *e
	added.From, added.Times = added.At, 1
	for i, event := range slices.Backward(list) {
		if added.At.Sub(event.At) > similarIn {
			break
		}
		if event.similar(added) {
			added.From, added.Times = event.From, event.Times+1
			added.Subjects = union(event.Subjects, added.Subjects)
			*event = *added // an open list has the pointer
			added, list = event, slices.Delete(list, i, i+1)
			break
		}
	}
	list = append(list, added)
	*e = slices.Delete(list, 0, max(0, len(list)-maxEvents))
}

// union returns the texts, and those of the others that are not among them.
func union(texts, others []string) []string {
	out := slices.Clone(texts)
	for _, text := range others {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}
