package script

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/ui"
)

// vault is a service with API keys of two organizations, its own keyring, journal and memory.
type vault struct {
	noKinds

	method    string // of the key; empty: a personal one
	keys      []models.APIKey
	answer    func(made *models.CreatedAPIKey) error // to a creation, which is carried out
	verifyErr error
	unread    map[models.ListID]error // lists that cannot be read
	saveErr   error                   // of the memory
	records   []keys.Record
	memory    keys.Memory
	wanted    []string // requests for changes
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
	for _, k := range v.keys {
		if k.List == of {
			all = append(all, k)
		}
	}
	return all, v.unread[of]
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
	return k, nil
}

func (v *vault) Verify(context.Context, models.Secret) error     { return v.verifyErr }
func (*vault) Pipe(context.Context, string, models.Secret) error { return nil }
func (*vault) Check() error                                      { return nil }
func (v *vault) Write(r keys.Record) error {
	v.records = append(v.records, r)
	return nil
}
func (*vault) Open() ([]keys.Record, error) { return nil, nil }

func (v *vault) Load() (keys.Memory, error) { return v.memory, nil }

func (v *vault) Change(change func(*keys.Memory)) (keys.Memory, error) {
	change(&v.memory)
	return v.memory, v.saveErr
}

// outcome is what a command printed and how it ended.
type outcome struct {
	stdout, stderr string
	err            error
}

func (v *vault) run(t *testing.T, cmd func() (Run, error)) (o outcome) {
	t.Helper()
	file := func(name string) *os.File {
		f, err := os.Create(filepath.Join(t.TempDir(), name))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	p := Process{Stdin: file("in"), Stdout: file("out"), Stderr: file("err"), Clock: time.Now}
	run, err := cmd()
	if err != nil {
		return outcome{err: err}
	}
	from := NewSource(p, &Options{}, ui.Connection{API: v, Journal: v, Memory: v}, time.Now)
	from.secrets = v
	o.err = run(t.Context(), from)
	for to, f := range map[*string]*os.File{&o.stdout: p.Stdout, &o.stderr: p.Stderr} {
		text, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		*to = string(text)
	}
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

// The secret of a key that is not what was asked for is not delivered, but told with the key.
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
		o := v.run(t, func() (Run, error) { return Revoke(RevokeOptions{Target: c.of, Name: c.name}), nil })
		if (o.err != nil) != (c.says != "") || o.err != nil && !strings.Contains(o.err.Error(), c.says) {
			t.Errorf("%s: %+v", name, o)
		}
		if got := strings.Join(v.wanted, " "); got != c.wanted {
			t.Errorf("%s: asked for %q", name, got)
		}
	}
}

// If a list cannot be read, that is told, and the list is to be named only where that helps.
func TestTheListOfAKeyWithAnUnreadList(t *testing.T) {
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
		v := newVault()
		v.unread = map[models.ListID]error{c.unread: &models.Error{Kind: models.KindServer, Status: 503}}
		o := v.run(t, func() (Run, error) { return Revoke(RevokeOptions{Target: c.of, Name: "ci"}), nil })
		if (o.err != nil) != (c.says != "") || o.err != nil && !strings.HasPrefix(o.err.Error(), c.says) {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

// The key of an organization creates no keys, so that nothing is requested.
func TestKeysThatCreateNone(t *testing.T) {
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
func TestRotationOfScripts(t *testing.T) {
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

// That a rotation cannot be remembered is told once, and stops nothing.
func TestRotationWithoutMemory(t *testing.T) {
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
func TestNamesInANamedList(t *testing.T) {
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

// Before a key is revoked, its last use is told as a sentence.
func TestWhatIsToldOfAKey(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	used := func(ago time.Duration) models.Opt[time.Time] {
		return models.Opt[time.Time]{Value: now.Add(-ago), Known: true}
	}
	from := NewSource(Process{Clock: time.Now}, &Options{}, ui.Connection{API: newVault()}, func() time.Time { return now })
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
