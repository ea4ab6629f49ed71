package desktop_test

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/desktop"
	"pgtower/ui/page"
)

type board struct {
	mu   sync.Mutex
	text string
	none error
}

func (b *board) Read() (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text, b.none
}

func (b *board) Write(s string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.none == nil {
		b.text = s
	}
	return b.none
}

// has returns the clipboard's contents.
func (b *board) has() string {
	s, _ := b.Read()
	return s
}

// settle runs a command and what follows, and returns the notices.
func settle(t *testing.T, c *desktop.Clipboard, cmd tea.Cmd) (said []string) {
	t.Helper()
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, one := range msg {
			said = append(said, settle(t, c, one)...)
		}
	case desktop.Copied:
		notice, next := msg(c)
		said = append([]string{notice.Text}, settle(t, c, next)...)
	}
	return said
}

// sent returns how often a command sends something to the terminal's clipboard.
func sent(cmd tea.Cmd) (n int) {
	batch, _ := cmd().(tea.BatchMsg)
	for _, one := range batch {
		if reflect.TypeOf(one()) == reflect.TypeOf(tea.SetClipboard("")()) {
			n++
		}
	}
	return n
}

func secret() page.Copy {
	return page.Copy{Label: "the key", Text: models.NewSecret("s3cret"), Secret: true}
}

// another returns a secret that is copied after the first one.
func another() page.Copy {
	return page.Copy{Label: "another key", Text: models.NewSecret("an0ther"), Secret: true}
}

// A secret is cleared after a minute, unless the user has copied something else.
func TestClipboardClearsASecret(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		since string // copied by the user meanwhile
		want  string
		said  string
	}{
		"": {"", "", "cleared the API key from the clipboard"}, "another text": {"mine", "mine", ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			b := &board{}
			taken := false
			copying := secret()
			copying.Taken = func() {
				taken = true
				if c.since != "" {
					_ = b.Write(c.since)
				}
			}
			clip := desktop.Clipboard{Board: desktop.Board{Read: b.Read, Write: b.Write}}
			start := time.Now()
			said := settle(t, &clip, clip.Copy(t.Context(), copying))
			if !taken || said[0] != "✓ copied the key, for a minute" || said[1] != c.said {
				t.Errorf("%s: taken %v, said %q", name, taken, said)
			}
			if b.has() != c.want || time.Since(start) != time.Minute {
				t.Errorf("%s: %q is on the clipboard after %s", name, b.has(), time.Since(start))
			}
		})
	}
}

// The timer of the first copy must not clear the second one.
func TestClipboardKeepsASecretThatIsCopiedAgainLonger(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := &board{}
		clip := desktop.Clipboard{Board: desktop.Board{Read: b.Read, Write: b.Write}}
		ctx, cancel := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer cancel()
		for range 2 {
			copied, _ := clip.Copy(ctx, secret())().(desktop.Copied)
			_, clear := copied(&clip)
			go clear()
			time.Sleep(45 * time.Second)
		}
		if synctest.Wait(); b.has() != "s3cret" {
			t.Error("taken away after 45 seconds")
		}
		time.Sleep(30 * time.Second)
		if synctest.Wait(); b.has() != "" {
			t.Errorf("%q stayed on the clipboard", b.has())
		}
	})
}

// Another secret does not prolong the time of the first one, which may be back from a history of the clipboard.
func TestClipboardGivesEachSecretAMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := &board{}
		clip := desktop.Clipboard{Board: desktop.Board{Read: b.Read, Write: b.Write}}
		for _, one := range []page.Copy{secret(), another()} {
			copied, _ := clip.Copy(t.Context(), one)().(desktop.Copied)
			_, clear := copied(&clip)
			go clear()
			time.Sleep(20 * time.Second)
		}
		_ = b.Write("s3cret")
		time.Sleep(21 * time.Second)
		if synctest.Wait(); b.has() != "" {
			t.Errorf("%q stayed on the clipboard", b.has())
		}
		time.Sleep(time.Minute)
	})
}

// A terminal's clipboard cannot be cleared, so a secret goes there only once the user knows.
func TestClipboardOfTheTerminalAlone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		none   error
		remote bool
		after  string
	}{
		"no clipboard": {errors.New("none"), false, "copied the key (OSC 52, unconfirmed); clear it yourself after use"},
		"over ssh":     {nil, true, "✓ copied the key; clear your terminal's clipboard yourself after use"},
	} {
		synctest.Test(t, func(t *testing.T) {
			b := &board{none: c.none}
			clip := desktop.Clipboard{Board: desktop.Board{Read: b.Read, Write: b.Write}, Remote: c.remote}
			copying, told := secret(), false
			copying.OnlyTerminal = func() { told = true }
			copying.Taken = func() { t.Error("copied before the user knows") }
			cmd := clip.Copy(t.Context(), copying)
			said := settle(t, &clip, cmd)
			if !told || len(said) != 1 || said[0] != "not copied yet: only your terminal can copy the key" || b.text != "" || sent(cmd) > 0 {
				t.Errorf("%s: told %v, said %q, copied %q", name, told, said, b.text)
			}
			copying.Terminal, copying.Taken = true, nil
			cmd = clip.Copy(t.Context(), copying)
			if said := settle(t, &clip, cmd); said[0] != c.after || sent(cmd) != 1 {
				t.Errorf("%s: said %q", name, said)
			}
			clip.Leave(t.Context())
		})
	}
}

// A copy that fails leaves a secret on the clipboard, which still has to be cleared.
func TestClipboardIsClearedAfterAFailedCopy(t *testing.T) {
	t.Parallel()
	b := &board{}
	clip := desktop.Clipboard{Board: desktop.Board{Read: b.Read, Write: b.Write}}
	ctx, stop := context.WithCancel(t.Context())
	stop() // so that nothing waits for the minute
	settle(t, &clip, clip.Copy(ctx, secret()))
	b.none = errors.New("none")
	settle(t, &clip, clip.Copy(ctx, page.Copy{Label: "an id", Text: models.NewSecret("id")}))
	b.none = nil
	if clip.Leave(t.Context()); b.has() != "" {
		t.Errorf("%q is left", b.has())
	}
}

// The end of the program clears a secret, and nothing else.
func TestClipboardIsClearedAtTheEnd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ before, after string }{{"s3cret", ""}, {"mine", "mine"}} {
		b := &board{}
		clip := desktop.Clipboard{Board: desktop.Board{Read: b.Read, Write: b.Write}}
		clip.Copy(t.Context(), secret())()
		_ = b.Write(c.before)
		if clip.Leave(t.Context()); b.has() != c.after {
			t.Errorf("%q is left of %q", b.has(), c.before)
		}
	}
}

// Over SSH, the notice says that the terminal may keep a copy.
func TestClipboardThatIsRemoteIsNamed(t *testing.T) {
	t.Parallel()
	b := &board{}
	clip := desktop.Clipboard{Board: desktop.Board{Read: b.Read, Write: b.Write}, Remote: true}
	said := settle(t, &clip, clip.Copy(t.Context(), page.Copy{Label: "id 1", Text: models.NewSecret("1")}))
	if len(said) != 1 || said[0] != "✓ copied id 1; your terminal may keep a copy of its own" {
		t.Errorf("said %q", said)
	}
}
