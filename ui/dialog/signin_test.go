package dialog_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/action"
	"pgtower/ui/dialog"
)

const service = "https://console.example/api/v2"

// form is a sign-in form with its requests.
type form struct {
	*dialog.SignIn

	asked []string
}

func newSignIn(change func(*dialog.SignInSpec)) *form {
	f := &form{}
	note := func(what string) tea.Cmd {
		f.asked = append(f.asked, what)
		return func() tea.Msg { return what }
	}
	o := dialog.SignInSpec{
		BaseURL: service,
		Submit: func(baseURL string, key models.Secret, _ string) tea.Cmd {
			return note(baseURL + " with " + key.Reveal())
		},
		LookAgain: func(baseURL string) tea.Cmd { return note("a key for " + baseURL) },
		Demo:      func() tea.Cmd { return note("the demo") },
		Profiles:  func() { note("profiles") },
	}
	if change != nil {
		change(&o)
	}
	f.SignIn = dialog.NewSignIn(o)
	return f
}

// press runs the actions with these titles, or types.
func (f *form) press(keys ...string) {
	codes := map[string]tea.KeyPressMsg{
		"enter": {Code: tea.KeyEnter}, "tab": {Code: tea.KeyTab}, "esc": {Code: tea.KeyEscape}, "ctrl+u": {Code: 'u', Mod: tea.ModCtrl},
	}
	for _, key := range keys {
		k, ok := codes[key]
		if !ok {
			f.Update(tea.PasteMsg{Content: key})
			continue
		}
		if a, ok := action.Find(f.Actions(), k); ok && a.Reason() == "" {
			a.Run()
		}
	}
}

// screen returns the drawn form.
func (f *form) screen() string { return view(f, frame(80, 24)) }

// Enter submits the key for the service, looks for a key without one, and opens the demo for d.
func TestSignInSubmits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		keys []string
		want string
	}{
		"a key":               {[]string{"napi_1", "enter", "enter"}, service + " with napi_1"},
		"nothing":             {[]string{"enter"}, "a key for " + service},
		"the demo":            {[]string{"d", "enter"}, "the demo"},
		"profiles":            {[]string{"napi_1", "esc"}, "profiles"},
		"another service":     {[]string{"tab", "ctrl+u", "https://elsewhere.example", "enter", "napi_2", "enter"}, "https://elsewhere.example with napi_2"},
		"another after a key": {[]string{"napi_3", "tab", "/x", "enter"}, service + "/x with napi_3"},
		"no key at all":       {[]string{"a b", "enter", "enter"}, ""},
	} {
		f := newSignIn(nil)
		f.press(c.keys...)
		if got := strings.Join(f.asked, ", "); got != c.want {
			t.Errorf("%s: asked for %q, want %q", name, got, c.want)
		}
	}
}

// A wrong address is reported in its field, whichever way the user leaves it, and no key is asked for.
func TestSignInAtAWrongService(t *testing.T) {
	t.Parallel()
	for _, leave := range []string{"tab", "enter"} {
		for _, key := range []string{"", "napi_1"} {
			f := newSignIn(func(o *dialog.SignInSpec) { o.Keeps = true })
			f.press(key, "tab", "ctrl+u", "127.0.0.1:8787/api/v2", leave)
			screen := f.screen()
			if !strings.Contains(screen, "✗ invalid base URL: it has no scheme") || strings.Contains(screen, "only to 127") {
				t.Errorf("%q, %s:\n%s", key, leave, screen)
			}
			f.press("/x")
			if screen := f.screen(); !strings.Contains(screen, "/api/v2/x") || len(f.asked) > 0 {
				t.Errorf("%q, %s: asked for %q\n%s", key, leave, f.asked, screen)
			}
		}
	}
}

// The form says where the service makes keys, as long as it is that service.
func TestSignInSaysWhereKeysAreMade(t *testing.T) {
	t.Parallel()
	const address = "https://console.example/app/settings/api-keys"
	f := newSignIn(func(o *dialog.SignInSpec) { o.Keeps, o.KeysURL = true, address })
	if screen := f.screen(); f.KeysURL() != address || !strings.Contains(screen, address) {
		t.Errorf("%q\n%s", f.KeysURL(), screen)
	}
	f.press("tab", "/more")
	if f.KeysURL() != address {
		t.Error("another path of the service has no address")
	}
	f.press("ctrl+u", "https://elsewhere.example/api/v2")
	if screen := f.screen(); f.KeysURL() != "" || strings.Contains(screen, address) || !strings.Contains(screen, "under account settings") {
		t.Errorf("%q\n%s", f.KeysURL(), screen)
	}
	f.press("ctrl+u", "nonsense")
	if f.KeysURL() != "" {
		t.Errorf("%q", f.KeysURL())
	}
}

// Without a demo, d is a key like any other, and without other profiles esc does nothing.
func TestSignInWithoutADemoTakesAWordForAKey(t *testing.T) {
	t.Parallel()
	f := newSignIn(func(o *dialog.SignInSpec) { o.Demo, o.Profiles, o.Keeps = nil, nil, true })
	f.press("esc", "d", "enter")
	if !slices.Equal(f.asked, []string{service + " with d"}) || strings.Contains(f.screen(), "demo") {
		t.Errorf("asked for %q\n%s", f.asked, f.screen())
	}
}

// The form offers the demo again after its key was revoked: there is no console to create another one.
func TestSignInOfTheDemo(t *testing.T) {
	t.Parallel()
	f := newSignIn(func(o *dialog.SignInSpec) { o.Keeps, o.Over = false, true })
	screen := f.screen()
	if !strings.Contains(screen, "d ↵: open the demo again.") || strings.Contains(screen, "console, under") {
		t.Error(screen)
	}
}

// While a key is verified, nothing can be typed. A refused key is cleared, and one that could not be verified stays.
func TestSignInClearsARefusedKeyAndKeepsAnUntriedOne(t *testing.T) {
	t.Parallel()
	refused := &models.Error{Kind: models.KindUnauthorized, Status: http.StatusUnauthorized}
	for _, c := range []struct {
		err   error
		typed bool
		want  string
	}{
		{refused, false, "✗ That key was refused (401). Try another."},
		{fmt.Errorf("try the key: %w", errors.New("no answer")), true, "✗ try the key: no answer"},
		{&models.Error{Kind: models.KindServer, Hint: "Ask the operator."}, true, "Ask the operator."},
	} {
		f := newSignIn(nil)
		f.press("napi_1", "enter")
		if !strings.Contains(f.screen(), "◌ verifying the key…") || !strings.Contains(f.screen(), "( Sign in )") {
			t.Errorf("a key is being tried:\n%s", f.screen())
		}
		f.press("more", "ctrl+u", "tab") // no effect
		f.Refused(c.err)
		screen := f.screen()
		if !strings.Contains(screen, c.want) || strings.Contains(screen, "••••••") != c.typed || strings.Contains(screen, "napi") {
			t.Errorf("want %q, the key kept %v:\n%s", c.want, c.typed, screen)
		}
	}
}

// Only the length of the key is announced.
func TestSignInNeverSaysTheKey(t *testing.T) {
	t.Parallel()
	f := newSignIn(nil)
	f.press("napi_secret", "enter")
	said := fmt.Sprintf("%+v", f.Describe(frame(80, 24)))
	if strings.Contains(said, "napi") || !strings.Contains(said, "Verifying the key of 11 characters.") {
		t.Error(said)
	}
}

// Keys pressed when the form appears were meant for the page, as are those that follow without a pause.
func TestSignInIgnoresKeysTypedBeforeIt(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	f := newSignIn(nil)
	if f.Unmeant(start) {
		t.Error("a form that was there from the beginning is meant")
	}
	f.Guard(start)
	for _, c := range []struct {
		after time.Duration
		want  bool
	}{{0, true}, {400 * time.Millisecond, true}, {800 * time.Millisecond, true}, {1400 * time.Millisecond, false}, {1500 * time.Millisecond, false}} {
		if got := f.Unmeant(start.Add(c.after)); got != c.want {
			t.Errorf("after %s: %v", c.after, got)
		}
	}
	f.Guard(start)
	if f.press("napi_pasted"); f.Unmeant(start) {
		t.Error("what was pasted was meant for the form")
	}
}
