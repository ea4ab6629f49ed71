// Package play runs the dashboard in a test as Bubble Tea does, but one message at a time, against the built-in mock, in
// the fake time of a synctest bubble. It reads the screen, or the output of the accessible mode, as text.
package play

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"pgtower/client/mock"
	"pgtower/internal/driver"
	"pgtower/internal/files"
	"pgtower/models/settings"
	"pgtower/ui"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// Program is the program under test.
type Program struct {
	*Backend
	*driver.Driver
	driver.User

	Model   *ui.Model
	Options *ui.Options     // at its start
	Ctx     context.Context //nolint:containedctx // ends with the program under test
	Over    bool            // it ended
	// Raw are the writes to the terminal outside of the screen.
	Raw []string

	printed       []string // the lines above the prompt since the last Heard
	width, height int
}

// Size is the size of a screen in cells.
type Size struct{ W, H int }

// At returns a size.
func At(width, height int) Size { return Size{width, height} }

func (s Size) String() string { return fmt.Sprintf("%dx%d", s.W, s.H) }

// Sizes are the screens for every page.
func Sizes() []Size { return []Size{{80, 24}, {120, 36}} }

// Run runs f with a program on a screen of this size, signed in unless the backend has no key.
func Run(t *testing.T, width, height int, prepare func(*Backend, *ui.Options), f func(p *Program)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { runInBubble(t, width, height, prepare, f) })
}

func runInBubble(t *testing.T, width, height int, prepare func(*Backend, *ui.Options), f func(p *Program)) {
	t.Helper()
	server, err := mock.New(mock.Options{Seed: 7, Clock: now, Fixture: listed()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer synctest.Wait()
	defer cancel()
	b := &Backend{T: t, Server: server}
	o := ui.Options{
		Profile: ui.Profile{
			Profile:       settings.Profile{Name: "default", BaseURL: "https://console.example/api/v2", Interval: 5 * time.Second, PageSize: 50, Budget: 20},
			Authenticator: b,
			Host:          "console.example",
		},
		Clock: now, Clipboard: b.Board.clipboard(), Files: files.User{},
	}
	if prepare != nil {
		prepare(b, &o)
	}
	p := &Program{Backend: b, Options: &o, Model: ui.New(ctx, o), Ctx: ctx}
	p.Driver, p.User = driver.New(p.Model, p.handle), driver.NewUser(t, p)
	p.width, p.height = width, height
	p.Start(width, height)
	f(p)
}

// Loaded is [Run] for a program that has read all projects.
func Loaded(t *testing.T, width, height int, prepare func(*Backend, *ui.Options), f func(p *Program)) {
	t.Helper()
	Run(t, width, height, prepare, func(p *Program) { p.Wait(2 * time.Second); f(p) })
}

func now() time.Time { return time.Now() } //nolint:forbidigo // the time of the bubble

// Send sends a message.
func (p *Program) Send(msg tea.Msg) {
	size, ok := msg.(tea.WindowSizeMsg)
	if ok {
		p.width, p.height = size.Width, size.Height
	}
	p.Driver.Send(msg)
}

// handle handles the messages that Bubble Tea does not pass to the model.
func (p *Program) handle(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.QuitMsg:
		p.Over = true
	case tea.RawMsg:
		p.Raw = append(p.Raw, fmt.Sprint(msg.Msg))
	default:
		return p.prints(msg)
	}
	return true
}

// Screen returns the screen as text.
func (p *Program) Screen() string {
	buf := uv.NewScreenBuffer(p.width, p.height)
	uv.NewStyledString(p.Model.View().Content).Draw(buf, buf.Bounds())
	lines := make([]string, p.height)
	for y := range p.height {
		var b strings.Builder
		for x := range p.width {
			if c := buf.CellAt(x, y); c != nil {
				b.WriteString(c.Content)
			}
		}
		lines[y] = strings.TrimRight(b.String(), " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// Until fails the test unless the screen is as expected. In fake time, the effect of a key is on the screen at once.
func (p *Program) Until(what string, expected func(screen string) bool) {
	p.T.Helper()
	if screen := p.Screen(); !expected(screen) {
		p.T.Fatalf("not %s:\n%s", what, screen)
	}
}

// Golden compares the screen below the header with a file in testdata. The header names all pages, so a recording with the
// header would change with every new page.
func (p *Program) Golden(name string) {
	p.T.Helper()
	_, below, _ := strings.Cut(p.Screen(), "\n")
	Golden(p.T, name+".golden", below)
}

// Header returns the header with single spaces, and with {pages} instead of the pages' names. The screen must be wide enough
// for all names.
func (p *Program) Header() string {
	line, _, _ := strings.Cut(p.Screen(), "\n")
	var names []string
	for id := range page.Count {
		names = append(names, fmt.Sprintf("%d %s", id+1, id.Title()))
	}
	line = strings.Join(strings.Fields(line), " ")
	return strings.Replace(line, strings.Join(names, " "), "{pages}", 1)
}

// Golden compares a text with a file in testdata; PGTOWER_UPDATE=1 writes it there.
func Golden(t *testing.T, file, got string) {
	t.Helper()
	path := filepath.Join("testdata", file)
	if os.Getenv("PGTOWER_UPDATE") != "" {
		err := os.WriteFile(path, []byte(got), 0o600)
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	expected, err := os.ReadFile(path) //nolint:gosec // a file of the test
	if err != nil {
		t.Fatal(err)
	}
	if got != string(expected) {
		gotPart, wantPart := differing(got, string(expected))
		t.Errorf("%s differs; PGTOWER_UPDATE=1 go test accepts it.\ngot:\n%s\nwant:\n%s", path, gotPart, wantPart)
	}
}

// differing returns the parts of two texts that begin a few lines before the first difference, each as long as a screen.
func differing(a, b string) (fromA, fromB string) {
	const lead, most = 5, 60
	as, bs := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")
	index := 0
	for index < min(len(as), len(bs)) && as[index] == bs[index] {
		index++
	}
	if max(len(as), len(bs)) <= most {
		return a, b
	}
	from := max(0, index-lead)
	return strings.Join(as[from:min(from+most, len(as))], ""), strings.Join(bs[from:min(from+most, len(bs))], "")
}

// Paste pastes a text.
func (p *Program) Paste(text string) { p.Send(tea.PasteMsg{Content: text}) }

// Fail starts n operations of the busiest project that fail after a second, and waits until they are read.
func (p *Program) Fail(n int) {
	p.T.Helper()
	for range n {
		p.Begin(mock.Task{Action: "import_data", Run: time.Second, Fail: true})
		time.Sleep(time.Millisecond)
	}
	p.Wait(5 * time.Second)
}

// ClickOn clicks on the first occurrence of a text on the screen.
func (p *Program) ClickOn(what string) {
	p.T.Helper()
	for y, line := range strings.Split(p.Screen(), "\n") {
		if head, _, ok := strings.Cut(line, what); ok {
			p.Send(tea.MouseClickMsg{X: style.Width(head) + 1, Y: y, Button: tea.MouseLeft})
			return
		}
	}
	p.T.Fatalf("%q is not on the screen:\n%s", what, p.Screen())
}

// ClickTwice clicks twice at the same place, too slowly for a double click.
func (p *Program) ClickTwice(what string) {
	p.T.Helper()
	p.ClickOn(what)
	p.Wait(time.Second)
	p.ClickOn(what)
}

var colours = regexp.MustCompile(`\x1b\[[0-9;:]*m`)

// CheckView checks that the output is exactly as large as the terminal, and has no control characters but colours.
func (p *Program) CheckView() {
	p.T.Helper()
	v := p.Model.View()
	if bad := acting(v.WindowTitle); bad != "" {
		p.T.Fatalf("the title has %q: %q", bad, v.WindowTitle)
	}
	plain := colours.ReplaceAllString(v.Content, "")
	lines := strings.Split(plain, "\n")
	tooSmall := len(lines) == 1 && (p.width < 40 || p.height < 6 || strings.Contains(plain, " needs "))
	if !tooSmall && len(lines) != p.height {
		p.T.Fatalf("%d lines on a screen of %d×%d:\n%s", len(lines), p.width, p.height, plain)
	}
	for i, line := range lines {
		if bad := acting(line); bad != "" {
			p.T.Fatalf("line %d has %q: %q", i, bad, line)
		}
		if got := ansi.StringWidth(line); got > max(0, p.width) {
			p.T.Fatalf("line %d has %d cells on a screen of %d×%d: %q", i, got, p.width, p.height, line)
		}
	}
}

// acting returns the first part of a text that acts on a terminal, or "".
func acting(s string) string {
	if !utf8.ValidString(s) {
		return "invalid UTF-8"
	}
	for _, r := range s {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || strings.ContainsRune("\u200b\u2028\u2029\ufeff", r) {
			return string(r)
		}
	}
	return ""
}
