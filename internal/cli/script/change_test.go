package script

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/internal/cli/exit"
	"pgtower/internal/driver"
	"pgtower/keystore"
	"pgtower/models"
	"pgtower/models/control"
	"pgtower/models/keys"
)

// vault is a service with API keys of two organizations, its own keyring, journal and memory.
type vault struct {
	noKinds

	method    string // of the key; empty: a personal one
	keys      []models.APIKey
	answer    func(made *models.CreatedAPIKey) error // to a creation, which is carried out
	late      models.APIKey                          // is listed from lateAt on
	lateAt    time.Time
	pipeErr   error
	within    time.Duration             // how long a command had
	revoke    func(models.APIKey) error // answers a revocation
	verifyErr error
	unread    map[models.ListID]error // lists that cannot be read
	members   []models.Member         // of each organization
	membersOf error                   // why they cannot be read
	saveErr   error                   // of the memory
	records   []keys.Record
	room      int // for records; 0: any number
	memory    keys.Memory
	wanted    []string      // requests for changes
	set       int64         // how far the time of day is ahead, in nanoseconds: use it atomically
	setTo     time.Duration // the same from the first list after a change on
}

func (v *vault) Auth(context.Context) (models.Auth, error) {
	return models.Auth{AccountID: "org-a", Method: cmp.Or(v.method, "api_key_user")}, nil
}

func (*vault) Organizations(context.Context) ([]models.Organization, error) {
	return []models.Organization{{ID: "org-a", Name: "A"}}, nil
}

func (*vault) User(context.Context) (models.User, error) { return models.User{}, nil }

func (*vault) Projects(context.Context, models.ListID, models.PageRequest) (models.Page[models.Project], error) {
	return models.Page[models.Project]{}, nil
}

func (v *vault) APIKeys(_ context.Context, of models.ListID) (all []models.APIKey, err error) {
	if len(v.wanted) > 0 {
		atomic.StoreInt64(&v.set, int64(v.setTo))
	}
	if !v.lateAt.IsZero() && !time.Now().Before(v.lateAt) {
		v.keys, v.lateAt = append(v.keys, v.late), time.Time{}
	}
	for _, k := range v.keys {
		if k.List == of {
			all = append(all, k)
		}
	}
	return all, v.unread[of]
}

func (v *vault) Members(context.Context, string, models.PageRequest) (models.Page[models.Member], error) {
	return models.Page[models.Member]{Items: v.members, ServiceTime: time.Now()}, v.membersOf
}

func (v *vault) CreateAPIKey(_ context.Context, name string, reach models.Reach) (models.CreatedAPIKey, error) {
	v.wanted = append(v.wanted, "create "+name)
	made := models.CreatedAPIKey{List: reach.List(), ID: int64(100 + len(v.keys)), Key: models.NewSecret("napi_made"), ProjectID: reach.Project}
	v.keys = append(v.keys, models.APIKey{List: made.List, ID: made.ID, Name: name, ProjectID: made.ProjectID})
	if v.answer != nil {
		if err := v.answer(&made); err != nil {
			return models.CreatedAPIKey{}, err
		}
	}
	return made, nil
}

func (v *vault) RevokeAPIKey(_ context.Context, k models.APIKey) (models.APIKey, error) {
	v.wanted = append(v.wanted, "revoke "+k.Name)
	if v.revoke != nil {
		return k, v.revoke(k)
	}
	return k, nil
}

func (v *vault) Verify(context.Context, models.Secret) error { return v.verifyErr }

func (v *vault) Pipe(ctx context.Context, _ string, _ models.Secret) error {
	if until, limited := ctx.Deadline(); limited {
		v.within = time.Until(until)
	}
	return v.pipeErr
}

func (*vault) Check() error { return nil }
func (v *vault) Write(r keys.Record) error {
	if v.room > 0 && len(v.records) == v.room {
		return errors.New("the disk is full")
	}
	v.records = append(v.records, r)
	return nil
}
func (*vault) Open() ([]keys.Record, error) { return nil, nil }

func (v *vault) Load() (keys.Memory, error) { return v.memory, nil }

func (v *vault) Change(change func(*keys.Memory)) (keys.Memory, error) {
	change(&v.memory)
	return v.memory, v.saveErr
}

// clock is the time of day, which may be set.
func (v *vault) clock() time.Time {
	return time.Now().Add(time.Duration(atomic.LoadInt64(&v.set))).Round(0)
}

// outcome is what a command printed and how it ended.
type outcome struct {
	stdout, stderr string
	err            error
}

// failedWith reports whether the error of a command has a text, or there is none if that is empty.
func (o *outcome) failedWith(text string) bool {
	return (o.err != nil) == (text != "") && (o.err == nil || strings.Contains(o.err.Error(), text))
}

func (v *vault) run(t *testing.T, cmd func() (Run, error)) (o outcome) {
	t.Helper()
	return v.runWith(t, &Options{}, "", cmd)
}

// runWith runs a command with options and a standard input.
func (v *vault) runWith(t *testing.T, options *Options, stdin string, cmd func() (Run, error)) (o outcome) {
	t.Helper()
	files := driver.NewFiles(t, stdin)
	p := Process{Stdin: files.In, Stdout: files.Out, Stderr: files.Err, Clock: v.clock, Steady: time.Now}
	run, err := cmd()
	if err != nil {
		return outcome{err: err}
	}
	from := NewSource(p, options, control.Connection{API: v, Journal: v, Memory: v}, time.Now)
	from.secrets = v
	o.err = run(t.Context(), from)
	o.stdout, o.stderr = files.Printed()
	return o
}

func newVault() *vault {
	created := time.Now().Add(-1000 * time.Hour)
	used := models.Opt[time.Time]{Value: time.Now(), Known: true}
	org := models.ListID{Org: "org-a"}
	return &vault{keys: []models.APIKey{
		{ID: 1, Name: "ci", CreatedAt: created, LastUsedAt: used, AsOf: models.At(time.Now())},
		{ID: 2, Name: "both", CreatedAt: created, LastUsedAt: used},
		{List: org, ID: 2, Name: "both", CreatedAt: created, LastUsedAt: used, ProjectID: "p"},
	}}
}

// The secret of a key that reaches more than asked for, or that the service refuses, is not delivered. The key is reported.
func TestSecretsAreDelivered(t *testing.T) {
	t.Parallel()
	wider := func(made *models.CreatedAPIKey) error { made.ProjectID = "p"; return nil }
	for name, c := range map[string]struct {
		v      vault
		says   string
		stdout string
	}{
		"wider than asked":       {v: vault{answer: wider}, says: "which was not asked for"},
		"refused by the service": {v: vault{verifyErr: &models.Error{Kind: models.KindUnauthorized}}, says: "revoke it: "},
		"not verified": {
			v: vault{verifyErr: &models.Error{Kind: models.KindTimeout}}, stdout: "napi_made", says: "could not verify",
		},
	} {
		o := c.v.run(t, func() (Run, error) {
			return Create(CreateOptions{Delivery: Delivery{Print: true}, Name: "new", Everything: true})
		})
		if o.stdout != c.stdout || !strings.Contains(o.stderr, c.says) || (o.err != nil) != (c.stdout == "") {
			t.Errorf("%s: %+v", name, o)
		}
		if strings.Contains(o.stderr, "napi_made") || len(c.v.wanted) != 1 {
			t.Errorf("%s: asked for %q and said %s", name, c.v.wanted, o.stderr)
		}
	}
}

// No key is created whose secret would be discarded.
func TestSecretsAreNotDiscarded(t *testing.T) {
	t.Parallel()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = null.Close() })
	from := &Source{process: Process{Stdout: null}}
	if _, err := (Delivery{Print: true}).prepare(from); err == nil {
		t.Error("the null device is an output")
	}
	if _, err := (Delivery{Command: "cat"}).prepare(from); err != nil {
		t.Errorf("a command needs no output: %v", err)
	}
}

// A key is its list and its id: only the command line names the list.
func TestRevokeTheListOfAKey(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		of     Target
		name   string
		says   string // the error, or empty
		wanted string
	}{
		"an id of two lists":      {of: Target{ID: 2}, name: "both", says: "--org-id or --account"},
		"of the organization":     {of: Target{ID: 2, Org: "org-a"}, name: "both", wanted: "revoke both"},
		"of the account":          {of: Target{ID: 2, OfAccount: true}, name: "both", wanted: "revoke both"},
		"not of the organization": {of: Target{ID: 1, Org: "org-a"}, name: "ci", says: "no API key has the id 1"},
	} {
		v := newVault()
		o := v.run(t, func() (Run, error) { return Revoke(RevokeOptions{Targets: []Target{c.of}, Name: c.name}) })
		if got := strings.Join(v.wanted, " "); !o.failedWith(c.says) || got != c.wanted {
			t.Errorf("%s: %+v, asked for %q", name, o, got)
		}
	}
}

// A list that cannot be read is reported. The user is asked to name the list only where that helps.
func TestRevokeWithAnUnreadList(t *testing.T) {
	t.Parallel()
	org := models.ListID{Org: "org-a"}
	for name, c := range map[string]struct {
		of     Target
		unread models.ListID
		says   string
	}{
		"in none that was read":  {Target{ID: 1}, models.ListID{}, "no list that could be read has a key with the id 1: cannot read the account's keys"},
		"in the named one":       {Target{ID: 1, OfAccount: true}, models.ListID{}, "no list that could be read has a key with the id 1: cannot read the account's keys"},
		"in another one":         {Target{ID: 2}, models.ListID{}, "another list may have a key with the id 2: name the list"},
		"not in the named one":   {Target{ID: 9, Org: "org-a"}, models.ListID{}, "no API key has the id 9"},
		"found in the named one": {Target{ID: 1, OfAccount: true}, org, ""},
	} {
		synctest.Test(t, func(t *testing.T) { // so that its tries again take no time
			v := newVault()
			v.unread = map[models.ListID]error{c.unread: &models.Error{Kind: models.KindServer, Status: 503}}
			o := v.run(t, func() (Run, error) { return Revoke(RevokeOptions{Targets: []Target{c.of}, Name: "ci"}) })
			if (o.err != nil) != (c.says != "") || o.err != nil && !strings.HasPrefix(o.err.Error(), c.says) {
				t.Errorf("%s: %+v", name, o)
			}
		})
	}
}

// The key of an organization creates no keys, so that nothing is requested.
func TestCreateWithTheKeyOfAnOrganization(t *testing.T) {
	t.Parallel()
	to := Delivery{Print: true}
	for name, cmd := range map[string]func() (Run, error){
		"create": func() (Run, error) { return Create(CreateOptions{Delivery: to, Name: "new", Org: "org-a"}) },
		"rotate": func() (Run, error) {
			return Rotate(RotateOptions{Delivery: to, Target: Target{ID: 2, Org: "org-a"}})
		},
	} {
		v := newVault()
		v.method = "api_key_org"
		o := v.run(t, cmd)
		if o.err == nil || !strings.Contains(o.err.Error(), "only a personal key can create keys") || len(v.wanted) > 0 {
			t.Errorf("%s: %+v, asked for %q", name, o, v.wanted)
		}
	}
}

// A rotation is remembered, and its verification proves nothing.
func TestRotateIsRemembered(t *testing.T) {
	t.Parallel()
	v := newVault()
	o := v.run(t, func() (Run, error) {
		return Rotate(RotateOptions{Delivery: Delivery{Print: true}, Target: Target{ID: 2, Org: "org-a"}, Quiet: time.Hour})
	})
	if o.err != nil || len(v.memory.Rotations) != 1 || len(v.memory.Made) != 1 {
		t.Fatalf("%+v, %+v", o, v.memory)
	}
	made := v.keys[len(v.keys)-1]
	r, m := v.memory.Rotations[0], v.memory.Made[0]
	if made.Reach() != (models.Reach{Org: "org-a", Project: "p"}) || r.New != made.Ref() || m.Key != made.Ref() || r.Quiet != time.Hour {
		t.Errorf("%+v is remembered of %+v", v.memory, made)
	}
	if m.Took != time.Second || m.Handover != (keys.Handover{Stage: keys.Handed, To: keys.ToOutput}) {
		t.Errorf("%+v", m)
	}
	var handed []string
	for _, r := range v.records {
		handed = append(handed, r.Outcome+" "+r.Handed)
	}
	if got := strings.Join(handed, ", "); got != "trying , done nobody, done maybe output, done output" {
		t.Errorf("the journal has %s", got)
	}
	if v.records[0].Replaces != 2 || v.records[0].Change != keys.Rotated {
		t.Errorf("%+v", v.records)
	}
}

// A rotation that cannot be remembered is carried out, and that is reported once.
func TestRotateWithoutMemory(t *testing.T) {
	t.Parallel()
	v := newVault()
	v.saveErr = errors.New("the disk is full")
	o := v.run(t, func() (Run, error) {
		return Rotate(RotateOptions{Delivery: Delivery{Print: true}, Target: Target{ID: 1}, Quiet: time.Hour})
	})
	if o.err != nil || o.stdout == "" || strings.Count(o.stderr, "the rotation is not remembered: the disk is full") != 1 {
		t.Errorf("%+v", o)
	}
}

// The successor has a free name in the list that the command line names.
func TestRotateInANamedList(t *testing.T) {
	t.Parallel()
	v := newVault()
	taken := keys.SuccessorName("both", time.Now(), func(string) bool { return true })
	v.keys = append(v.keys, models.APIKey{List: models.ListID{Org: "org-a"}, ID: 3, Name: taken, ProjectID: "p"})
	to := Delivery{Print: true}
	o := v.run(t, func() (Run, error) { return Rotate(RotateOptions{Delivery: to, Target: Target{ID: 2, Org: "org-a"}}) })
	if o.err != nil || len(v.wanted) != 1 || v.wanted[0] == "create "+taken {
		t.Errorf("%+v, asked for %q", o, v.wanted)
	}
}

// The line that is shown before a key is revoked has its last use as a sentence.
func TestRevokeTellsWhatAKeyIs(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	used := func(ago time.Duration) models.Opt[time.Time] {
		return models.Opt[time.Time]{Value: now.Add(-ago), Known: true}
	}
	from := NewSource(Process{Clock: time.Now}, &Options{}, control.Connection{API: newVault()}, func() time.Time { return now })
	for want, k := range map[string]models.APIKey{
		"created 2 hours ago · last used 3 minutes ago from 192.0.2.1": {LastUsedAt: used(3 * time.Minute), LastUsedFromAddr: "192.0.2.1"},
		"created 2 hours ago · never used":                             {LastUsedAt: models.Opt[time.Time]{Known: true}},
		"created 2 hours ago · last use unknown":                       {},
	} {
		k.Name, k.CreatedAt = "ci", now.Add(-2*time.Hour)
		if got := from.about(&k); !strings.HasSuffix(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// An audit in Markdown is read on another day: each of its times has its date.
func TestAuditInMarkdownHasDates(t *testing.T) {
	t.Parallel()
	v := newVault()
	o := v.run(t, func() (Run, error) {
		return Audit(&Options{}, AuditOptions{Limits: keys.Limits{Age: time.Hour, Idle: time.Hour}, Markdown: true})
	})
	if used := v.keys[0].LastUsedAt.Value.UTC().Format(time.DateTime); !strings.Contains(o.stdout, used) {
		t.Errorf("no %s in\n%s", used, o.stdout)
	}
}

// remove removes a key of the service.
func (v *vault) remove(id int64) {
	v.keys = slices.DeleteFunc(v.keys, func(k models.APIKey) bool { return k.ID == id })
}

// replacedBy makes the first key quiet, and a new one its successor.
func (v *vault) replacedBy(t *testing.T) {
	t.Helper()
	now := time.Now()
	v.keys[0].LastUsedAt.Value = now.Add(-48 * time.Hour)
	next := models.APIKey{ID: 9, Name: "next", CreatedAt: now.Add(-72 * time.Hour), LastUsedAt: models.Opt[time.Time]{Value: now.Add(-time.Hour), Known: true}}
	v.keys = append(v.keys, next)
	for i := range v.keys {
		v.keys[i].AsOf = models.At(now)
	}
	v.memory.Add(keys.Made{
		Key: next.Ref(), Created: next.CreatedAt, First: next.CreatedAt, Took: time.Second,
		Handover: keys.Handover{Stage: keys.Handed, To: keys.ToFile},
	})
	v.memory.Begin(keys.Rotation{Old: v.keys[0].Ref(), OldCreated: v.keys[0].CreatedAt, New: next.Ref(), Began: next.CreatedAt, Quiet: keys.QuietFor})
}

// alsoReplaced adds a key that is replaced as the first one is.
func (v *vault) alsoReplaced(id int64, name string) {
	old, next := v.keys[0], v.memory.Made[0]
	old.ID, old.Name = id, name
	v.keys = append(v.keys, old)
	v.memory.Begin(keys.Rotation{Old: old.Ref(), OldCreated: old.CreatedAt, New: next.Key, Began: next.Created, Quiet: keys.QuietFor})
}

// After a change without an answer, a command waits until the list shows the outcome, or reports that it is unknown.
func TestChangesWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	timeout := &models.Error{Kind: models.KindTimeout}
	create := func(noWait bool) func() (Run, error) {
		return func() (Run, error) {
			return Create(CreateOptions{Delivery: Delivery{Print: true}, Name: "new", Everything: true, NoWait: noWait})
		}
	}
	revoke := func(noWait bool) func() (Run, error) {
		return func() (Run, error) {
			return Revoke(RevokeOptions{Targets: []Target{{ID: 1}}, Name: "ci", NoWait: noWait})
		}
	}
	lost := func(v *vault) { v.answer = func(*models.CreatedAPIKey) error { return timeout } }
	notCreated := func(v *vault) {
		v.answer = func(made *models.CreatedAPIKey) error { v.remove(made.ID); return timeout }
	}
	for name, c := range map[string]struct {
		prepare func(v *vault)
		cmd     func() (Run, error)
		took    time.Duration
		err     error
		says    string
		last    string // outcome of the last record
	}{
		"created":     {lost, create(false), 0, exit.ErrSaid, "new exists (id 103), and its secret is lost", keys.Done},
		"not created": {notCreated, create(false), keys.Deadline, exit.ErrSaid, "and can no longer appear", keys.Failed},
		"not created, and the clock is set ahead": {
			func(v *vault) { notCreated(v); v.setTo = 2 * time.Minute },
			create(false), keys.Deadline, exit.ErrSaid, "and can no longer appear", keys.Failed,
		},
		"not created, and the clock is set back": {
			func(v *vault) { notCreated(v); v.setTo = -time.Hour },
			create(false), keys.Deadline, exit.ErrSaid, "and can no longer appear", keys.Failed,
		},
		"not created, not waited for": {notCreated, create(true), 0, exit.ErrUnknown, "it may still appear", keys.Undecided},
		"created late": {
			func(v *vault) {
				v.answer = func(made *models.CreatedAPIKey) error {
					v.late, v.lateAt = v.keys[len(v.keys)-1], time.Now().Add(50*time.Second)
					v.remove(made.ID)
					return timeout
				}
			}, create(false), 50 * time.Second, exit.ErrSaid, "its secret is lost", keys.Done,
		},
		"revoked": {
			func(v *vault) { v.revoke = func(k models.APIKey) error { v.remove(k.ID); return timeout } },
			revoke(false), 0, nil, "revoked: ci (id 1) is no longer listed", keys.Done,
		},
		"not revoked": {
			func(v *vault) { v.revoke = func(models.APIKey) error { return timeout } },
			revoke(false), keys.Deadline, exit.ErrSaid, "is still listed as of", keys.Failed,
		},
		"not revoked, not waited for": {
			func(v *vault) { v.revoke = func(models.APIKey) error { return timeout } },
			revoke(true), 0, exit.ErrUnknown, "ci (id 1) may still be revoked: pgtower apikeys tells later", keys.Undecided,
		},
		"the journal is full": {
			func(v *vault) { v.room = 1 }, revoke(false), 0, exit.ErrSaid, "the journal does not have what came of this", keys.Trying,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				v := newVault()
				for i := range v.keys {
					v.keys[i].AsOf = models.At(time.Now())
				}
				c.prepare(v)
				began := time.Now()
				o := v.run(t, c.cmd)
				took := time.Since(began)
				if !errors.Is(o.err, c.err) || o.err != nil && c.err == nil || !strings.Contains(o.stderr, c.says) {
					t.Errorf("%+v", o)
				}
				if took < c.took || took > c.took+15*time.Second {
					t.Errorf("it took %s", took)
				}
				if last := v.records[len(v.records)-1].Outcome; last != c.last {
					t.Errorf("the journal has %s: %+v", last, v.records)
				}
				if len(v.wanted) != 1 {
					t.Errorf("asked for %q", v.wanted)
				}
			})
		})
	}
}

// Keys of an audit are revoked if each line names one, and each can go.
func TestRevokeWhatAnAuditFound(t *testing.T) {
	t.Parallel()
	const line = `{"list":"account","id":1,"name":"ci","findings":["can-go"]}`
	for name, c := range map[string]struct {
		stdin  string
		says   string // the error, or empty
		wanted string
	}{
		"one that can go":         {stdin: line + "\n\n" + line + "\n", wanted: "revoke ci"},
		"nothing":                 {stdin: ""},
		"one that cannot":         {stdin: line + "\n" + `{"list":"account","id":9,"name":"next"}`, says: "nothing was revoked: nothing that is remembered"},
		"another name":            {stdin: `{"list":"account","id":1,"name":"web"}`, says: "nothing was revoked: the key with the id 1 is ci, not web"},
		"without a list":          {stdin: line + "\n" + `{"id":1,"name":"ci"}`, says: "line 2 of the standard input must have list, id and name"},
		"of no organization":      {stdin: `{"list":"organization","id":1,"name":"ci"}`, says: "line 1 of the standard input must have list"},
		"without a name":          {stdin: `{"list":"account","id":1}`, says: "line 1 of the standard input must have list"},
		"no JSON":                 {stdin: "1 ci", says: "line 1 of the standard input is no JSON object"},
		"of another organization": {stdin: `{"list":"organization","org_id":"org-b","id":1,"name":"ci"}`, says: "no API key has the id 1"},
	} {
		v := newVault()
		v.replacedBy(t)
		o := v.runWith(t, &Options{}, c.stdin, func() (Run, error) { return Revoke(RevokeOptions{Lines: true, IfCanGo: true}) })
		if got := strings.Join(v.wanted, " "); !o.failedWith(c.says) || got != c.wanted {
			t.Errorf("%s: %+v, asked for %q", name, o, got)
		}
	}
	if _, err := Revoke(RevokeOptions{Lines: true}); err == nil {
		t.Error("lines are revoked without a proof")
	}
}

// After a rate limit, the next revocation waits as long as the service asked, and is not sent if that is too long.
func TestRevokeKeepsToALimit(t *testing.T) {
	t.Parallel()
	const stdin = `{"list":"account","id":1,"name":"ci"}
{"list":"account","id":3,"name":"web"}`
	for _, c := range []struct {
		limit  time.Duration
		wanted string
	}{{20 * time.Second, "revoke ci revoke web"}, {2 * time.Minute, "revoke ci"}} {
		synctest.Test(t, func(t *testing.T) {
			v := newVault()
			v.replacedBy(t)
			v.alsoReplaced(3, "web")
			limited := time.Time{}
			v.revoke = func(k models.APIKey) error {
				if k.ID == 1 {
					limited = time.Now()
					return &models.Error{Kind: models.KindRateLimited, Status: 429, RetryAfter: c.limit, Body: models.APIBody}
				}
				if took := time.Since(limited); took < c.limit {
					t.Errorf("in a limit of %s, another one after %s", c.limit, took)
				}
				return nil
			}
			o := v.runWith(t, &Options{}, stdin, func() (Run, error) { return Revoke(RevokeOptions{Lines: true, IfCanGo: true}) })
			if got := strings.Join(v.wanted, " "); got != c.wanted || models.KindOf(o.err) != models.KindRateLimited {
				t.Errorf("in a limit of %s, asked for %q: %+v", c.limit, got, o)
			}
		})
	}
}

// A proof lasts a minute: if the revocations before took longer, the list is read again, and a key that was used meanwhile stays.
func TestRevokeProvesAgainInABatch(t *testing.T) {
	t.Parallel()
	const stdin = `{"list":"account","id":1,"name":"ci"}
{"list":"account","id":3,"name":"web"}
{"list":"account","id":4,"name":"api"}`
	for name, c := range map[string]struct {
		took   time.Duration // by the first revocation
		used   bool          // web is, meanwhile
		says   string
		wanted string
	}{
		"soon":         {took: time.Second, wanted: "revoke ci revoke web revoke api"},
		"later":        {took: 2 * time.Minute, wanted: "revoke ci revoke web revoke api"},
		"used, later":  {took: 2 * time.Minute, used: true, says: "web: not revoked: web cannot go: ", wanted: "revoke ci revoke api"},
		"another name": {took: 2 * time.Minute, says: "api: not revoked: the key with the id 4 is other, not api", wanted: "revoke ci revoke web"},
	} {
		synctest.Test(t, func(t *testing.T) {
			v := newVault()
			v.replacedBy(t)
			v.alsoReplaced(3, "web")
			v.alsoReplaced(4, "api")
			v.revoke = func(k models.APIKey) error {
				v.remove(k.ID)
				if k.ID != 1 {
					return nil
				}
				time.Sleep(c.took)
				for i := range v.keys {
					one := &v.keys[i]
					one.AsOf = models.At(time.Now())
					if one.ID == 3 && c.used {
						one.LastUsedAt.Value = time.Now()
					}
					if one.ID == 4 && name == "another name" {
						one.Name = "other"
					}
				}
				return nil
			}
			o := v.runWith(t, &Options{}, stdin, func() (Run, error) { return Revoke(RevokeOptions{Lines: true, IfCanGo: true}) })
			if (o.err != nil) != (c.says != "") || !strings.Contains(o.stderr, c.says) {
				t.Errorf("%s: %+v", name, o)
			}
			if got := strings.Join(v.wanted, " "); got != c.wanted {
				t.Errorf("%s: asked for %q: %s", name, got, o.stderr)
			}
		})
	}
}

// Several ids are revoked only if each is proved to go, and only on a terminal, where their names are asked for.
func TestRevokeSeveralIDs(t *testing.T) {
	t.Parallel()
	two := []Target{{ID: 1}, {ID: 9}}
	for name, o := range map[string]RevokeOptions{
		"need --if-can-go":             {Targets: two},
		"are for one key":              {Targets: two, IfCanGo: true, Name: "ci"},
		"--replaced-by are for one":    {Targets: two, IfCanGo: true, ReplacedBy: 9},
		"several keys need a terminal": {Targets: two, IfCanGo: true},
	} {
		v := newVault()
		run, err := Revoke(o)
		if err == nil {
			err = v.run(t, func() (Run, error) { return run, nil }).err
		}
		if _, usage := errors.AsType[exit.UsageError](err); !usage || !strings.Contains(err.Error(), name) || len(v.wanted) > 0 {
			t.Errorf("%s: %v, asked for %q", name, err, v.wanted)
		}
	}
}

// On another computer, a command names the pair: the uses of both keys prove that the old one can go, or it is not revoked.
func TestRevokeWhatWasReplacedElsewhere(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		by    int64
		quiet time.Duration
		used  time.Duration // since the last use of the successor
		says  string
	}{
		"used":                         {by: 9, quiet: 24 * time.Hour, used: time.Hour},
		"used before":                  {by: 9, quiet: 24 * time.Hour, used: 49 * time.Hour, says: "ci cannot go: used after its successor"},
		"a job of once a week":         {by: 9, quiet: 8 * 24 * time.Hour, used: time.Hour, says: "ci cannot go: quiet 2 days of 8 days"},
		"it may be the command's":      {by: 9, quiet: 24 * time.Hour, says: "next may be the key of this command"},
		"not in the list":              {by: 77, quiet: 24 * time.Hour, used: time.Hour, says: "none has the id 77"},
		"the successor was never used": {by: 9, quiet: 24 * time.Hour, used: 71*time.Hour + 55*time.Minute, says: "successor not used yet"},
	} {
		v := newVault()
		v.replacedBy(t)
		v.memory = keys.Memory{}
		v.keys[len(v.keys)-1].LastUsedAt.Value = time.Now().Add(-c.used)
		o := v.run(t, func() (Run, error) {
			return Revoke(RevokeOptions{Targets: []Target{{ID: 1}}, Name: "ci", ReplacedBy: c.by, Quiet: c.quiet})
		})
		if !o.failedWith(c.says) || (len(v.wanted) > 0) != (c.says == "") {
			t.Errorf("%s: %+v, asked for %q", name, o, v.wanted)
		}
	}
}

// A dry run changes nothing, and JSON tells what was done.
func TestChangesInJSON(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cmd    func(dryRun bool) (Run, error)
		stdout string // has this, but for the outcome
	}{
		"create": {func(dry bool) (Run, error) {
			return Create(CreateOptions{Delivery: Delivery{Command: "x"}, Name: "new", Org: "org-a", DryRun: dry})
		}, `"list":"organization","org_id":"org-a","org_name":"A","name":"new","reach":"A"`},
		"rotate": {func(dry bool) (Run, error) {
			return Rotate(RotateOptions{Delivery: Delivery{Command: "x"}, Target: Target{ID: 1}, Quiet: time.Hour, DryRun: dry})
		}, `"list":"account","name":"ci-2`},
		"revoke": {func(dry bool) (Run, error) {
			return Revoke(RevokeOptions{Targets: []Target{{ID: 1}}, Name: "ci", IfCanGo: true, DryRun: dry})
		}, `"known":"can go: quiet 2 days`},
	} {
		for _, dry := range []bool{true, false} {
			v := newVault()
			v.replacedBy(t)
			o := v.runWith(t, &Options{JSON: true}, "", func() (Run, error) { return c.cmd(dry) })
			outcome := map[bool]string{true: `"outcome":"dry-run"`, false: `"outcome":"done"`}[dry]
			text := strings.ReplaceAll(o.stdout, `": `, `":`)
			if o.err != nil || !strings.Contains(text, c.stdout) || !strings.Contains(text, outcome) || !strings.Contains(text, `"change":"`+name) {
				t.Errorf("%s: %+v", name, o)
			}
			if dry != (len(v.wanted) == 0) || dry != (len(v.records) == 0) {
				t.Errorf("%s: asked for %q, the journal has %d records", name, v.wanted, len(v.records))
			}
		}
	}
	o := newVault().runWith(t, &Options{JSON: true}, "", func() (Run, error) {
		return Create(CreateOptions{Delivery: Delivery{Print: true}, Name: "new", Everything: true})
	})
	if o.err == nil || o.stdout != "" {
		t.Errorf("the secret and JSON on one output: %+v", o)
	}
}

// A command has the time that the user gives it. If it fails after it read the secret, that may have been delivered.
func TestSecretsAreGivenToCommands(t *testing.T) {
	t.Parallel()
	v := newVault()
	v.pipeErr = &keystore.CommandError{What: "the command", Err: errors.New("failed"), Changed: true}
	o := v.run(t, func() (Run, error) {
		return Create(CreateOptions{Delivery: Delivery{Command: "x", Within: 5 * time.Minute}, Name: "new", Everything: true})
	})
	if o.err == nil || !strings.Contains(o.stderr, "its secret may have been delivered: the command failed") {
		t.Errorf("%+v", o)
	}
	if v.within > 5*time.Minute || v.within < 4*time.Minute {
		t.Errorf("it has %s", v.within)
	}
	if to := v.memory.Made[0].Handover; to != (keys.Handover{Stage: keys.Handing, To: keys.ToCommand}) {
		t.Errorf("the secret is with %+v", to)
	}
	if _, err := Create(CreateOptions{Delivery: Delivery{Print: true, Within: time.Minute}, Name: "new", Everything: true}); err == nil {
		t.Error("--print takes no time")
	}
}
