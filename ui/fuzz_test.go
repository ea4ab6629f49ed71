package ui

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pgtower/client/mock"
)

// longest is the maximum length of a script in bytes: longer ones find nothing more.
const longest = 200

// FuzzProgram plays scripts of keys, texts, sizes and troubles. The screen is always exactly as large as the terminal,
// contains nothing that acts on it, and the program can be left.
func FuzzProgram(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s []byte) {
		t.Chdir(t.TempDir()) // for what is exported
		play(t, 120, 36, func(b *backend, o *Options) {
			b.simulate(mock.Options{Projects: 4, Operations: 120})
			withOthers(b, o)
			o.PageSize = 20
			o.Suspend = func() tea.Msg { return tea.ResumeMsg{} }
		}, func(p *program) {
			rest := script(s[:min(len(s), longest)])
			for len(rest) > 0 && !p.over {
				p.take(&rest)
				p.checkView()
			}
			p.screen()
			p.leaves()
		})
	})
}

// leaves checks that ctrl+c ends the program; a dialog may need it twice.
func (p *program) leaves() {
	p.t.Helper()
	for range 3 {
		p.Press("ctrl+c")
	}
	if !p.over {
		p.t.Fatalf("ctrl+c does not end it:\n%s", p.screen())
	}
}

var colours = regexp.MustCompile(`\x1b\[[0-9;:]*m`)

// checkView checks the output to the terminal.
func (p *program) checkView() {
	p.t.Helper()
	v, w, h := p.model.View(), p.model.terminal.width, p.model.terminal.height
	if bad := acting(v.WindowTitle); bad != "" {
		p.t.Fatalf("the title has %q: %q", bad, v.WindowTitle)
	}
	plain := colours.ReplaceAllString(v.Content, "")
	lines := strings.Split(plain, "\n")
	if !p.model.tooSmall() && len(lines) != h || p.model.tooSmall() && len(lines) > max(1, h) {
		p.t.Fatalf("%d lines on a screen of %d×%d:\n%s", len(lines), w, h, plain)
	}
	for i, line := range lines {
		if bad := acting(line); bad != "" {
			p.t.Fatalf("line %d has %q: %q", i, bad, line)
		}
		if got := ansi.StringWidth(line); got > max(0, w) {
			p.t.Fatalf("line %d has %d cells on a screen of %d×%d: %q", i, got, w, h, line)
		}
	}
}

// acting returns the first part of a text that acts on a terminal, or "".
func acting(s string) string {
	if !utf8.ValidString(s) {
		return "invalid UTF-8"
	}
	i := strings.IndexFunc(s, func(r rune) bool {
		return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || slices.Contains([]rune("\u200b\u2028\u2029\ufeff"), r)
	})
	if i < 0 {
		return ""
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return string(r)
}

// TestEverySize draws every page and dialog on screens of every size, or of every fifth one.
func TestEverySize(t *testing.T) {
	t.Parallel()
	step := 5
	if thorough() {
		step = 1
	}
	for name, at := range places() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			play(t, 120, 36, withOthers, func(p *program) {
				p.Wait(2 * time.Second)
				for rest := script(at.script); len(rest) > 0; {
					p.take(&rest)
				}
				p.sees(at.sees)
				for w := 0; w < 64; w += step {
					p.resizeTo(2*w, 36)
					p.resizeTo(2*w+1, 15+w%4)
				}
				for h := 0; h < 60; h += step {
					p.resizeTo(60, h)
					p.resizeTo(100, h)
				}
				for _, s := range []size{{1, 1}, {1, 200}, {500, 1}, {500, 15}, {60, 200}, {500, 200}} {
					p.resizeTo(s.w, s.h)
				}
				p.sees(at.sees)
			})
		})
	}
}
