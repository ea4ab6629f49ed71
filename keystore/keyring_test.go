package keystore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zalando/go-keyring"
	"go.uber.org/goleak"

	"pgtower/models"
)

// TestMain checks that no test leaves a goroutine behind.
func TestMain(m *testing.M) {
	if os.Getenv(secretServiceEnv) != "" {
		// go-keyring keeps its connection to the bus for the life of the process.
		os.Exit(m.Run())
	}
	goleak.VerifyTestMain(m)
}

const secretServiceEnv = "PGTOWER_TEST_SECRET_SERVICE"

func over(r Ring) *Keyring { return New(r) }

func acme() Account { return Account{Profile: "acme", Host: "console.example"} }

// wantReason checks the reason, and that the error has advice and no secret.
func wantReason(t *testing.T, err error, want Reason) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want an *Error", err)
	}
	if e.Reason != want {
		t.Errorf("got reason %q (%v), want %q", e.Reason, err, want)
	}
	// The advice is printed after the error. It is of no use to a user who wants to delete a key.
	if advised := e.Advice() != ""; advised != (e.Doing != "delete" && want != ReasonCanceled) {
		t.Errorf("%q: the advice is %q", err, e.Advice())
	}
	if strings.Contains(err.Error(), "PGTOWER_API_KEY") {
		t.Errorf("%q has the advice", err)
	}
	if strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), "s3cret") {
		t.Errorf("%q contains the key", err)
	}
}

// A key is read as it was saved, with its id, until it is replaced or deleted.
func TestKeyringKeepsKeys(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	k := over(&fakeRing{})

	if _, err := k.Get(ctx, acme()); !errors.Is(err, ErrNotFound) {
		t.Fatalf("empty: got %v", err)
	}
	if err := k.Delete(ctx, acme()); !errors.Is(err, ErrNotFound) {
		t.Fatalf("delete of nothing: got %v", err)
	}
	for _, want := range []Key{
		{Secret: models.NewSecret("s3cret-1")},
		{Secret: models.NewSecret("s3cret-2"), ID: 165440},
	} {
		if err := k.Set(ctx, acme(), want); err != nil {
			t.Fatal(err)
		}
		if got, err := k.Get(ctx, acme()); err != nil || got != want {
			t.Fatalf("got %d %q, %v", got.ID, got.Secret.Reveal(), err)
		}
	}
	if err := k.Delete(ctx, acme()); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Get(ctx, acme()); !errors.Is(err, ErrNotFound) {
		t.Fatalf("after delete: got %v", err)
	}
}

// A key is of one profile and one host, with its port. The case of the host makes no difference.
func TestKeyringKeepsAccountsApart(t *testing.T) {
	t.Parallel()
	k := over(&fakeRing{})
	if err := k.Set(t.Context(), acme(), Key{Secret: models.NewSecret("s3cret")}); err != nil {
		t.Fatal(err)
	}
	for _, other := range []Account{
		{"acme", "evil.example"},
		{"acme", "console.example:8443"},
		{"acme", "console.example."},
		{"other", "console.example"},
		{"acme@console.example", "console.example"},
	} {
		if _, err := k.Get(t.Context(), other); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: got %v", other, err)
		}
	}
	if _, err := k.Get(t.Context(), Account{"acme", "CONSOLE.example"}); err != nil {
		t.Errorf("the same host in capitals: %v", err)
	}
}

// The keyring is not asked for an account that could be taken for another one.
func TestKeyringRefusesAnInvalidAccount(t *testing.T) {
	t.Parallel()
	for _, a := range []Account{
		{},
		{Profile: "acme"},
		{Host: "console.example"},
		{"ac\nme", "console.example"},
		{"ac\u202eme", "console.example"},
		{"acme", "a@console.example"},
		{"acme", "console.example/path"},
		{"acme", "console example"},
		{"acme", "cönsole.example"},
	} {
		f := &fakeRing{}
		_, err := over(f).Get(t.Context(), a)
		wantReason(t, err, ReasonOther)
		if f.count() != 0 {
			t.Errorf("%q: the keyring was asked", a)
		}
	}
}

// A text that can be no key is not saved, and an empty item is no key.
func TestKeyringRefusesAnInvalidKey(t *testing.T) {
	t.Parallel()
	f := &fakeRing{}
	for _, key := range []string{"", " \n", "two words", "s3cret\x1b"} {
		err := over(f).Set(t.Context(), acme(), Key{Secret: models.NewSecret(key)})
		wantReason(t, err, ReasonOther)
		if !errors.Is(err, models.ErrBadSecret) {
			t.Errorf("%q: got %v", key, err)
		}
	}
	if f.count() != 0 {
		t.Error("the keyring was asked")
	}
	f.items = map[string]string{Service + "/" + acme().String(): " "}
	if _, err := over(f).Get(t.Context(), acme()); !errors.Is(err, ErrNotFound) {
		t.Errorf("an empty item: got %v", err)
	}
}

// A dismissed prompt is an error, although go-keyring returns none.
func TestKeyringReadsBackWhatItSaved(t *testing.T) {
	t.Parallel()
	t.Run("dismissed", func(t *testing.T) {
		t.Parallel()
		err := over(&fakeRing{dismiss: true}).Set(t.Context(), acme(), Key{Secret: models.NewSecret("s3cret")})
		wantReason(t, err, ReasonDenied)
	})
	t.Run("dismissed over an older key", func(t *testing.T) {
		t.Parallel()
		f := &fakeRing{dismiss: true, items: map[string]string{Service + "/" + acme().String(): "older"}}
		err := over(f).Set(t.Context(), acme(), Key{Secret: models.NewSecret("s3cret")})
		wantReason(t, err, ReasonLeft)
	})
}

// Nothing is left after a deletion without an error, however many items match.
func TestKeyringDeletesEveryItem(t *testing.T) {
	t.Parallel()
	item := Service + "/" + acme().String()
	for name, more := range map[string][]string{
		"one": nil, "two": {"other"}, "the same twice": {"s3cret"}, "many": {"a", "b", "c", "d", "e", "f", "g", "h"},
	} {
		f := &fakeRing{items: map[string]string{item: "s3cret"}, more: more}
		if err := over(f).Delete(t.Context(), acme()); err != nil || len(f.items) != 0 || len(f.more) != 0 {
			t.Errorf("%s: %v, left %d and %d", name, err, len(f.items), len(f.more))
		}
	}
	f := &fakeRing{items: map[string]string{item: "s3cret"}, keeps: true}
	wantReason(t, over(f).Delete(t.Context(), acme()), ReasonLeft)
	deleted := 0
	for _, call := range f.calls {
		if call == "delete" {
			deleted++
		}
	}
	if deleted != maxSame {
		t.Errorf("asked to delete %d times", deleted)
	}
}

// An error of the keyring has its reason, and cannot act on a terminal.
func TestKeyringReasons(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want Reason
	}{
		{errors.New("something s\x1b[31mtrange"), ReasonOther},
		{keyring.ErrSetDataTooBig, ReasonTooBig},
		{keyring.ErrUnsupportedPlatform, ReasonUnsupported},
		{ReasonLocked, ReasonLocked},
		{fmt.Errorf("%w: %w", ReasonNoBus, errors.New("no bus")), ReasonNoBus},
	} {
		k := over(&fakeRing{before: func(string) error { return c.err }})
		err := k.Set(t.Context(), acme(), Key{Secret: models.NewSecret("s3cret")})
		wantReason(t, err, c.want)
		if strings.ContainsRune(err.Error(), '\x1b') {
			t.Errorf("%q can act on a terminal", err)
		}
	}
}

// Each reason has words of its own.
func TestKeyringReasonsHaveTexts(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for r := ReasonOther; r <= ReasonCanceled; r++ {
		if seen[r.Error()] {
			t.Errorf("%d has the words of another reason: %q", r, r)
		}
		seen[r.Error()] = true
	}
}

// After a probe that fails, the keyring is not asked.
func TestKeyringProbeComesFirst(t *testing.T) {
	t.Parallel()
	f := &fakeRing{}
	k := over(f)
	k.probe = func(context.Context) error { return ReasonNoService }
	_, err := k.Get(t.Context(), acme())
	wantReason(t, err, ReasonNoService)
	if f.count() != 0 {
		t.Error("the keyring was asked although the probe failed")
	}
}

// A panic in go-keyring is an error.
func TestKeyringThatPanics(t *testing.T) {
	t.Parallel()
	k := over(&fakeRing{before: func(string) error { panic("interface conversion") }})
	_, err := k.Get(t.Context(), acme())
	wantReason(t, err, ReasonOther)
}

// A call that hangs ends at the deadline. Those after it end in time, too, and start no more calls.
func TestKeyringThatHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		f := &fakeRing{before: func(string) error { <-release; return nil }}
		k := over(f)
		start := time.Now()
		_, err := k.Get(t.Context(), acme())
		wantReason(t, err, ReasonTimeout)
		if took := time.Since(start); took != deadline {
			t.Errorf("took %v", took)
		}

		// While that call hangs, others end in time too and start no more.
		for range 3 {
			wantReason(t, k.Delete(t.Context(), acme()), ReasonTimeout)
		}
		if f.count() != 1 {
			t.Errorf("%d calls hang", f.count())
		}

		close(release)
		synctest.Wait()
		if err := k.Set(t.Context(), acme(), Key{Secret: models.NewSecret("s3cret")}); err != nil {
			t.Errorf("after it answered: %v", err)
		}
	})
}

// A probe that hangs ends at the deadline, and the keyring is not asked after it.
func TestKeyringProbeThatHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fakeRing{}
		k := over(f)
		k.probe = func(ctx context.Context) error {
			<-ctx.Done()
			return fmt.Errorf("%w: %w", ReasonNoBus, ctx.Err())
		}
		_, err := k.Get(t.Context(), acme())
		wantReason(t, err, ReasonTimeout)
		synctest.Wait()
		if f.count() != 0 {
			t.Error("the keyring was asked after the deadline")
		}
	})
}

// A call ends as soon as its context is canceled.
func TestKeyringCallIsCanceled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		k := over(&fakeRing{before: func(string) error { <-release; return nil }})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Millisecond, cancel)
		start := time.Now()
		_, err := k.Get(ctx, acme())
		wantReason(t, err, ReasonCanceled)
		if took := time.Since(start); took != time.Millisecond {
			t.Errorf("took %v", took)
		}
	})
}
