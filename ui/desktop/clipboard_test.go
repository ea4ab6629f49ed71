package desktop_test

import (
	"context"
	"errors"
	"strings"
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

// settle runs a command, and returns its notices.
func settle(t *testing.T, c *desktop.Clipboard, cmd tea.Cmd) (said []string) {
	t.Helper()
	batch, ok := cmd().(tea.BatchMsg)
	if !ok {
		t.Fatal("not a batch")
	}
	for _, one := range batch {
		if msg, ok := one().(desktop.Copied); ok {
			said = append(said, msg(c).Text)
		}
	}
	return said
}

func secret() page.Copy {
	return page.Copy{Label: "the key", Text: models.NewSecret("s3cret"), Secret: true}
}

func TestASecretIsCleared(t *testing.T) {
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
func TestASecretThatIsCopiedAgainStaysLonger(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := &board{}
		clip := desktop.Clipboard{Board: desktop.Board{Read: b.Read, Write: b.Write}}
		ctx, cancel := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer cancel()
		for range 2 {
			batch, _ := clip.Copy(ctx, secret())().(tea.BatchMsg)
			for _, cmd := range batch {
				go cmd()
			}
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

func TestNoClipboard(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := &board{none: errors.New("none")}
		clip := desktop.Clipboard{Board: desktop.Board{Read: b.Read, Write: b.Write}}
		said := settle(t, &clip, clip.Copy(t.Context(), secret()))
		if !strings.Contains(said[0], "copied the key (OSC 52, unconfirmed); clear it yourself") {
			t.Errorf("said %q", said)
		}
		clip.Leave()
	})
}

// A copy that fails leaves a secret on the clipboard, which still has to be cleared.
func TestLeavingClearsTheSecretBelowAFailedCopy(t *testing.T) {
	t.Parallel()
	b := &board{}
	clip := desktop.Clipboard{Board: desktop.Board{Read: b.Read, Write: b.Write}}
	ctx, stop := context.WithCancel(t.Context())
	stop() // so that nothing waits for the minute
	settle(t, &clip, clip.Copy(ctx, secret()))
	b.none = errors.New("none")
	settle(t, &clip, clip.Copy(ctx, page.Copy{Label: "an id", Text: models.NewSecret("id")}))
	b.none = nil
	if clip.Leave(); b.has() != "" {
		t.Errorf("%q is left", b.has())
	}
}

func TestLeavingClearsTheSecret(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ before, after string }{{"s3cret", ""}, {"mine", "mine"}} {
		b := &board{}
		clip := desktop.Clipboard{Board: desktop.Board{Read: b.Read, Write: b.Write}}
		clip.Copy(t.Context(), secret())
		_ = b.Write(c.before)
		if clip.Leave(); b.has() != c.after {
			t.Errorf("%q is left of %q", b.has(), c.before)
		}
	}
}

func TestARemoteClipboardIsNamed(t *testing.T) {
	t.Parallel()
	b := &board{}
	clip := desktop.Clipboard{Board: desktop.Board{Read: b.Read, Write: b.Write}, Remote: true}
	said := settle(t, &clip, clip.Copy(t.Context(), page.Copy{Label: "id 1", Text: models.NewSecret("1")}))
	if len(said) != 1 || said[0] != "✓ copied id 1; your terminal may keep a copy of its own" {
		t.Errorf("said %q", said)
	}
}
