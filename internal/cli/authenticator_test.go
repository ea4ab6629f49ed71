package cli

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/client/mock"
	"pgtower/internal/faultserver"
	"pgtower/keystore"
	"pgtower/models"
	"pgtower/models/control"
	"pgtower/models/settings"
)

// A session goes on with its key when another pgtower saves a newer one in the keyring. It reads the newer one only after its
// own key was refused at this address.
func TestAuthenticatorForgetsARefusedKey(t *testing.T) {
	t.Parallel()
	a := accountsOf(t, threeProfiles, nil)
	const base = "https://work.example/api/v2"
	g, ring := a.authenticators[0], &memoryRing{items: map[string]string{"work@work.example": "napi_first"}}
	net := &internet{good: map[string]bool{"napi_first": true, "napi_made": true, "napi_newer": true}}
	g.options.Transport, g.sources.Ring = net, keystore.New(ring)
	open := func(want string) control.Connection {
		t.Helper()
		c, err := g.Open(t.Context(), base)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.API.Projects(t.Context(), models.ListID{}, models.PageRequest{}); err != nil {
			t.Error(err)
		}
		if asked := net.take(); len(asked) != 1 || asked[0] != (request{"work.example", want}) {
			t.Errorf("asked %v, want the key %s", asked, want)
		}
		if c.BaseURL != base || c.Host != "work.example" {
			t.Errorf("the connection says that it is to %s, %s", c.BaseURL, c.Host)
		}
		return c
	}
	c := open("napi_first")
	if _, err := c.KeyStore.Save(t.Context(), models.CreatedAPIKey{ID: 7, Key: models.NewSecret("napi_made")}); err != nil {
		t.Fatal(err)
	}
	ring.items["work@work.example"] = "napi_newer"
	open("napi_made")
	g.Forget("https://typed.example/api/v2") // where another key was refused
	open("napi_made")
	g.Forget(base)
	open("napi_newer")
}

// A session knows the key that it saved as its own, also where no state can be written.
func TestAuthenticatorKnowsItsOwnKeyWithoutAFile(t *testing.T) {
	t.Parallel()
	a := accountsOf(t, threeProfiles, nil)
	g, ring := a.authenticators[0], &memoryRing{items: map[string]string{"work@work.example": "napi_first"}}
	g.options.Transport = &internet{good: map[string]bool{"napi_first": true, "napi_made": true}}
	g.sources.Ring, g.memory.file.Path = keystore.New(ring), "/dev/null/state.json"
	c, err := g.Open(t.Context(), "https://work.example/api/v2")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.KeyStore.Save(t.Context(), models.CreatedAPIKey{ID: 7, Key: models.NewSecret("napi_made")}); err != nil {
		t.Fatal(err)
	}
	memory, _ := c.Memory.Load()
	if len(memory.Made) != 1 || memory.Made[0].Key.ID != 7 || !memory.Made[0].Own {
		t.Errorf("remembered: %+v", memory.Made)
	}
}

// A sign-in at a typed address saves its key in the keyring, and so does a second one there with another key. Back at the
// previous address, which the profile no longer has, a notice says so, and no key is saved.
func TestAuthenticatorTypedAddressIsTheProfilesOwn(t *testing.T) {
	t.Parallel()
	a := accountsOf(t, "", nil)
	const base = "https://typed.example/api/v2"
	g, ring := a.authenticators[0], &memoryRing{items: map[string]string{}}
	previous := g.profileURL
	g.options.Transport = &internet{good: map[string]bool{"napi_first": true, "napi_second": true}}
	g.sources.Ring = keystore.New(ring)
	for _, key := range []string{"napi_first", "napi_second"} {
		c, err := g.SignIn(t.Context(), base, models.NewSecret(key), "")
		if first := key == "napi_first"; err != nil || first == (c.Warning == "") {
			t.Errorf("%s: %v, warning %q", key, err, c.Warning)
		}
		if kept := ring.items["default@typed.example"]; kept != key {
			t.Errorf("the keyring has %q, want %s", kept, key)
		}
	}
	c, err := g.SignIn(t.Context(), previous, models.NewSecret("napi_first"), "")
	if err != nil || c.Warning == "" || len(ring.items) != 1 {
		t.Errorf("back at %s: %v, warning %q, the keyring has %d keys", previous, err, c.Warning, len(ring.items))
	}
}

// The profile does not remember the project of a key for another address: it would ask for that project with its own key.
func TestAuthenticatorKeyOfAnotherAddressIsNotTheProfiles(t *testing.T) {
	t.Parallel()
	a := accountsOf(t, threeProfiles, nil)
	const base, typed = "https://work.example/api/v2", "https://typed.example/api/v2"
	g := a.authenticators[0]
	g.options.Transport = &internet{good: map[string]bool{"napi_first": true}}
	g.sources.Ring = keystore.New(&memoryRing{items: map[string]string{
		"work@work.example": "napi_first", "work@typed.example": "napi_first",
	}})
	for _, address := range []string{typed, base} {
		if _, err := g.SignIn(t.Context(), address, models.Secret{}, "p1"); err != nil {
			t.Fatal(err)
		}
		read, err := g.memory.file.Read()
		if _, saved := read.Keys["work"]; err != nil || saved != (address == base) {
			t.Errorf("%s: %v, %v", address, read.Keys, err)
		}
	}
}

// The demo refuses every other address, before and after it was started: a key for another service must not reach it.
func TestDemoIsAtItsOwnAddressOnly(t *testing.T) {
	t.Parallel()
	a := accountsOf(t, "", nil, "--demo")
	defer a.close()
	d := a.demo
	if _, err := d.SignIn(t.Context(), "https://typed.example/api/v2", models.NewSecret("napi_typed"), ""); err == nil {
		t.Error("a key for another service was taken before the demo began")
	}
	c, err := d.Open(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Open(t.Context(), "https://typed.example/api/v2"); err == nil {
		t.Error("the demo is taken for another service")
	}
	key := models.NewSecret(d.server.Load().mock.APIKey())
	if _, err := d.SignIn(t.Context(), "https://typed.example/api/v2", key, ""); err == nil {
		t.Error("a key for another service was taken")
	}
	if _, err := d.SignIn(t.Context(), c.BaseURL, key, ""); err != nil {
		t.Error(err)
	}
}

// A key that pgtower made keeps its id when the user gives it again, to the dashboard or to login.
func TestAuthenticatorKnownKeyKeepsItsID(t *testing.T) {
	t.Parallel()
	ring := keystore.New(&memoryRing{items: map[string]string{}})
	sources := keystore.Sources{Profile: settings.Profile{Name: "work"}, Host: "work.example", Ring: ring}
	made := keystore.Key{Secret: models.NewSecret("napi_made"), ID: 7}
	if err := ring.Set(t.Context(), sources.Account(), made); err != nil {
		t.Fatal(err)
	}
	other := keystore.Key{Secret: models.NewSecret("napi_other")}
	for _, want := range []keystore.Key{made, other} {
		if got := knownKey(t.Context(), sources, want.Secret); got != want {
			t.Errorf("got the id %d, want %d", got.ID, want.ID)
		}
	}
}

// A key may have been saved by a keyring that still prompts, and by a command that ran.
func TestAuthenticatorErrorsAfterWhichAKeyMayBeSaved(t *testing.T) {
	t.Parallel()
	for want, errs := range map[bool][]error{
		true: {
			&keystore.Error{Reason: keystore.ReasonTimeout}, &keystore.Error{Reason: keystore.ReasonCanceled},
			&keystore.CommandError{Err: errors.New("exit status 1"), Changed: true},
		},
		false: {
			&keystore.Error{Reason: keystore.ReasonLocked}, &keystore.CommandError{Err: errors.New("no such file")}, errors.New("other"),
		},
	} {
		for _, err := range errs {
			if got := maybeSaved(err); errors.Is(got, control.ErrMaybeSaved) != want || !errors.Is(got, err) {
				t.Errorf("%#v: got %v", err, got)
			}
		}
	}
}

// A sign-in in the dashboard remembers the lists that the key cannot read, as login does, and the session has these lists.
func TestAuthenticatorRemembersTheReachOfTheKey(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // a sign-in waits for some of this only for a while
		server, err := mock.New(mock.Options{Clock: time.Now, Organizations: 3})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := server.Faults.Add("mfa org=" + server.OrgKeys()[1].OrgID); err != nil {
			t.Fatal(err)
		}
		a := accountsOf(t, "", nil)
		g := a.authenticators[0]
		g.options.Transport = faultserver.InProcess{Handler: server}
		g.sources.Ring = keystore.New(&memoryRing{items: map[string]string{}})
		c, err := g.SignIn(t.Context(), "https://mock.example"+mock.BasePath, models.NewSecret(server.APIKey()), "")
		if err != nil || len(c.Account.Projects()) == 0 {
			t.Fatalf("%v, %d projects", err, len(c.Account.Projects()))
		}
		read, err := g.memory.file.Read()
		saved := read.Keys["default"]
		const about = "personal key of demo, 3 organizations; ✗ cannot read the projects of Globex (403)"
		if err != nil || !strings.HasPrefix(saved.About, about) || saved.Origin != string(keystore.OriginKeyring) {
			t.Errorf("%+v, %v", saved, err)
		}
	})
}
