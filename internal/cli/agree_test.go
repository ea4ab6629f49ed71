package cli

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/client"
	"pgtower/internal/cli/script"
	"pgtower/internal/driver"
	"pgtower/internal/state"
	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/control"
	"pgtower/models/keys"
	"pgtower/ui/apikeys"
	"pgtower/ui/page"
)

// oneList is a service that knows one kind of key only, with its list.
type oneList struct {
	control.API

	listed  []models.APIKey
	revoked []int64
}

func (*oneList) missing() error {
	return &models.Error{Kind: models.KindNotFound, Status: 404, Body: models.APIBody, Message: "this endpoint does not exist"}
}

func (s *oneList) Auth(context.Context) (models.Auth, error) { return models.Auth{}, s.missing() }

func (s *oneList) Organizations(context.Context) ([]models.Organization, error) {
	return nil, s.missing()
}

func (*oneList) Projects(context.Context, models.ListID, models.PageRequest) (models.Page[models.Project], error) {
	return models.Page[models.Project]{}, nil
}

func (s *oneList) APIKeys(context.Context, models.ListID) ([]models.APIKey, error) {
	return slices.Clone(s.listed), nil
}

func (s *oneList) RevokeAPIKey(_ context.Context, k models.APIKey) (models.APIKey, error) {
	s.revoked = append(s.revoked, k.ID)
	return k, nil
}

// rotated is a state of a rotation of the first key, with its service, its memory and its journal.
type rotated struct {
	t          *testing.T
	own        int64
	api        *oneList
	store      *keyMemory
	journal    keys.Journal
	now        time.Time
	connection control.Connection
}

// command runs a command for scripts, and returns what it printed.
func (r *rotated) command(o *script.Options, cmd func() (script.Run, error)) (stdout string, err error) {
	r.t.Helper()
	files := driver.NewFiles(r.t, "")
	p := script.Process{Stdin: files.In, Stdout: files.Out, Stderr: files.Err, Clock: time.Now}
	run, err := cmd()
	if err != nil {
		r.t.Fatal(err)
	}
	err = run(r.t.Context(), script.NewSource(p, o, r.connection, func() time.Time { return r.now }))
	stdout, _ = files.Printed()
	return stdout, err
}

// dashboard returns how many keys can go, as the page says.
func (r *rotated) dashboard() int {
	owner := account.New(account.Options{})
	if err := owner.Load(r.t.Context(), r.api, loop(client.Options{Clock: time.Now})); err != nil {
		r.t.Fatal(err)
	}
	session := page.NewSession(r.t.Context(), 1, func() time.Time { return r.now })
	p := apikeys.New(session, r.api, owner, apikeys.Options{
		Memory: r.store, Journal: r.journal, OwnID: r.own, OwnList: models.Opt[models.ListID]{Known: true},
	})
	driver.NewBench(r.t, p, session).Do(p.Shown())
	return p.CanGo()
}

// Dashboard, list, audit, doctor and revoke agree in each state of a rotation: they call the same function.
func TestRotationIsToldAlikeEverywhere(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	made := func(change func(*keys.Made)) func(*keys.Memory) {
		return func(m *keys.Memory) { change(&m.Made[0]) }
	}
	open := keys.Record{Change: keys.Revoke, ID: 2, Name: "next", RequestID: "r", Outcome: keys.Trying, Sent: now.Add(-time.Minute)}
	for name, c := range map[string]struct {
		own       int64
		old, next time.Duration // since the last use
		but       func(*keys.Memory)
		renamed   string // the successor
		gone      bool   // it is not listed
		record    *keys.Record
		want      bool
	}{
		"quiet, and used later":      {own: 3, old: 25 * time.Hour, next: time.Minute, want: true},
		"not quiet":                  {own: 3, old: 23 * time.Hour, next: time.Minute},
		"used after its successor":   {own: 3, old: 25 * time.Hour, next: 26 * time.Hour},
		"verified only":              {own: 3, old: 50 * time.Hour, next: 48 * time.Hour},
		"the session's":              {own: 1, old: 25 * time.Hour, next: time.Minute},
		"the successor is":           {own: 2, old: 25 * time.Hour, next: time.Minute},
		"a job of once a week":       {own: 3, old: 25 * time.Hour, next: time.Minute, but: func(m *keys.Memory) { m.Rotations[0].Quiet = 8 * 24 * time.Hour }},
		"by name":                    {own: 3, old: 25 * time.Hour, next: time.Minute, renamed: "ci-20261122", but: func(m *keys.Memory) { *m = keys.Memory{Salt: m.Salt} }},
		"nobody has the secret":      {own: 3, old: 25 * time.Hour, next: time.Minute, but: made(func(m *keys.Made) { m.Handover = keys.Handover{} })},
		"pgtower has it":             {own: 3, old: 25 * time.Hour, next: time.Minute, but: made(func(m *keys.Made) { m.Own = true })},
		"pgtower moved":              {own: 2, old: 25 * time.Hour, next: time.Minute, but: made(func(m *keys.Made) { m.Own, m.Moved = true, ago(25*time.Hour) }), want: true},
		"its first use is shown now": {own: 3, old: 25 * time.Hour, next: time.Minute, but: made(func(m *keys.Made) { m.First = time.Time{} })},
		"the successor is gone":      {own: 3, old: 25 * time.Hour, next: time.Minute, gone: true},
		"a change is open":           {own: 3, old: 25 * time.Hour, next: time.Minute, record: &open},
	} {
		m := newHome(t, "").resolved().memory
		used := func(d time.Duration) models.Opt[time.Time] { return models.Opt[time.Time]{Value: ago(d), Known: true} }
		api := &oneList{listed: []models.APIKey{
			{ID: 1, Name: "ci", CreatedAt: ago(99 * time.Hour), LastUsedAt: used(c.old), AsOf: models.At(now)},
			{ID: 2, Name: cmp.Or(c.renamed, "next"), CreatedAt: ago(48 * time.Hour), LastUsedAt: used(c.next), AsOf: models.At(now)},
			{ID: 3, Name: "own", CreatedAt: ago(99 * time.Hour), LastUsedAt: used(0), AsOf: models.At(now)},
		}}
		store := m.keysOf("host")
		rememberRotation(t, store, &api.listed[0], &api.listed[1])
		if c.but != nil { // like a file of another process
			remembered, _ := store.Load()
			c.but(&remembered)
			if err := m.file.Change(func(s *state.State) error { s.Remember("host", &remembered); return nil }); err != nil {
				t.Fatal(err)
			}
			store = m.keysOf("host")
		}
		if c.gone {
			api.listed = slices.Delete(api.listed, 1, 2)
		}
		journal := m.journal("p@host", func() time.Time { return now })
		if c.record != nil {
			if err := journal.Write(*c.record); err != nil {
				t.Fatal(err)
			}
		}
		r := &rotated{t: t, own: c.own, api: api, store: store, journal: journal, now: now}
		r.connection = control.Connection{API: api, Memory: store, Journal: journal, KeyID: c.own}
		got := map[string]bool{}
		got["dashboard"] = r.dashboard() == 1
		list, err := r.command(&script.Options{}, func() (script.Run, error) { return script.APIKeys(&script.Options{Filter: "is:can-go"}) })
		got["list"] = strings.Contains(list, "ci")
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		audit, _ := r.command(&script.Options{}, func() (script.Run, error) {
			return script.Audit(&script.Options{JSON: true}, script.AuditOptions{Limits: keys.DefaultLimits()})
		})
		got["audit"] = strings.Contains(audit, `"can-go"`)
		d := &doctor{settings: &setup{memory: m, base: &url.URL{Host: "host"}, json: true}, account: "p@host"}
		d.process.Clock = func() time.Time { return now }
		d.checkRotations(models.ListID{}, api.listed, models.KeyRef{ID: c.own})
		got["doctor"] = slices.ContainsFunc(d.findings, func(f finding) bool { return strings.Contains(f.Detail, "can go: ") })
		_, err = r.command(&script.Options{}, func() (script.Run, error) {
			return script.Revoke(script.RevokeOptions{Targets: []script.Target{{ID: 1}}, Name: "ci", IfCanGo: true})
		})
		got["revoke"] = err == nil && slices.Equal(api.revoked, []int64{1})
		for who, says := range got {
			if says != c.want {
				t.Errorf("%s: %s says %v: %v", name, who, says, err)
			}
		}
	}
}
