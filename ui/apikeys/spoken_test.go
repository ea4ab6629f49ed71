package apikeys_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"pgtower/internal/play"
)

// The accessible mode announces the page and its dialogs as recorded.
func TestSpokenPage(t *testing.T) {
	t.Parallel()
	play.Speaking(t, nil, func(p *play.Program) {
		p.Wait(2 * time.Second)
		p.Heard()
		p.Press("3")
		s := p.Transcribe()
		s.Press("/")
		s.Type("backup")
		s.Press("enter", "enter", "esc", "x")
		s.Type("backup-n")
		s.Type("ightly")
		s.Press("enter", "enter")
		s.Press("/", "ctrl+u")
		s.Type("never:used")
		s.Press("enter", "A", "x")
		s.Type("4")
		p.Inject("403 of DELETE skip=1 count=1")
		s.Press("enter", "enter", "esc", "n")
		s.Type("laptop-old")
		s.Type("er")
		s.Press("enter", "esc", "c", "esc", "esc", "G", "R", "esc")
		s.Golden("spoken")
	})
}

// A secret is only on the prompt, and only while it is shown.
func TestSpokenSecret(t *testing.T) {
	t.Parallel()
	play.Speaking(t, nil, func(p *play.Program) {
		p.Wait(time.Second)
		p.Press("3", "n")
		p.Enter("laptop")
		p.Hears("laptop was created, id ", "Its secret is hidden.", "c: copy.")
		p.Press("r")
		p.Hears("The secret is on the last line only")
		shown := regexp.MustCompile(`pgt_\w+`).FindString(p.Prompt())
		if shown == "" {
			t.Fatalf("the secret is not in %q", p.Prompt())
		}
		p.Press("r")
		p.Press("ctrl+l")
		got := p.Heard() + p.Prompt()
		if strings.Contains(got, shown) || !strings.Contains(got, "Its secret is hidden.") {
			t.Errorf("hidden again: %s", got)
		}
		p.Press("r", "ctrl+c")
		if got := p.Prompt(); !p.Over || got != "" {
			t.Errorf("over %v, and %q is left behind", p.Over, got)
		}
	})
}
