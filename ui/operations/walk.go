package operations

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/feed"
	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/query"
	"pgtower/ui/style"
)

// walk goes back to a time: once all operations since then are loaded, it selects the one that began last by then,
// unless the user stopped the load or selected another row meanwhile.
type walk struct {
	*history

	to     time.Time // or zero
	goal   feed.Goal // that is loaded for it, or zero if nothing was missing
	from   key       // the row that was selected
	chosen bool      // by the user
}

// since is the goal of everything since a time, with a bound for the memory.
func since(at time.Time) feed.Goal { return feed.Goal{Since: at, Count: maxLoad} }

func (w *walk) since(at time.Time) { w.load(since(at)) }

func (w *walk) start(at time.Time) {
	w.load(since(at))
	w.to, w.goal = at, w.poller.Goal()
	w.from, w.chosen = w.selected()
	w.session.Emit(page.ShowOperations{Project: w.project})
}

func (w *walk) stop() {
	w.to = time.Time{}
	w.history.stop()
}

func (w *walk) selected() (k key, chosen bool) {
	r, ok := w.table.Selected()
	if ok && w.table.Held() {
		return r.key(), true
	}
	return key{}, false
}

// arrive follows whatever was done, and reports whether it went to the time.
func (w *walk) arrive() bool {
	loading := w.goal != feed.Goal{} && w.poller.Goal() == w.goal
	if w.to.IsZero() || loading || !w.table.Settled() {
		return false
	}
	to := w.to
	w.to = time.Time{}
	from, chosen := w.selected()
	if from != w.from || chosen != w.chosen || !w.extent().covers(to) {
		return false // how far it is loaded was said
	}
	k, found := w.find(to)
	if !found {
		w.session.Report(style.Waiting, "No operation shown began by "+w.session.Times.At(to)+w.extent().except+".")
		return false
	}
	w.table.Restore(k, false)
	return true
}

// find returns the operation of the rows shown that began last by a time.
func (w *walk) find(at time.Time) (k key, found bool) {
	var last time.Time
	for r := range w.table.Matching() {
		if r.op == nil || r.op.CreatedAt.After(at) || !r.op.CreatedAt.After(last) {
			continue
		}
		k, last, found = r.key(), r.op.CreatedAt, true
		if !w.sorted() {
			break // the newest come first
		}
	}
	return k, found
}

// timeArg is a time in the past, in the zone of the screen. What is proposed says which that is.
func (p *Page) timeArg(example string, run func(at time.Time)) *action.Arg {
	const wanted = "is not a time such as 3d, 14:32, yesterday or 2026-11-20 09:00"
	parse := func(text string) (at, now time.Time, err error) {
		read, ok := query.Moment(text)
		if !ok {
			return at, now, fmt.Errorf("%q %s", text, wanted)
		}
		now = p.session.Times.In(p.session.ServiceNow())
		if at = read(now); at.After(now) {
			err = fmt.Errorf("%q is still to come", text)
		}
		return at, now, err
	}
	return &action.Arg{
		Example: example,
		Complete: func(typed string) (out []action.Value) {
			words := []string{"1h", "6h", "24h", "3d", "7d", "today", "yesterday"}
			if !slices.Contains(words, typed) {
				words = append([]string{typed}, words...)
			}
			for _, v := range action.Containing(words, typed) {
				if at, now, err := parse(v.Text); err == nil {
					out = append(out, action.Value{Text: v.Text, Note: p.session.Times.Stamp(at, now)})
				}
			}
			return out
		},
		Parse: func(text string) (func() tea.Cmd, error) {
			_, _, err := parse(text)
			return p.polled(func() {
				if at, _, err := parse(text); err == nil {
					run(at)
				}
			}), err
		},
	}
}
