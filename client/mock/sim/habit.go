package sim

import (
	"strings"
	"time"
)

// habit is when and from where something uses a key, as a function of time: about once a period. The last use before the
// platform starts is fixed.
type habit struct {
	seed           uint64
	last, start    time.Time
	period, jitter time.Duration
	weekdays       bool // it rests on Saturdays and Sundays
	addresses      []string
	moved          int64 // from this use on, the last address is used as well; 0 for never
	over           bool  // there are no more uses after the start
}

// habits has the habits of the keys that are in use, by their names.
var habits = map[string]habit{
	"ci-deploy":        {period: 3 * time.Hour, jitter: time.Hour, weekdays: true},
	"grafana-exporter": {period: 15 * time.Minute, jitter: time.Minute},
	"backup-nightly":   {period: day, jitter: 8 * time.Minute},
	"preview-branches": {period: 5 * time.Hour, jitter: 2 * time.Hour},
	"dbt-runner":       {period: day, jitter: 20 * time.Minute},
	"vercel-sync":      {period: 8 * time.Hour, jitter: 2 * time.Hour, moved: -9},
	"retool":           {period: 12 * time.Hour, jitter: 5 * time.Hour},
	"terraform":        {period: 7 * day, jitter: 10 * time.Minute},
	"alice-cli":        {period: 3 * day, jitter: day},
	"on-call":          {period: 9 * day, jitter: 3 * day},
	"bob-laptop":       {period: 2 * day, jitter: 9 * time.Hour},
	"grafana":          {period: 6 * day, jitter: day},
	"preview-*":        {period: 6 * time.Hour, jitter: time.Hour},
}

// habitOf returns the habit of a key by its name, or nil. last is the key's last use before the start.
func habitOf(name string, seed uint64, last, start time.Time, from, second string) *habit {
	h, found := habits[strings.TrimSpace(name)]
	if !found {
		return nil
	}
	h.seed, h.last, h.start, h.addresses = seed, last, start, []string{from, second}
	return &h
}

// use returns the n-th use after the last one before the start.
func (h *habit) use(n int64) (instant time.Time, from string) {
	instant, from = h.last.Add(time.Duration(n)*h.period), h.addresses[0]
	if n != 0 {
		rng := newRand(h.seed, n)
		instant = instant.Add(between(rng, -h.jitter, h.jitter))
		if h.moved != 0 && n >= h.moved && rng.IntN(2) == 0 {
			from = h.addresses[1]
		}
	}
	return instant, from
}

// skips reports whether there is no n-th use: at weekends, or if it would be on the wrong side of the start.
func (h *habit) skips(n int64, instant time.Time) bool {
	weekend := instant.Weekday() == time.Saturday || instant.Weekday() == time.Sunday
	return n != 0 && h.weekdays && weekend || (n > 0) != instant.After(h.start)
}

// lastBy returns the last use until t, or zero if there was none from since on.
func (h *habit) lastBy(t, since time.Time) (instant time.Time, from string) {
	n := int64(t.Sub(h.last)/h.period) + 2
	if h.over {
		n = min(n, 0)
	}
	for ; ; n-- {
		instant, from := h.use(n)
		switch {
		case instant.Before(since):
			return time.Time{}, ""
		case !instant.After(t) && !h.skips(n, instant):
			return instant, from
		}
	}
}

// lastUse returns the last use of a key until a time, or nil.
func (k *apiKey) lastUse(t time.Time) *KeyUse {
	use, last := &KeyUse{}, k.created
	if !k.used.IsZero() && !k.used.After(t) {
		use, last = k.KeyUse, k.used
	}
	if k.habit != nil {
		if instant, from := k.habit.lastBy(t, last); instant.After(last) {
			use = &KeyUse{new(stamp(instant)), from}
		}
	}
	return use
}

// KeysAt returns the keys of an organization or, without an id, of the account, as they were at a time before now, oldest
// first. It leaves out keys that were revoked since.
func (p *Platform) KeysAt(orgID string, t time.Time) []Key {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := []Key{}
	for _, k := range p.keys {
		if k.in(orgID) && !k.created.After(t) {
			list = append(list, p.listed(k, t))
		}
	}
	return list
}

// listed returns a key as lists show it, with its last use until a time.
func (p *Platform) listed(k *apiKey, t time.Time) Key {
	listed := k.Key
	listed.KeyUse = k.lastUse(t)
	if p.live {
		listed.CreatedBy = k.creator
	}
	return listed
}
