package naming

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pgtower/models"
	"pgtower/models/poll"
)

func epoch() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }

func refusal(status int) error {
	kinds := map[int]models.Kind{403: models.KindForbidden, 404: models.KindNotFound, 503: models.KindServer}
	return &models.Error{Kind: kinds[status], Status: status, Message: "no", Body: models.APIBody}
}

// part is a branch of a world.
type part struct {
	id, name         string
	created, deleted time.Time // deleted is zero while it is there
}

// answered is a list as it was answered in full.
type answered struct {
	asOf, asked time.Time // by the service's clock and by the program's
	names       map[string]string
	whole       bool
	pages       int
}

// try is when the first page of a list was asked for, and how many lists were answered before.
type try struct {
	at    time.Time
	lists int
}

// world is a service whose branches come, go, come back and are renamed, with a reader of their names.
type world struct {
	*Names

	t      *rapid.T
	poller *poll.Poller
	now    time.Time     // by the program's clock
	skew   time.Duration // how far the service's clock is ahead
	lag    time.Duration // how late lists are
	jitter time.Duration // how wrong the service's time of an answer is
	cut    bool          // lists end before their end, with damage
	err    error         // of every list; or nil
	parts  map[string][]*part
	made   int

	partial map[string]*answered // the pages so far, by project
	lists   map[string][]answered
	began   map[string]time.Time // of the newest operation of an id that was looked at, by the service's clock
	tries   map[string][]try
	wanted  map[string]bool
	flying  []poll.Request
}

func newWorld(t *rapid.T) *world {
	w := &world{
		t: t, poller: poll.New(50), now: epoch(), parts: map[string][]*part{}, partial: map[string]*answered{},
		lists: map[string][]answered{}, began: map[string]time.Time{}, tries: map[string][]try{},
		wanted: map[string]bool{},
		skew:   rapid.SampledFrom([]time.Duration{0, -7 * time.Minute, 90 * time.Minute}).Draw(t, "skew"),
	}
	w.poller.Next(w.now)
	w.Names = New(w.poller, w)
	for _, project := range []string{"p1", "p2"} {
		w.wanted[project] = true
		for range rapid.IntRange(0, 7).Draw(t, "branches") {
			w.create(project)
		}
	}
	w.want()
	return w
}

func (w *world) service() time.Time { return w.now.Add(w.skew) }

// listed returns the branches that a list has now.
func (w *world) listed(project string) (out []*part) {
	seen := w.service().Add(-w.lag)
	for _, p := range w.parts[project] {
		if !p.created.After(seen) && (p.deleted.IsZero() || p.deleted.After(seen)) {
			out = append(out, p)
		}
	}
	return out
}

// Branches implements [Service]. Its pages have two branches.
func (w *world) Branches(_ context.Context, project string, r models.PageRequest) (page models.Page[models.Branch], err error) {
	if w.err != nil {
		return page, w.err
	}
	list, from := w.listed(project), 0
	if r.Cursor != "" {
		from, _ = strconv.Atoi(r.Cursor)
	}
	page.Cursor, page.Limit, page.ServiceTime = r.Cursor, r.Limit, w.service().Add(w.jitter)
	for _, p := range list[min(from, len(list)):min(from+2, len(list))] {
		page.Items = append(page.Items, models.Branch{ID: p.id, Name: p.name})
	}
	if from+2 < len(list) {
		page.Next = strconv.Itoa(from + 2)
	}
	if w.cut && page.Next != "" {
		page.Next, page.Damage = "", "pagination"
	}
	return page, nil
}

// Endpoints implements [Service].
func (w *world) Endpoints(context.Context, string) (page models.Page[models.Endpoint], err error) {
	return page, errors.New("nobody wants computes here")
}

// ask sends the requests that are due: only for wanted lists.
func (w *world) ask() (wait time.Duration) {
	requests, wait := w.poller.Next(w.now)
	for _, r := range requests {
		if !w.wanted[r.Of] || r.Kind != Branches {
			w.t.Fatalf("asked for %v, and only %v is wanted", r.Subject, w.wanted)
		}
		if w.partial[r.Of] == nil || w.projects[r.Of].branches.reading == nil {
			w.tries[r.Of] = append(w.tries[r.Of], try{w.now, len(w.lists[r.Of])})
		}
	}
	w.flying = append(w.flying, requests...)
	return wait
}

// answer delivers the answer to a request, as the service is now.
func (w *world) answer(r poll.Request) {
	got := w.poller.Receive(r.Do(w.t.Context()), w.now)
	if got.Late {
		return
	}
	page, _ := got.Value.(models.Page[models.Branch])
	if got.Err == nil && page.Cursor == "" {
		w.partial[r.Of] = &answered{asOf: page.ServiceTime, asked: r.AsOf, names: map[string]string{}, whole: true}
	}
	if list := w.partial[r.Of]; got.Err == nil && list != nil {
		for _, b := range page.Items {
			list.names[b.ID] = b.Name
		}
		list.pages++
		list.whole = list.whole && page.Damage == "" && (page.Last() || list.pages < mostPages)
	}
	if list := w.partial[r.Of]; got.Err == nil && list != nil && (page.Last() || list.pages == mostPages) {
		w.lists[r.Of] = append(w.lists[r.Of], *list)
		w.partial[r.Of] = nil
	}
}

func (w *world) answerAll() {
	for len(w.flying) > 0 {
		r := w.flying[0]
		w.flying = w.flying[1:]
		w.answer(r)
		w.ask()
	}
}

// pass lets time go by, with all that is due and answered at once.
func (w *world) pass(d time.Duration) {
	for end := w.now.Add(d); w.now.Before(end); {
		wait := w.ask()
		if len(w.flying) > 0 {
			w.answerAll()
			wait = 0
		}
		w.now = w.now.Add(min(max(wait, time.Second), end.Sub(w.now)))
	}
}

// look looks at an operation of a branch that begins now.
func (w *world) look(project, id string, began time.Time) {
	began = began.Truncate(time.Second) // as the service's times are
	w.See(project, &models.Operation{ID: "op", BranchID: id, CreatedAt: began})
	if w.wanted[project] && began.After(w.began[id]) {
		w.began[id] = began
	}
}

// lastListed returns the last name that a list had for a branch, or "".
func (w *world) lastListed(project, id string) (name string, listed bool) {
	for _, list := range w.lists[project] {
		if called, has := list.names[id]; has {
			name = called
			listed = true
		} else if list.whole {
			listed = false
		}
	}
	return name, listed
}

// gone reports whether two lists prove that a branch is not listed any more.
func (w *world) gone(project, id string) bool {
	var first, last time.Time
	for _, list := range w.lists[project] {
		_, has := list.names[id]
		switch {
		case has:
			first, last = time.Time{}, time.Time{}
		case list.whole && list.asOf.After(w.began[id]):
			if first.IsZero() {
				first = list.asOf
			}
			last = list.asOf
		}
	}
	return !first.IsZero() && last.Sub(first) >= time.Minute
}

// check checks what is claimed of all that was made.
func (w *world) check() {
	for project, parts := range w.parts {
		ids := []string{"br-never-" + project}
		for _, p := range parts {
			ids = append(ids, p.id)
		}
		for _, id := range ids {
			name, listed := w.lastListed(project, id)
			called := w.Book().Branch(project, id)
			if called.Name != name {
				w.t.Fatalf("%s is called %q, and its last list has %q", id, called.Name, name)
			}
			if called.Gone && (listed || !w.gone(project, id)) {
				w.t.Fatalf("%s is claimed not to be listed any more:\n%+v", id, w.lists[project])
			}
		}
		w.checkTries(project)
	}
}

// checkTries checks that a list that was answered is asked for again after a minute at the earliest.
func (w *world) checkTries(project string) {
	tries := w.tries[project]
	for i := 1; i < len(tries); i++ {
		before, again := tries[i-1], tries[i]
		if again.lists > before.lists && again.at.Sub(before.at) < time.Minute {
			w.t.Fatalf("%s was asked for at %s, and again at %s", project, before.at, again.at)
		}
	}
}

// step changes something.
func (w *world) step() {
	project := rapid.SampledFrom([]string{"p1", "p2"}).Draw(w.t, "project")
	parts := w.parts[project]
	one := func() *part { return rapid.SampledFrom(parts).Draw(w.t, "branch") }
	switch does := rapid.SampledFrom([]string{
		"create", "create", "delete", "vanish", "remake", "rename", "look", "look", "look", "never", "want", "trouble", "pass", "pass", "pass",
		"answer", "answer", "answer one", "answer one", "refresh", "cut",
	}).Draw(w.t, "step"); {
	case does == "create":
		w.create(project)
	case does == "want":
		w.wanted[project] = !w.wanted[project]
		delete(w.partial, project) // a list that was left is begun again
		w.want()
	case does == "trouble":
		w.err = rapid.SampledFrom([]error{nil, nil, refusal(404), refusal(403), refusal(503)}).Draw(w.t, "error")
		w.jitter = rapid.SampledFrom([]time.Duration{0, time.Second, -5 * time.Second, 5 * time.Second}).Draw(w.t, "jitter")
		w.lag = rapid.SampledFrom([]time.Duration{0, 8 * time.Second, 30 * time.Second}).Draw(w.t, "lag")
	case does == "pass":
		w.ask()
		w.now = w.now.Add(rapid.SampledFrom([]time.Duration{
			time.Second, 5 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute, time.Hour,
		}).Draw(w.t, "time"))
	case does == "answer":
		w.ask()
		w.answerAll()
	case does == "answer one":
		w.ask()
		if len(w.flying) > 0 {
			r := w.flying[0]
			w.flying = w.flying[1:]
			w.answer(r)
		}
	case does == "cut":
		w.cut = !w.cut
	case does == "refresh":
		w.Refresh()
	case does == "never":
		w.look(project, "br-never-"+project, w.service())
	case len(parts) == 0:
	case does == "delete":
		if p := one(); p.deleted.IsZero() {
			p.deleted = w.service()
			w.look(project, p.id, w.service())
		}
	case does == "vanish": // nothing tells why
		if p := one(); p.deleted.IsZero() {
			p.deleted = w.service()
		}
	case does == "remake": // a deleted branch is made again, or restored
		if p := one(); !p.deleted.IsZero() {
			p.created, p.deleted = w.service(), time.Time{}
			w.look(project, p.id, w.service())
		}
	case does == "rename":
		p := one()
		p.name += "x"
	case does == "look":
		p := one()
		w.look(project, p.id, p.created)
	}
}

func (w *world) create(project string) {
	w.made++
	p := &part{id: fmt.Sprint("br-", w.made), name: fmt.Sprint("name-", w.made), created: w.service()}
	w.parts[project] = append(w.parts[project], p)
	w.look(project, p.id, w.service())
}

func (w *world) want() {
	wanted := map[string]bool{}
	for id, is := range w.wanted {
		if is {
			wanted[id] = false
		}
	}
	w.Look(wanted)
}

// settle ends all trouble, and looks at everything.
func (w *world) settle() {
	w.err, w.cut, w.lag, w.jitter = nil, false, 8*time.Second, 0
	w.wanted = map[string]bool{"p1": true, "p2": true}
	w.want()
	w.pass(2 * time.Hour) // what failed or refused was asked for again
	for project, parts := range w.parts {
		for _, p := range parts {
			w.look(project, p.id, w.service())
		}
		w.look(project, "br-never-"+project, w.service())
	}
	w.pass(10 * time.Minute)
}

// Whatever happens to branches, lists and requests: a name is the last one that a list had, only two lists prove that a branch
// is no longer listed, and nobody is asked more often than once a minute. Once the service is honest, everything is known
// within minutes, and then nothing is asked for an hour.
func TestNames(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			w.step()
			w.check()
		}
		w.answerAll()
		w.settle()
		w.check()
		for project, parts := range w.parts {
			if never := w.Book().Branch(project, "br-never-"+project); !never.Gone || never.Name != "" {
				t.Errorf("a branch that never was: %+v", never)
			}
			for _, p := range parts {
				if called := w.Book().Branch(project, p.id); called.Gone != !p.deleted.IsZero() || called.Name != p.name && p.deleted.IsZero() {
					t.Errorf("%+v is %+v", p, called)
				}
			}
		}
		asked := slices.Clone(w.tries["p1"])
		w.pass(40 * time.Minute)
		if n := len(w.tries["p1"]) - len(asked); n > 0 {
			t.Errorf("%d requests for what is known", n)
		}
	})
}
