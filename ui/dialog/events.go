package dialog

import (
	"slices"
	"time"

	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	maxEvents = 1000             // how many are remembered, and how many are listed
	alikeFor  = 10 * time.Minute // the longest pause between two that are alike and in one line
)

// Event is something that happened at a time, or several alike in one line.
type Event struct {
	From, At time.Time // of the first and of the last of them
	Times    int
	Sign     style.Status
	Subjects []string // the names of what they are about, or ids of projects
	Many     string   // names several subjects: "projects"
	Text     string   // the same for all that are alike
	Apart    string   // also the same for all that are alike, and not shown

	About   func() []Line // the last one as a whole
	Copied  *page.Copy    // what is copied of it, or nil
	Target  string        // what it leads to, such as "the operation", or ""
	Nowhere string        // why it leads nowhere
	Follow  func()        // shows the target; nil if there is none
}

// alike reports whether an event goes on what another one is.
func (e *Event) alike(later *Event) bool {
	return e.Text == later.Text && e.Sign == later.Sign && e.Apart == later.Apart && later.At.Sub(e.At) <= alikeFor
}

// Events are what happened, the last one last.
type Events []*Event

// Add adds an event, or raises the count and the end of one that is like it.
func (e *Events) Add(added *Event) {
	list := *e
	added.From, added.Times = added.At, 1
	for i, event := range slices.Backward(list) {
		if added.At.Sub(event.At) > alikeFor {
			break
		}
		if event.alike(added) {
			added.From, added.Times = event.From, event.Times+1
			added.Subjects = union(event.Subjects, added.Subjects)
			*event = *added // a list that is open has it
			added, list = event, slices.Delete(list, i, i+1)
			break
		}
	}
	list = append(list, added)
	*e = slices.Delete(list, 0, max(0, len(list)-maxEvents))
}

// union returns texts with the others that are not among them.
func union(texts, others []string) []string {
	out := slices.Clone(texts)
	for _, text := range others {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}
