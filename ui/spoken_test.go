package ui_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	tea "charm.land/bubbletea/v2"

	"pgtower/client/mock"
)

func TestSpokenStartAndMoves(t *testing.T) {
	t.Parallel()
	play.Speaking(t, nil, func(p *play.Program) {
		p.Wait(2 * time.Second)
		p.Hears("pgtower, signed in to console.example", "Operations\n",
			"All projects (12)\n", " loaded", "Live, updated every 5 seconds.", ", project ", " seconds ago, ", ", 1 of ", "Question mark lists the keys")
		if v := p.Model.View(); v.AltScreen || v.MouseMode != tea.MouseModeNone || v.Cursor == nil || v.Content != "Operations, question mark for help " {
			t.Errorf("%+v", v)
		}
		p.Press("j")
		p.Hears(", 2 of ")
		p.Press("pgdown")
		p.Hears(", 11 of ")
		p.Press("k", "k", "k", "k", "k")
		if got := p.Heard(); strings.Count(got, "\n") > 0 || !strings.Contains(got, ", 6 of ") {
			t.Errorf("five keys in a row: %q", got)
		}
		p.Press("g")
		p.Hears(", 1 of ")
		p.Press("k")
		p.Hears(", 1 of ")
		p.Press(".")
		p.Hears("Operations\n", "All projects (12)", "Live, updated", ", 1 of ", "period repeats")
	})
}

func TestNothingIsSaidWhereNothingHappens(t *testing.T) {
	t.Parallel()
	play.Speaking(t, play.InBusiest, func(p *play.Program) {
		if err := p.Server.Set(0, 0); err != nil {
			t.Fatal(err)
		}
		p.Wait(2 * time.Minute) // by then the clock warning was printed
		p.Heard()
		p.Wait(time.Minute)
		if got := p.Heard(); got != "" {
			t.Errorf("nothing happened, and this was said: %s", got)
		}
	})
}

func TestSpokenNewOperation(t *testing.T) {
	t.Parallel()
	play.Speaking(t, play.InBusiest, func(p *play.Program) {
		p.Wait(2 * time.Second)
		p.Heard()
		p.Begin(mock.Task{ProjectID: p.Server.BusiestProject(), Action: "create_branch", Run: 7 * time.Second})
		p.Wait(5 * time.Second)
		p.Hears("running, new: Create branch of storefront")
		p.Wait(6 * time.Second)
		p.Hears("finished: Create branch of storefront after 7 seconds")
		for range 9 {
			p.Begin(mock.Task{ProjectID: p.Server.BusiestProject(), Action: "create_branch", Run: time.Hour})
		}
		p.Wait(5 * time.Second)
		if got := p.Heard(); !regexp.MustCompile(`(?m)^\d+ changes: (9|10) running`).MatchString(got) || strings.Contains(got, "new: ") {
			t.Errorf("a burst: %s", got)
		}
	})
}

func TestSpokenOfflineAndBack(t *testing.T) {
	t.Parallel()
	play.Speaking(t, play.InBusiest, func(p *play.Program) {
		p.Wait(2 * time.Second)
		p.Heard()
		p.Down = true
		p.Wait(2 * time.Minute)
		got := p.Heard()
		if n := strings.Count(got, "No answer: "); n != 1 {
			t.Errorf("no answer was said %d times:\n%s", n, got)
		}
		if n := strings.Count(got, "Offline: "); n != 1 {
			t.Errorf("offline was said %d times:\n%s", n, got)
		}
		if n := strings.Count(got, "error: "); n < 1 || n > 2 {
			t.Errorf("the error was said %d times:\n%s", n, got)
		}
		p.Down = false
		p.Press("r")
		p.Hears("Live, updated every 5 seconds.")
		p.Press("p")
		p.Hears("Paused, only watches alert. p: resume.")
	})
}

func TestSpokenRevocation(t *testing.T) {
	t.Parallel()
	play.Speaking(t, nil, func(p *play.Program) {
		p.Wait(2 * time.Second)
		p.Press("3")
		p.Hears("API keys\n", "20 keys, 4 never used")
		p.Press("/")
		p.Hears("Text field: Filter", "Enter: apply the filter")
		p.Type("backup")
		p.Hears(" match the filter backup.")
		p.Press("enter")
		p.Hears("backup-nightly, ", ", 1 of ")
		p.Press("x")
		p.Hears("Revoke backup-nightly?\n", "This key is still in use.", "Text field: Type the key's name to confirm", "only the button Cancel", "Escape: cancel.")
		p.Type("backup-n")
		p.Hears("That is not the key's name yet.")
		if got := p.Prompt(); got != "Type the key's name to confirm: backup-n" {
			t.Errorf("the prompt is %q", got)
		}
		p.Type("ightly")
		p.Hears("That is the key's name. Enter moves to the button Revoke.")
		p.Press("enter")
		p.Hears("Button Revoke.")
		p.Press("enter")
		p.Hears("revoked backup-nightly", "Back to API keys.", "backup-nightly, revoked, ")
	})
}

func TestSpokenCreation(t *testing.T) {
	t.Parallel()
	play.Speaking(t, nil, func(p *play.Program) {
		p.Wait(time.Second)
		p.Press("3", "n")
		p.Hears("New API key\n", "Text field: Name", "Enter: create, unavailable, The name must not be empty.")
		p.Type("laptop-old")
		p.Hears("A key with this name already exists")
		p.Type("er")
		p.Press("enter")
		p.Hears("laptop-older was created, id ", "Its secret is hidden.", "c: copy.")
		secret := regexp.MustCompile(`pgt_\w+`)
		p.Press("r")
		p.Hears("The secret is on the last line only")
		shown := secret.FindString(p.Prompt())
		if shown == "" {
			t.Fatalf("the secret is not in %q", p.Prompt())
		}
		p.Press("r")
		p.Press("ctrl+l")
		if got := p.Heard() + p.Prompt(); strings.Contains(got, shown) || !strings.Contains(got, "Its secret is hidden.") {
			t.Errorf("hidden again: %s", got)
		}
		p.Press("r", "ctrl+c")
		if got := p.Prompt(); !p.Over || got != "" {
			t.Errorf("over %v, and %q is left behind", p.Over, got)
		}
	})
}

func TestSpokenManyKeys(t *testing.T) {
	t.Parallel()
	play.Speaking(t, nil, func(p *play.Program) {
		p.Wait(time.Second)
		p.Press("3", "space")
		p.Hears("1 marked", "laptop-old, ")
		p.Press("k")
		p.Hears("marked, first-try")
		p.Press("/")
		p.Type("never:used")
		p.Press("enter", "A", "x")
		p.Hears("Revoke ", " keys?", "hidden by the filter", ", id 165", ", never used", "Text field: Type 5 to confirm")
		p.Inject("403 of DELETE skip=1 count=1")
		for _, r := range regexp.MustCompile(`\d+`).FindString(p.Model.Described()) {
			p.Type(string(r))
		}
		p.Press("enter", "enter")
		p.Hears("Revoking ", "of ", " keys revoked.", "failed: ", "Failed: 1.", "Escape: close")
	})
}

func TestSpokenSignIn(t *testing.T) {
	t.Parallel()
	play.Speaking(t, func(b *play.Backend, _ *ui.Options) { b.NoKey = true }, func(p *play.Program) {
		p.Hears("Sign in\n", "Text field: API key", "pgtower needs an API key.", "Enter: sign in")
		p.Type("not-the-key")
		if got := p.Heard() + p.Prompt(); strings.Contains(got, "not-the") || p.Prompt() != "API key: " {
			t.Errorf("the key is said: %q", got)
		}
		p.Press("enter")
		p.Hears("error: ")
		p.Send(tea.PasteMsg{Content: p.Server.APIKey()})
		p.Press("enter")
		p.Hears("signed in to console.example", "Operations\n")
	})
}

func TestSpokenPauseStandsStill(t *testing.T) {
	t.Parallel()
	play.Speaking(t, play.InBusiest, func(p *play.Program) {
		p.Wait(4 * time.Second)
		p.Press("p")
		p.Heard()
		p.Press(".")
		first := p.Heard()
		p.Wait(10 * time.Second)
		p.Press(".")
		if again := p.Heard(); again != first {
			t.Errorf("%s\nbecame\n%s", first, again)
		}
	})
}

func TestSpokenSummaryIsOfAllThatIsRead(t *testing.T) {
	t.Parallel()
	play.Speaking(t, nil, func(p *play.Program) {
		p.Wait(4 * time.Second)
		said := regexp.MustCompile(`finished, [0-9,]+ loaded`).FindAllString(p.Heard(), -1)
		for i := range said {
			_, said[i], _ = strings.Cut(said[i], ", ") // ended operations leave the window
		}
		p.Press(".")
		if again := p.Heard(); len(said) != 1 || !strings.Contains(again, said[0]) {
			t.Errorf("%q, and then %s", said, again)
		}
	})
}

func TestSpokenFilterIsSaidOnce(t *testing.T) {
	t.Parallel()
	play.Speaking(t, nil, func(p *play.Program) {
		p.Wait(2 * time.Second)
		p.Press("3", "/")
		p.Heard()
		p.Type("backup")
		p.Hears(" match the filter backup.")
		p.Press("enter")
		if got := p.Heard(); strings.Contains(got, "match the filter") || !strings.Contains(got, "backup-nightly, ") {
			t.Errorf("kept: %s", got)
		}
	})
}

func TestSpokenThemeSaysThatItIsNotSeen(t *testing.T) {
	t.Parallel()
	play.Speaking(t, nil, func(p *play.Program) {
		p.Wait(time.Second)
		p.Press(":")
		p.Type("theme dark")
		p.Hears("1 value matches.")
		p.Press("enter")
		p.Hears("the theme is dark, but colours are off in accessible mode")
	})
}

func TestSpokenRevocationNamesTheProfile(t *testing.T) {
	t.Parallel()
	demo := func(_ *play.Backend, o *ui.Options) { o.Name, o.BaseURL, o.Host, o.Demo = "demo", "", "demo", true }
	play.Speaking(t, demo, func(p *play.Program) {
		p.Wait(2 * time.Second)
		p.Press("3", "x")
		p.Hears("Revoke ", "profile demo, id ")
	})
}

func TestSpokenDetailHasNoShortDurations(t *testing.T) {
	t.Parallel()
	play.Speaking(t, play.InBusiest, func(p *play.Program) {
		p.Wait(2 * time.Second)
		p.Press("/")
		p.Type("status:finished")
		p.Press("enter")
		p.Heard()
		p.Press("enter")
		p.Hears("Details", "finished after ", "second", "95th percentile ")
	})
}
