package cli

import (
	"encoding/json"
	"sync"
	"time"

	"pgtower/client/mock"
	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/keys"
	"pgtower/models/settings"
)

// The demo knows uses of keys of a month, as if pgtower had read the lists in these weeks, except for two days. They are made
// when they are first needed, and kept in no file.
const (
	demoWatched = 26 * 24 * time.Hour
	demoRead    = time.Hour // between two reads
	demoAway    = 16        // days before the start, at the end of the two days without reads
)

// uses returns the watcher of the uses of an account's keys. Sign-ins share it.
func (s *demoServer) uses(keyAccount *account.Account, noHistory bool) *keys.Watcher {
	if s.watcher == nil {
		past := PastUses(s.mock, s.started, settings.Demo, func() string { return keyAccount.Identity().ID })
		if noHistory {
			past.read.Do(func() {})
		}
		s.watcher = keys.NewWatcher(past)
	}
	return s.watcher
}

// PastUses returns a log of the uses that the lists of a mock would have shown in the month before a time. It is in memory only.
// account returns the id of the account.
func PastUses(server *mock.Server, until time.Time, host string, account func() string) *DemoUses {
	return &DemoUses{server: server, started: until, host: host, account: account}
}

// DemoUses is a [keys.Log], see [PastUses].
type DemoUses struct {
	keys.Forgetful

	server  *mock.Server
	started time.Time
	host    string
	account func() string
	read    sync.Once
}

// Read returns the month before the start, once.
func (d *DemoUses) Read() (lines []keys.Seen, err error) {
	d.read.Do(func() { lines, err = d.month() })
	return lines, err
}

// recorder keeps the lines that a watcher appends.
type recorder struct {
	keys.Forgetful

	lines []keys.Seen
}

func (r *recorder) Append(lines func([]keys.Seen, bool) []keys.Seen) error {
	r.lines = append(r.lines, lines(nil, false)...)
	return nil
}

// month lets a watcher read the lists of the past month.
func (d *DemoUses) month() ([]keys.Seen, error) {
	file := &recorder{}
	watcher := keys.NewWatcher(file)
	lists := []string{""}
	for _, org := range d.server.Organizations() {
		lists = append(lists, org.ID)
	}
	for instant := d.started.Add(-demoWatched); ; instant = instant.Add(demoRead) {
		if instant.After(d.started) {
			instant = d.started
		}
		if days := d.started.Sub(instant).Hours() / 24; days >= demoAway && days < demoAway+2 {
			continue
		}
		for _, org := range lists {
			if err := d.look(watcher, org, instant); err != nil {
				return nil, err
			}
		}
		if instant.Equal(d.started) {
			err := watcher.Close()
			return file.lines, err
		}
	}
}

// look lets a watcher read a list as it was at a time.
func (d *DemoUses) look(watcher *keys.Watcher, org string, instant time.Time) error {
	text, err := json.Marshal(d.server.KeysAt(org, instant)) //nolint:gosec // lists have no secrets
	if err != nil {
		return err
	}
	var listed []models.APIKey
	if err := json.Unmarshal(text, &listed); err != nil {
		return err
	}
	id := models.ListID{Org: org}
	for i := range listed {
		listed[i].List, listed[i].AsOf = id, models.At(instant)
	}
	list := keys.NewListed(id, listed, instant)
	sight := keys.Sight{Place: keys.PlaceOf(d.host, d.account(), id), List: &list}
	if instant.Before(d.started) { // the keys of the demo itself are created then, and are no news
		sight.Audit = keys.NewAudit(nil, keys.AuditOptions{})
	}
	_, _, err = watcher.Take(sight)
	return err
}
