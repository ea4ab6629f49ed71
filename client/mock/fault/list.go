package fault

import (
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"sync"
	"time"
)

// Active is a fault that was added and not removed.
type Active struct {
	ID     int64  `json:"id"` // from 1, in the order of adding
	Text   string `json:"fault"`
	Passed int    `json:"passed"` // matching requests that were let through because of skip
	Hits   int    `json:"hits"`
	Spent  bool   `json:"spent"` // it has hit as many requests as it should

	fault Fault
}

// Hit is the effect of the faults on a request: the delays and variants of all of them, and one fault's change of the
// response.
type Hit struct {
	Fault

	Latency  time.Duration
	Variants []Fault // those with a [Variant]
	ID       int64   // of the last fault that hit it
	Text     string
}

// List is the faults that were added and not removed. It is safe for concurrent use. The seed and the requests' numbers
// decide which requests are hit: the same requests in the same order get the same faults.
type List struct {
	base string
	seed uint64

	mu     sync.Mutex
	lastID int64
	active []Active
}

// NewList returns a list for the paths below base.
func NewList(base string, seed uint64) *List { return &List{base: base, seed: seed} }

// maxActive is the largest number of faults, which are held in memory and tried for every request.
const maxActive = 1000

// Add adds the fault that a text describes. The error is that of [parseFault], or that there are too many.
func (l *List) Add(text string) (Active, error) {
	f, err := parseFault(text, l.base)
	if err != nil {
		return Active{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.active) == maxActive {
		return Active{}, fmt.Errorf("there are %d faults: remove some", maxActive)
	}
	l.lastID++
	added := Active{ID: l.lastID, Text: text, fault: f}
	l.active = append(l.active, added)
	return added, nil
}

// Remove removes a fault, and reports whether it existed.
func (l *List) Remove(id int64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.active)
	l.active = slices.DeleteFunc(l.active, func(a Active) bool { return a.ID == id })
	return len(l.active) < n
}

// Clear removes all faults.
func (l *List) Clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.active = nil
}

// All returns the faults, oldest first, including those that are spent.
func (l *List) All() []Active {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]Active{}, l.active...)
}

// Next returns the hit of a request, and counts it. number is unique among all requests. org is the organization that the
// request is about; it is empty for none and for all. Without a hit, the ID is 0.
func (l *List) Next(method, endpoint, org string, number uint64) (h Hit) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.active {
		a := &l.active[i]
		f := &a.fault
		if a.Spent || f.method != "" && f.method != method || !f.matches(l.base, endpoint, org) {
			continue
		}
		if a.Passed < f.skip {
			a.Passed++
			continue
		}
		//nolint:gosec // the hits must be repeatable; ids are above 0
		rng := rand.New(rand.NewPCG(l.seed^number, uint64(a.ID)))
		if f.share > 0 && rng.Float64() >= f.share {
			continue
		}
		a.Hits++
		a.Spent = a.Hits == f.count
		h.ID, h.Text = a.ID, a.Text
		h.Latency += f.latency + time.Duration((2*rng.Float64()-1)*float64(f.jitter))
		if f.Variant != "" {
			h.Variants = append(h.Variants, *f)
		} else if !f.waits() {
			h.Fault = *f
			break
		}
	}
	return h
}

func (f *Fault) matches(base, endpoint, org string) bool {
	if f.org != "" && f.org != org && (org != "" || f.Variant == "") {
		return false
	}
	if endpoint == base+StatusPath && f.path != StatusPath && f.Variant != Lies {
		return false // a page of another host, which works while the service does not
	}
	for _, e := range endpoints {
		if base+e.path == endpoint && f.path != e.path && f.path != "" {
			return false // a star in the fault's path is an id, not a word of the API
		}
	}
	ok, _ := path.Match(base+f.path, endpoint) // parseFault has checked the pattern
	return ok || f.path == ""
}

// Of reports whether the fault is about an organization.
func (f *Fault) Of(org string) bool { return f.org == "" || f.org == org }

// waits reports whether the fault is only a delay. Other faults can hit the same request, too.
func (f *Fault) waits() bool {
	return *f == Fault{
		method: f.method, path: f.path, org: f.org, skip: f.skip, count: f.count, share: f.share,
		latency: f.latency, jitter: f.jitter,
	}
}
