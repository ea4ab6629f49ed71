package keys

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"pgtower/models"
)

// Log is the file of uses.
type Log interface {
	// Read returns the lines that were appended since the last call of a method.
	Read() ([]Seen, error)
	// Append appends the lines that the function returns. It gets those that were appended since the last call of a
	// method, and whether the file is a new one. Meanwhile no other program appends any.
	Append(lines func(since []Seen, fresh bool) []Seen) error
}

// Forgetful is a [Log] that keeps nothing: its [Watcher] remembers until the process ends.
type Forgetful struct{}

// Read returns nothing.
func (Forgetful) Read() ([]Seen, error) { return nil, nil }

// Append keeps nothing.
func (Forgetful) Append(lines func([]Seen, bool) []Seen) error {
	lines(nil, false)
	return nil
}

// Usages are what was seen of the use of the keys of lists. They do not change.
type Usages map[models.KeyRef]*Usage

// Of returns what was seen of a key, or nil.
func (u Usages) Of(k *models.APIKey) *Usage {
	usage := u[k.Ref()]
	if usage == nil || usage.Created.Unix() != k.CreatedAt.Unix() {
		return nil
	}
	return usage
}

// Sight is a list that was read, with the audit that decides its events.
type Sight struct {
	Place ListPlace
	List  *Listed
	Audit *Audit // of this list
}

// Watcher writes what lists show of uses to a file, and finds events. It is safe for concurrent use.
type Watcher struct {
	mu      sync.Mutex
	log     Log
	history History
	views   map[ListPlace]*view
}

// NewWatcher returns a watcher that writes to a file.
func NewWatcher(log Log) *Watcher { return &Watcher{log: log, views: map[ListPlace]*view{}} }

// view is a list as this process has last seen it.
type view struct {
	early  time.Time // when it was read
	order  []seenKey
	shown  map[seenKey]shownUse
	broken bool // a key has no id, or that of another one: nothing can be said of the list as a whole
}

// shownUse is what a list showed of a key.
type shownUse struct {
	key     *models.APIKey
	use     time.Time
	from    string
	unknown bool
}

func newView(list *Listed) *view {
	v := &view{early: list.AsOf.Early.UTC(), shown: make(map[seenKey]shownUse, len(list.Keys))}
	for i := range list.Keys {
		k := &list.Keys[i]
		id := seenKeyOf(k.ID, k.CreatedAt)
		_, twice := v.shown[id]
		if k.ID == 0 || twice {
			v.broken = true
			continue
		}
		v.order = append(v.order, id)
		v.shown[id] = newShownUse(k)
	}
	return v
}

func newShownUse(k *models.APIKey) shownUse {
	if !k.LastUsedAt.Known {
		return shownUse{key: k, unknown: true}
	}
	return shownUse{key: k, use: k.LastUsedAt.Value.UTC(), from: models.MaskKeys(k.LastUsedFromAddr)}
}

// Take adds a list that was read. It returns what was seen of the use of its keys by now, and the events to tell. With an
// error, this process alone remembers them.
func (w *Watcher) Take(s Sight) (Usages, []Event, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	since, unread := w.log.Read()
	w.add(since)
	p := &pass{Sight: s, history: &w.history, now: newView(s.List), before: w.views[s.Place]}
	events, unwritten := w.write(p)
	w.views[s.Place] = p.now
	return p.usages(), events, cmp.Or(unwritten, unread)
}

func (w *Watcher) add(lines []Seen) {
	for i := range lines {
		w.history.Add(&lines[i])
	}
}

// write appends the lines of a pass, if there are any. The process knows them even if they cannot be written.
func (w *Watcher) write(p *pass) (events []Event, err error) {
	lines, events := p.find()
	if len(lines) == 0 {
		return nil, nil
	}
	asked := false
	err = w.log.Append(func(since []Seen, fresh bool) (appended []Seen) {
		asked = true
		appended, events = w.append(p, since, fresh)
		return appended
	})
	if !asked {
		w.add(lines)
	}
	return events, err
}

// append returns the lines of a pass for the file, and their events. since are the lines of other programs, which may
// have written some of them. A fresh file begins with what is known of all keys.
func (w *Watcher) append(p *pass, since []Seen, fresh bool) (appended []Seen, events []Event) {
	w.add(since)
	lines, events := p.find()
	if fresh {
		w.history.forget(p.now.early)
		appended = w.history.Lines()
	}
	w.add(lines)
	return append(appended, lines...), events
}

// Close writes the lines that were held back, and until when was watched.
func (w *Watcher) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var failed error
	for place, v := range w.views {
		p := &pass{Sight: Sight{Place: place}, history: &w.history, now: v, before: v, last: true}
		_, err := w.write(p)
		failed = cmp.Or(failed, err)
	}
	clear(w.views)
	return failed
}

// History returns what was seen of the keys of all lists. The error is why some of it may be missing.
func (w *Watcher) History() ([]Usage, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	since, err := w.log.Read()
	w.add(since)
	return w.history.Usages(), err
}

// Usages returns what was seen of all keys, in the order of their lists and ids.
func (h *History) Usages() (list []Usage) {
	for _, place := range h.places() {
		l := h.lists[place]
		for _, u := range l.sorted() {
			l.settle(u)
			list = append(list, *u)
		}
	}
	return list
}

func (h *History) places() (places []ListPlace) {
	for place := range h.lists {
		places = append(places, place)
	}
	slices.SortFunc(places, ListPlace.compare)
	return places
}

func (l *listHistory) sorted() (list []*Usage) {
	for _, u := range l.keys {
		list = append(list, u)
	}
	slices.SortFunc(list, byID)
	return list
}

func byID(a, b *Usage) int {
	return cmp.Or(cmp.Compare(a.Ref.ID, b.Ref.ID), a.Created.Compare(b.Created))
}
