package ui

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/client/mock"
	"pgtower/ui/announce"
)

// prints records the lines of Bubble Tea's print messages, and reports whether msg is one.
func (p *program) prints(msg tea.Msg) bool {
	switch fmt.Sprintf("%T", msg) {
	case "tea.printLineMessage":
		p.printed = append(p.printed, strings.Split(reflect.ValueOf(msg).Field(0).String(), "\n")...)
	case "tea.sequenceMsg":
		all := reflect.ValueOf(msg)
		for i := range all.Len() {
			cmd, ok := reflect.TypeAssert[tea.Cmd](all.Index(i))
			if !ok || !p.prints(cmd()) {
				p.t.Fatal("a sequence that is not printed")
			}
		}
	default:
		return false
	}
	return true
}

// heard returns the lines printed since its last call, with wrapped lines joined.
func (p *program) heard() string {
	p.t.Helper()
	time.Sleep(announce.SpeakAfterTyping)
	p.Settle()
	lines := p.printed
	p.printed = nil
	for _, line := range append(lines, p.prompt()) {
		if bad := unreadable(line); bad != "" {
			p.t.Errorf("%q is in %q", bad, line)
		}
	}
	return strings.Join(lines, "\n")
}

// prompt returns the last line of the screen.
func (p *program) prompt() string { return p.model.View().Content }

// hears checks that these lines were printed in this order, ignoring others.
func (p *program) hears(lines ...string) {
	p.t.Helper()
	all := p.heard()
	rest := all
	for _, line := range lines {
		_, after, ok := strings.Cut(rest, line)
		if !ok {
			p.t.Fatalf("%q was not said, or not in this order:\n%s", line, all)
		}
		rest = after
	}
}

// unreadable returns the first character of a text that screen readers stumble over.
func unreadable(s string) string {
	for _, r := range s {
		if !announce.Readable(r) && r != '\n' {
			return string(r)
		}
	}
	return ""
}

func accessible(_ *backend, o *Options) { o.Accessible = true }

// speaking runs f with a program in accessible mode.
func speaking(t *testing.T, prepare func(*backend, *Options), f func(p *program)) {
	t.Helper()
	play(t, 200, 36, func(b *backend, o *Options) {
		accessible(b, o)
		if prepare != nil {
			prepare(b, o)
		}
	}, f)
}

func TestSpokenStartAndMoves(t *testing.T) {
	t.Parallel()
	speaking(t, nil, func(p *program) {
		p.Wait(2 * time.Second)
		p.hears("pgtower, signed in to console.example", "Operations\n",
			"All projects (12)\n", " loaded", "Live, updated every 5 seconds.", ", project ", " seconds ago, ", ", 1 of ", "Question mark lists the keys")
		if v := p.model.View(); v.AltScreen || v.MouseMode != tea.MouseModeNone || v.Cursor == nil || v.Content != "Operations, question mark for help " {
			t.Errorf("%+v", v)
		}
		p.Press("j")
		p.hears(", 2 of ")
		p.Press("pgdown")
		p.hears(", 11 of ")
		p.Press("k", "k", "k", "k", "k")
		if got := p.heard(); strings.Count(got, "\n") > 0 || !strings.Contains(got, ", 6 of ") {
			t.Errorf("five keys in a row: %q", got)
		}
		p.Press("g")
		p.hears(", 1 of ")
		p.Press("k")
		p.hears(", 1 of ")
		p.Press(".")
		p.hears("Operations\n", "All projects (12)", "Live, updated", ", 1 of ", "period repeats")
	})
}

func TestNothingIsSaidWhereNothingHappens(t *testing.T) {
	t.Parallel()
	speaking(t, inBusiest, func(p *program) {
		if err := p.server.Set(0, 0); err != nil {
			t.Fatal(err)
		}
		p.Wait(2 * time.Minute) // by then the clock warning was printed
		p.heard()
		p.Wait(time.Minute)
		if got := p.heard(); got != "" {
			t.Errorf("nothing happened, and this was said: %s", got)
		}
	})
}

func TestSpokenNewOperation(t *testing.T) {
	t.Parallel()
	speaking(t, inBusiest, func(p *program) {
		p.Wait(2 * time.Second)
		p.heard()
		p.begin(mock.Task{ProjectID: p.server.BusiestProject(), Action: "create_branch", Run: 7 * time.Second})
		p.Wait(5 * time.Second)
		p.hears("running, new: Create branch of storefront")
		p.Wait(6 * time.Second)
		p.hears("finished: Create branch of storefront after 7 seconds")
		for range 9 {
			p.begin(mock.Task{ProjectID: p.server.BusiestProject(), Action: "create_branch", Run: time.Hour})
		}
		p.Wait(5 * time.Second)
		if got := p.heard(); !regexp.MustCompile(`(?m)^\d+ changes: (9|10) running`).MatchString(got) || strings.Contains(got, "new: ") {
			t.Errorf("a burst: %s", got)
		}
	})
}

func TestSpokenOfflineAndBack(t *testing.T) {
	t.Parallel()
	speaking(t, inBusiest, func(p *program) {
		p.Wait(2 * time.Second)
		p.heard()
		p.down = true
		p.Wait(2 * time.Minute)
		got := p.heard()
		if n := strings.Count(got, "No answer: "); n != 1 {
			t.Errorf("no answer was said %d times:\n%s", n, got)
		}
		if n := strings.Count(got, "Offline: "); n != 1 {
			t.Errorf("offline was said %d times:\n%s", n, got)
		}
		if n := strings.Count(got, "error: "); n < 1 || n > 2 {
			t.Errorf("the error was said %d times:\n%s", n, got)
		}
		p.down = false
		p.Press("r")
		p.hears("Live, updated every 5 seconds.")
		p.Press("p")
		p.hears("Paused, only watches alert. p: resume.")
	})
}

func TestSpokenRevocation(t *testing.T) {
	t.Parallel()
	speaking(t, nil, func(p *program) {
		p.Wait(2 * time.Second)
		p.Press("3")
		p.hears("API keys\n", "20 keys, 4 never used")
		p.Press("/")
		p.hears("Text field: Filter", "Enter: apply the filter")
		p.Type("backup")
		p.hears(" match the filter backup.")
		p.Press("enter")
		p.hears("backup-nightly, ", ", 1 of ")
		p.Press("x")
		p.hears("Revoke backup-nightly?\n", "This key is still in use.", "Text field: Type the key's name to confirm", "only the button Cancel", "Escape: cancel.")
		p.Type("backup-n")
		p.hears("That is not the key's name yet.")
		if got := p.prompt(); got != "Type the key's name to confirm: backup-n" {
			t.Errorf("the prompt is %q", got)
		}
		p.Type("ightly")
		p.hears("That is the key's name. Enter moves to the button Revoke.")
		p.Press("enter")
		p.hears("Button Revoke.")
		p.Press("enter")
		p.hears("revoked backup-nightly", "Back to API keys.", "backup-nightly, revoked, ")
	})
}

func TestSpokenCreation(t *testing.T) {
	t.Parallel()
	speaking(t, nil, func(p *program) {
		p.Wait(time.Second)
		p.Press("3", "n")
		p.hears("New API key\n", "Text field: Name", "Enter: create, unavailable, The name must not be empty.")
		p.Type("laptop-old")
		p.hears("A key with this name already exists")
		p.Type("er")
		p.Press("enter")
		p.hears("laptop-older was created, id ", "Its secret is hidden.", "c: copy.")
		secret := regexp.MustCompile(`pgt_\w+`)
		p.Press("r")
		p.hears("The secret is on the last line only")
		shown := secret.FindString(p.prompt())
		if shown == "" {
			t.Fatalf("the secret is not in %q", p.prompt())
		}
		p.Press("r")
		p.Press("ctrl+l")
		if got := p.heard() + p.prompt(); strings.Contains(got, shown) || !strings.Contains(got, "Its secret is hidden.") {
			t.Errorf("hidden again: %s", got)
		}
		p.Press("r", "ctrl+c")
		if got := p.prompt(); !p.over || got != "" {
			t.Errorf("over %v, and %q is left behind", p.over, got)
		}
	})
}

func TestSpokenManyKeys(t *testing.T) {
	t.Parallel()
	speaking(t, nil, func(p *program) {
		p.Wait(time.Second)
		p.Press("3", "space")
		p.hears("1 marked", "laptop-old, ")
		p.Press("k")
		p.hears("marked, first-try")
		p.Press("/")
		p.Type("never:used")
		p.Press("enter", "A", "x")
		p.hears("Revoke ", " keys?", "hidden by the filter", ", id 165", ", never used", "Text field: Type 5 to confirm")
		p.inject("403 of DELETE skip=1 count=1")
		for _, r := range regexp.MustCompile(`\d+`).FindString(p.model.description().Name) {
			p.Type(string(r))
		}
		p.Press("enter", "enter")
		p.hears("Revoking ", "of ", " keys revoked.", "failed: ", "Failed: 1.", "Escape: close")
	})
}

func TestSpokenSignIn(t *testing.T) {
	t.Parallel()
	speaking(t, func(b *backend, _ *Options) { b.noKey = true }, func(p *program) {
		p.hears("Sign in\n", "Text field: API key", "pgtower needs an API key.", "Enter: sign in")
		p.Type("not-the-key")
		if got := p.heard() + p.prompt(); strings.Contains(got, "not-the") || p.prompt() != "API key: " {
			t.Errorf("the key is said: %q", got)
		}
		p.Press("enter")
		p.hears("error: ")
		p.Send(tea.PasteMsg{Content: p.server.APIKey()})
		p.Press("enter")
		p.hears("signed in to console.example", "Operations\n")
	})
}

func TestSpokenPauseStandsStill(t *testing.T) {
	t.Parallel()
	speaking(t, inBusiest, func(p *program) {
		p.Wait(4 * time.Second)
		p.Press("p")
		p.heard()
		p.Press(".")
		first := p.heard()
		p.Wait(10 * time.Second)
		p.Press(".")
		if again := p.heard(); again != first {
			t.Errorf("%s\nbecame\n%s", first, again)
		}
	})
}

func TestSpokenSummaryIsOfAllThatIsRead(t *testing.T) {
	t.Parallel()
	speaking(t, nil, func(p *program) {
		p.Wait(4 * time.Second)
		said := regexp.MustCompile(`finished, [0-9,]+ loaded`).FindAllString(p.heard(), -1)
		for i := range said {
			_, said[i], _ = strings.Cut(said[i], ", ") // ended operations leave the window
		}
		p.Press(".")
		if again := p.heard(); len(said) != 1 || !strings.Contains(again, said[0]) {
			t.Errorf("%q, and then %s", said, again)
		}
	})
}

func TestSpokenFilterIsSaidOnce(t *testing.T) {
	t.Parallel()
	speaking(t, nil, func(p *program) {
		p.Wait(2 * time.Second)
		p.Press("3", "/")
		p.heard()
		p.Type("backup")
		p.hears(" match the filter backup.")
		p.Press("enter")
		if got := p.heard(); strings.Contains(got, "match the filter") || !strings.Contains(got, "backup-nightly, ") {
			t.Errorf("kept: %s", got)
		}
	})
}

func TestSpokenThemeSaysThatItIsNotSeen(t *testing.T) {
	t.Parallel()
	speaking(t, nil, func(p *program) {
		p.Wait(time.Second)
		p.Press(":")
		p.Type("theme dark")
		p.hears("1 value matches.")
		p.Press("enter")
		p.hears("the theme is dark, but colours are off in accessible mode")
	})
}

func TestSpokenRevocationNamesTheProfile(t *testing.T) {
	t.Parallel()
	demo := func(_ *backend, o *Options) { o.Name, o.BaseURL, o.Host, o.Demo = "demo", "", "demo", true }
	speaking(t, demo, func(p *program) {
		p.Wait(2 * time.Second)
		p.Press("3", "x")
		p.hears("Revoke ", "profile demo, id ")
	})
}

func TestSpokenDetailHasNoShortDurations(t *testing.T) {
	t.Parallel()
	speaking(t, inBusiest, func(p *program) {
		p.Wait(2 * time.Second)
		p.Press("/")
		p.Type("status:finished")
		p.Press("enter")
		p.heard()
		p.Press("enter")
		p.hears("Details", "finished after ", "second", "95th percentile ")
	})
}
