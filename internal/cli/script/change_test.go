package script

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgtower/internal/cli/exit"
	"pgtower/models"
	"pgtower/models/audit"
	"pgtower/models/keychange"
	"pgtower/models/rotation"
	"pgtower/ui"
)

// vault is a service with API keys of two organizations, its own keyring, journal and memory.
type vault struct {
	noKinds

	keys      []models.APIKey
	answer    func(made *models.CreatedAPIKey) error // to a creation, which is carried out
	verifyErr error
	listErr   error // to the request for the account's list
	records   []keychange.Record
	recordErr error
	memory    []rotation.Memory
	wanted    []string // requests for changes
}

func (*vault) Auth(context.Context) (models.Auth, error) {
	return models.Auth{AccountID: "user", Method: "api_key_user"}, nil
}

func (*vault) Organizations(context.Context) ([]models.Organization, error) {
	return []models.Organization{{ID: "org-a", Name: "A"}}, nil
}

func (*vault) User(context.Context) (models.User, error) { return models.User{}, nil }

func (*vault) Projects(context.Context, models.ListID, models.PageRequest) (models.Page[models.Project], error) {
	return models.Page[models.Project]{}, nil
}

func (v *vault) APIKeys(_ context.Context, of models.ListID) (all []models.APIKey, err error) {
	if v.listErr != nil && of.Org == "" {
		return nil, v.listErr
	}
	for _, k := range v.keys {
		if k.List == of {
			all = append(all, k)
		}
	}
	return all, nil
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

func (v *vault) Verify(context.Context, models.Secret) error { return v.verifyErr }
func (*vault) Pipe(_ context.Context, line string, key models.Secret) error {
	if line != "take "+key.Reveal() {
		return errors.New("exit status 1")
	}
	return nil
}
func (v *vault) Check() error { return v.recordErr }
func (v *vault) Write(r keychange.Record) error {
	v.records = append(v.records, r)
	return v.recordErr
}
func (v *vault) Load() ([]rotation.Memory, error) { return v.memory, nil }
func (v *vault) Save(m rotation.Memory) error     { v.memory = []rotation.Memory{m}; return nil }

// outcome is what a command printed and how it ended.
type outcome struct {
	stdout, stderr string
	err            error
}

func (v *vault) run(t *testing.T, readOnly string, cmd func() (Run, error)) (o outcome) {
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
	from := NewSource(p, &Options{}, ui.Connection{
		API: v, Journal: v, Rotations: v, ReadOnly: readOnly,
	}, time.Now)
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
		{ID: 1, Name: "ci", CreatedAt: created, LastUsedAt: used, AsOf: time.Now()},
		{ID: 2, Name: "both", CreatedAt: created, LastUsedAt: used},
		{List: org, ID: 2, Name: "both", CreatedAt: created, LastUsedAt: used, ProjectID: "p"},
	}}
}

// A secret is printed alone, and only where it was asked for. One that could not be delivered is told with the key.
func TestSecretsAreDelivered(t *testing.T) {
	t.Parallel()
	toPrint, toNone := Delivery{Print: true}, Delivery{Command: "exit 1"}
	failed := &models.Error{Kind: models.KindTimeout}
	refused := &models.Error{Kind: models.KindUnauthorized}
	file := filepath.Join(t.TempDir(), "secret")
	for name, c := range map[string]struct {
		to      Delivery
		prepare func(v *vault)
		stdout  string
		says    string
		failed  bool
		created bool
	}{
		"printed":          {to: toPrint, stdout: "napi_made\n", says: "created new (id 103)", created: true},
		"to a command":     {to: Delivery{Command: "take napi_made"}, says: "the command read the secret", created: true},
		"to a file":        {to: Delivery{File: file}, says: "the secret is in " + file, created: true},
		"no folder":        {to: Delivery{File: filepath.Join(file, "x")}, failed: true},
		"the command ends": {to: toNone, says: "pgtower apikeys revoke 103 --name new", failed: true, created: true},
		"no answer": {
			to: toPrint, prepare: func(v *vault) { v.answer = func(*models.CreatedAPIKey) error { return failed } },
			says: "pgtower apikeys revoke 103 --name new", failed: true, created: true,
		},
		"wider than asked": {
			to: toPrint, prepare: func(v *vault) {
				v.answer = func(made *models.CreatedAPIKey) error { made.ProjectID = "p"; return nil }
			}, says: "which was not asked for", failed: true, created: true,
		},
		"refused by the service": {
			to: toPrint, prepare: func(v *vault) { v.verifyErr = refused }, says: "revoke it: ", failed: true, created: true,
		},
		"not verified": {
			to: toPrint, prepare: func(v *vault) { v.verifyErr = failed }, stdout: "napi_made\n", says: "could not verify", created: true,
		},
		"no journal": {to: toPrint, prepare: func(v *vault) { v.recordErr = errors.New("disk full") }, failed: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := newVault()
			if c.prepare != nil {
				c.prepare(v)
			}
			o := v.run(t, "", func() (Run, error) { return Create(CreateOptions{Delivery: c.to, Name: "new", Everything: true}) })
			if o.stdout != c.stdout || !strings.Contains(o.stderr, c.says) || (o.err != nil) != c.failed {
				t.Errorf("%+v", o)
			}
			if strings.Contains(o.stderr, "napi_made") || c.created != (len(v.wanted) == 1) || len(v.wanted) > 1 {
				t.Errorf("asked for %q and said %s", v.wanted, o.stderr)
			}
			if _, usage := errors.AsType[exit.UsageError](o.err); usage {
				t.Errorf("%v is no error in the way that it was called", o.err)
			}
		})
	}
}

// What is not certain is not changed.
func TestKeysOfScripts(t *testing.T) {
	t.Parallel()
	toPrint := Delivery{Print: true}
	ofID := func(id string, org string, account bool) Target {
		target, _ := ParseTarget(id, org, account)
		return target
	}
	revoke := func(target Target, name string) func() (Run, error) {
		return func() (Run, error) { return Revoke(RevokeOptions{Target: target, Name: name}), nil }
	}
	for name, c := range map[string]struct {
		cmd      func() (Run, error)
		readOnly string
		says     string // the error, or empty
		wanted   string
	}{
		"by id and name":             {cmd: revoke(ofID("1", "", false), "ci"), wanted: "revoke ci"},
		"another name":               {cmd: revoke(ofID("1", "", false), "web"), says: "is ci, not web"},
		"no such id":                 {cmd: revoke(ofID("9", "", false), "ci"), says: "no API key has the id 9"},
		"an id of two lists":         {cmd: revoke(ofID("2", "", false), "both"), says: "--org-id or --account"},
		"of the organization":        {cmd: revoke(ofID("2", "org-a", false), "both"), wanted: "revoke both"},
		"of the account":             {cmd: revoke(ofID("2", "", true), "both"), wanted: "revoke both"},
		"not of the organization":    {cmd: revoke(ofID("1", "org-a", false), "ci"), says: "no API key has the id 1"},
		"without a name or terminal": {cmd: revoke(ofID("1", "", false), ""), says: "--name"},
		"read-only":                  {cmd: revoke(ofID("1", "", false), "ci"), readOnly: "profile x", says: "profile x"},
		"without a reach":            {cmd: func() (Run, error) { return Create(CreateOptions{Delivery: toPrint, Name: "n"}) }, says: "--everything, --org-id and --project"},
		"without a delivery":         {cmd: func() (Run, error) { return Create(CreateOptions{Everything: true, Name: "n"}) }, says: "--to-command, --to-file and --print"},
		"a name that is taken":       {cmd: func() (Run, error) { return Create(CreateOptions{Delivery: toPrint, Everything: true, Name: "ci"}) }, says: "already exists"},
		"a successor": {
			cmd: func() (Run, error) {
				return Rotate(RotateOptions{Delivery: toPrint, Target: ofID("2", "org-a", false)})
			},
			wanted: "create both-" + time.Now().UTC().Format("20060102"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := newVault()
			o := v.run(t, c.readOnly, c.cmd)
			if (o.err != nil) != (c.says != "") || o.err != nil && !strings.Contains(o.err.Error(), c.says) {
				t.Errorf("%+v", o)
			}
			if got := strings.Join(v.wanted, " "); got != c.wanted {
				t.Errorf("asked for %q", got)
			}
		})
	}
}

// A rotation is remembered, and its verification proves nothing.
func TestRotationOfScripts(t *testing.T) {
	t.Parallel()
	v := newVault()
	o := v.run(t, "", func() (Run, error) {
		return Rotate(RotateOptions{Delivery: Delivery{Print: true}, Target: Target{ID: 2, Org: "org-a"}, Quiet: time.Hour})
	})
	if o.err != nil || len(v.memory) != 1 {
		t.Fatalf("%+v, %+v", o, v.memory)
	}
	made := v.keys[len(v.keys)-1]
	m := v.memory[0]
	if made.Reach() != (models.Reach{Org: "org-a", Project: "p"}) || m.Successor != made.Ref() || m.Quiet != time.Hour {
		t.Errorf("%+v is remembered of %+v", m, made)
	}
	if m.Mark.Before(m.Began) || v.records[0].Replaces != 2 || v.records[0].Change != keychange.Rotated {
		t.Errorf("%+v, %+v", m, v.records)
	}
}

// The exit code of an audit tells whether there are findings, and whether all lists were read.
func TestAudit(t *testing.T) {
	t.Parallel()
	v := newVault()
	one := func() (Run, error) { return Audit(&Options{JSON: true}, AuditOptions{Limits: audit.Defaults()}) }
	o := v.run(t, "", one)
	if !errors.Is(o.err, exit.ErrSaid) || !strings.Contains(o.stdout, `"findings":["everything"]`) {
		t.Errorf("%+v", o)
	}
	v.keys = v.keys[2:]
	if o = v.run(t, "", one); o.err != nil {
		t.Errorf("%+v", o)
	}
	v.listErr = &models.Error{Kind: models.KindForbidden}
	if o = v.run(t, "", one); !errors.Is(o.err, exit.ErrIncomplete) || !strings.Contains(o.stdout, `"name":"both"`) {
		t.Errorf("%+v", o)
	}
}
