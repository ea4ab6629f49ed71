//go:build linux

//nolint:paralleltest // there is one session, whose state the tests change
package keystore_test

import (
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"pgtower/keystore"
	"pgtower/models"
)

// These tests need a session of their own, whose keyring is in a known state: .ci/keyring makes one for each.
const (
	unlocked = "1"      // gnome-keyring runs and is unlocked
	fresh    = "fresh"  // gnome-keyring runs and has no collection yet
	none     = "none"   // a bus without a keyring
	played   = "played" // a bus without a keyring, whose part the test plays
)

func need(t *testing.T, session string) {
	t.Helper()
	if os.Getenv("PGTOWER_TEST_SECRET_SERVICE") != session {
		t.Skipf("needs PGTOWER_TEST_SECRET_SERVICE=%s in a session of its own: run .ci/keyring", session)
	}
}

func account(t *testing.T, host string) keystore.Account {
	t.Helper()
	return keystore.Account{Profile: t.Name(), Host: host}
}

// mustEnd makes a call that must fail for the reason, and not hang.
func mustEnd(t *testing.T, want keystore.Reason, call func() error) {
	t.Helper()
	start := time.Now()
	err := call()
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("took %v", took)
	}
	var e *keystore.Error
	if !errors.As(err, &e) || e.Reason != want {
		t.Fatalf("got %v, want %q", err, want)
	}
}

// everyCallMustEnd makes each call in a test of its own.
func everyCallMustEnd(t *testing.T, want keystore.Reason) {
	t.Helper()
	k := keystore.New(nil)
	a := account(t, "console.example")
	for name, call := range map[string]func(context.Context) error{
		"get": func(ctx context.Context) error { _, err := k.Get(ctx, a); return err },
		"set": func(ctx context.Context) error {
			return k.Set(ctx, a, keystore.Key{Secret: models.NewSecret("napi_s3cret")})
		},
		"delete": func(ctx context.Context) error { return k.Delete(ctx, a) },
	} {
		t.Run(name, func(t *testing.T) {
			mustEnd(t, want, func() error { return call(t.Context()) })
		})
	}
}

// A key is read by another run of the program as it was saved, until it is replaced or deleted.
func TestSecretServiceKeepsKeys(t *testing.T) {
	need(t, unlocked)
	k := keystore.New(nil)
	a := account(t, "console.example")
	if _, err := k.Get(t.Context(), a); !errors.Is(err, keystore.ErrNotFound) {
		t.Fatalf("before: got %v", err)
	}
	if err := k.Delete(t.Context(), a); !errors.Is(err, keystore.ErrNotFound) {
		t.Fatalf("delete of nothing: got %v", err)
	}
	for _, want := range []keystore.Key{
		{Secret: models.NewSecret("napi_first")},
		{Secret: models.NewSecret("napi_second"), ID: 165440},
		{Secret: models.NewSecret(strings.Repeat("k", 4096)), ID: math.MaxInt64},
	} {
		if err := k.Set(t.Context(), a, want); err != nil {
			t.Fatal(err)
		}
		// Another Keyring is another run of the program.
		got, err := keystore.New(nil).Get(t.Context(), a)
		if err != nil || got != want {
			t.Fatalf("got the id %d and %d bytes, %v, want %d and %d bytes",
				got.ID, len(got.Secret.Reveal()), err, want.ID, len(want.Secret.Reveal()))
		}
	}
	if err := k.Delete(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Get(t.Context(), a); !errors.Is(err, keystore.ErrNotFound) {
		t.Fatalf("after: got %v", err)
	}
}

// Another program may have added an item that matches, too. After a deletion, none is left.
func TestSecretServiceDeletesEveryItem(t *testing.T) {
	need(t, unlocked)
	k := keystore.New(nil)
	a := account(t, "console.example")
	if err := k.Set(t.Context(), a, keystore.Key{Secret: models.NewSecret("napi_first")}); err != nil {
		t.Fatal(err)
	}
	for _, more := range []string{"second", "third"} {
		store := exec.CommandContext(t.Context(), "secret-tool", "store", "--label", more,
			"service", keystore.Service, "username", a.String(), "more", more)
		store.Stdin = strings.NewReader("napi_" + more)
		if out, err := store.CombinedOutput(); err != nil {
			t.Fatalf("%v, %s", err, out)
		}
	}
	if err := k.Delete(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	if got, err := k.Get(t.Context(), a); !errors.Is(err, keystore.ErrNotFound) {
		t.Errorf("still there: %d bytes, %v", len(got.Secret.Reveal()), err)
	}
}

// A key is of one host with its port, and is deleted without those of other hosts.
func TestSecretServiceBindsKeysToHosts(t *testing.T) {
	need(t, unlocked)
	k := keystore.New(nil)
	hosts := []string{"console.example", "other.example", "console.example:8443"}
	for _, host := range hosts {
		if err := k.Set(t.Context(), account(t, host), keystore.Key{Secret: models.NewSecret("napi_" + host)}); err != nil {
			t.Fatal(err)
		}
	}
	for _, host := range hosts {
		if got, err := k.Get(t.Context(), account(t, host)); err != nil || got.Secret.Reveal() != "napi_"+host {
			t.Errorf("%s: got the key %q, %v", host, got.Secret.Reveal(), err)
		}
	}
	if err := k.Delete(t.Context(), account(t, hosts[0])); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Get(t.Context(), account(t, hosts[0])); !errors.Is(err, keystore.ErrNotFound) {
		t.Errorf("deleted: got %v", err)
	}
	for _, host := range hosts[1:] {
		if _, err := k.Get(t.Context(), account(t, host)); err != nil {
			t.Errorf("%s: gone with another host's: %v", host, err)
		}
	}
}

// TestSecretServiceZLocked is the last one of its session: unlocking again needs a prompt.
func TestSecretServiceZLocked(t *testing.T) {
	need(t, unlocked)
	conn, err := dbus.ConnectSessionBus()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	login := dbus.ObjectPath("/org/freedesktop/secrets/collection/login")
	err = conn.Object("org.freedesktop.secrets", "/org/freedesktop/secrets").
		Call("org.freedesktop.Secret.Service.Lock", 0, []dbus.ObjectPath{login}).Err
	if err != nil {
		t.Fatal(err)
	}
	everyCallMustEnd(t, keystore.ReasonLocked)
}

// Without a collection, each call ends with that reason.
func TestSecretServiceWithoutCollection(t *testing.T) {
	need(t, fresh)
	everyCallMustEnd(t, keystore.ReasonNoCollection)
}

// Without a keyring, each call ends with that reason, and starts none.
func TestSecretServiceMissing(t *testing.T) {
	need(t, none)
	everyCallMustEnd(t, keystore.ReasonNoService)
	conn, err := dbus.ConnectSessionBus()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	var running bool
	err = conn.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, "org.freedesktop.secrets").Store(&running)
	if err != nil || running {
		t.Errorf("a keyring was started: %v, %v", running, err)
	}
}

// With a keyring that never responds, each call ends at the deadline.
func TestSecretServiceThatNeverResponds(t *testing.T) {
	need(t, played)
	play(t, &player{silent: true})
	everyCallMustEnd(t, keystore.ReasonTimeout)
}

// A prompt that nobody answers ends the call at the deadline, and the next call, too.
func TestSecretServicePromptTimesOut(t *testing.T) {
	need(t, played)
	p := play(t, &player{})
	k := keystore.New(nil)
	set := func() error {
		return k.Set(t.Context(), account(t, "console.example"), keystore.Key{Secret: models.NewSecret("napi_s3cret")})
	}
	mustEnd(t, keystore.ReasonTimeout, set)
	if !p.asked() {
		t.Error("no prompt was shown: the test proves nothing")
	}
	mustEnd(t, keystore.ReasonTimeout, set)
}

// A prompt that is dismissed is a refusal.
func TestSecretServicePromptThatIsDismissed(t *testing.T) {
	need(t, played)
	p := play(t, &player{dismiss: true})
	mustEnd(t, keystore.ReasonDenied, func() error {
		return keystore.New(nil).
			Set(t.Context(), account(t, "console.example"), keystore.Key{Secret: models.NewSecret("napi_s3cret")})
	})
	if !p.asked() {
		t.Error("no prompt was shown: the test proves nothing")
	}
}
