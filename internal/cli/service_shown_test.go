package cli

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"pgtower/keystore"
	"pgtower/ui"
)

// person uses the dashboard, and remembers the screen on which they typed a key.
type person struct {
	t    *testing.T
	rt   *rapid.T
	dir  string
	env  map[string]string
	net  *internet
	ring *memoryRing

	entered map[string][]string // the hosts that a key was entered for
	typed   int                 // keys

	end   func()
	ctx   context.Context //nolint:containedctx // the life of the program under test
	model *ui.Model
	drawn string // the screen, or "" after a message
	msgs  chan tea.Msg
}

// begin starts or restarts the program.
func (p *person) begin(file string) {
	if p.end != nil {
		p.end()
	}
	a := accountsIn(p.t, p.dir, file, p.env)
	if host := a.all[0].Host; p.env[keystore.EnvKey] != "" {
		p.entered[p.env[keystore.EnvKey]] = append(p.entered[p.env[keystore.EnvKey]], host)
	}
	for _, g := range a.authenticators {
		g.options.Transport = p.net
		g.sources.Ring = keystore.New(p.ring)
	}
	others := slices.DeleteFunc(a.all[1:], func(o ui.Profile) bool { return o.Demo })
	ctx, cancel := context.WithCancel(p.t.Context())
	p.end = func() {
		cancel()
		a.close()
		synctest.Wait()
	}
	p.ctx, p.msgs = ctx, make(chan tea.Msg)
	p.model = ui.New(ctx, ui.Options{Profile: a.all[0], Others: others, Clock: time.Now})
	p.start(p.model.Init())
	p.send(tea.WindowSizeMsg{Width: 160, Height: 20})
	p.wait(time.Second)
}

func (p *person) start(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	msgs, ctx := p.msgs, p.ctx
	go func() {
		select {
		case msgs <- cmd():
		case <-ctx.Done():
		}
	}()
}

func (p *person) send(msg tea.Msg) {
	p.drawn = ""
	for {
		if batch, ok := msg.(tea.BatchMsg); ok {
			for _, cmd := range batch {
				p.start(cmd)
			}
		} else if msg != nil {
			_, cmd := p.model.Update(msg)
			p.start(cmd)
		}
		synctest.Wait()
		select {
		case msg = <-p.msgs:
		default:
			return
		}
	}
}

func (p *person) wait(d time.Duration) {
	for ; d > 0; d -= 500 * time.Millisecond {
		time.Sleep(500 * time.Millisecond)
		p.send(nil)
	}
}

func (p *person) press(names ...string) {
	named := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab}
	for _, name := range names {
		switch code, ok := named[name]; {
		case ok:
			p.send(tea.KeyPressMsg{Code: code})
		case name == "ctrl+u":
			p.send(tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl})
		default:
			p.send(tea.KeyPressMsg{Code: []rune(name)[0], Text: name})
		}
	}
}

func (p *person) screen() string {
	if p.drawn == "" {
		p.drawn = ansi.Strip(p.model.View().Content)
	}
	return p.drawn
}

// hostIn returns the only host in a text.
func (p *person) hostIn(text string) string {
	named := regexp.MustCompile(`[a-z]+\.example|console\.neon\.tech`).FindAllString(text, -1)
	if named = slices.Compact(named); len(named) != 1 {
		p.rt.Fatalf("%q names %q\n%s", text, named, p.screen())
	}
	return named[0]
}

// line returns the first line below the header that has all texts, or "".
func (p *person) line(texts ...string) string {
	for _, line := range strings.Split(p.screen(), "\n")[1:] {
		if !slices.ContainsFunc(texts, func(s string) bool { return !strings.Contains(line, s) }) {
			return line
		}
	}
	return ""
}

func (p *person) header() string {
	line, _, _ := strings.Cut(p.screen(), "\n")
	return p.hostIn(line)
}

func (p *person) asked() bool { return p.line("API key: ") != "" }

// maybeElsewhere types another address into the form, which ignores keys just after it appears.
func (p *person) maybeElsewhere() {
	p.wait(time.Second)
	if host := rapid.SampledFrom([]string{"", "work", "home", "typed", "other"}).Draw(p.rt, "address"); host != "" {
		p.press("tab", "ctrl+u")
		p.send(tea.PasteMsg{Content: "https://" + host + ".example/api/v2"})
		p.press("tab")
	}
}

// maybeWait continues at once, or waits until running work is done.
func (p *person) maybeWait() {
	if rapid.Bool().Draw(p.rt, "wait") {
		p.wait(time.Second)
	}
}

func (p *person) signIn(*rapid.T) {
	if !p.asked() {
		p.rt.Skip("signed in")
	}
	p.maybeElsewhere()
	p.press("ctrl+u")
	p.typed++
	key := fmt.Sprintf("napi_%d", p.typed)
	p.net.mu.Lock()
	p.net.good[key] = rapid.Bool().Draw(p.rt, "good")
	p.net.mu.Unlock()
	p.send(tea.PasteMsg{Content: key})
	p.entered[key] = []string{p.hostIn(p.line("Service: "))}
	p.press("enter")
	if rapid.Bool().Draw(p.rt, "leave") {
		p.switchProfile(nil) // while the key is being verified
	}
	p.maybeWait()
}

// save saves a valid key in the keyring, as another pgtower does.
func (p *person) save(*rapid.T) {
	p.typed++
	key := fmt.Sprintf("napi_%d", p.typed)
	host := rapid.SampledFrom([]string{"work", "home", "typed"}).Draw(p.rt, "host") + ".example"
	p.entered[key] = []string{host}
	p.net.mu.Lock()
	p.net.good[key] = true
	p.net.mu.Unlock()
	for _, profile := range []string{"default", "work", "home"} {
		p.ring.mu.Lock()
		p.ring.items[profile+"@"+host] = key
		p.ring.mu.Unlock()
	}
}

func (p *person) lookAgain(*rapid.T) {
	if !p.asked() {
		p.rt.Skip("signed in")
	}
	p.maybeElsewhere()
	p.press("ctrl+u")
	shown := p.hostIn(p.line("Service: "))
	p.press("enter")
	p.wait(time.Second)
	if !p.asked() && p.header() != shown {
		p.rt.Fatalf("looked for a key of %s:\n%s", shown, p.screen())
	}
}

func (p *person) switchProfile(*rapid.T) {
	name := rapid.SampledFrom([]string{"default", "work", "home"}).Draw(p.rt, "profile")
	if p.asked() {
		p.press("esc")
	} else {
		p.press("P")
	}
	if p.line("Switch profile") == "" {
		return // there is only one
	}
	p.maybeWait()
	if p.line("Switch profile") == "" {
		return // a session began meanwhile
	}
	row := regexp.MustCompile(`│[ ▌]+` + name + ` +(in use · )?\S+`).FindString(p.screen())
	if row == "" {
		p.press("esc")
		return
	}
	shown := p.hostIn(row)
	p.send(tea.PasteMsg{Content: name})
	p.press("enter")
	if p.header() != shown {
		p.rt.Fatalf("switched to %s:\n%s", shown, p.screen())
	}
	p.maybeWait()
}

// refuse revokes all keys in use.
func (p *person) refuse(*rapid.T) {
	p.net.mu.Lock()
	clear(p.net.good)
	p.net.mu.Unlock()
	p.wait(8 * time.Second)
}

// about checks that dialogs name the current service.
func (p *person) about(*rapid.T) {
	p.wait(time.Second)
	if p.asked() {
		p.rt.Skip("not signed in")
	}
	host := p.header()
	p.press("3")
	p.wait(time.Second)
	p.press("x")
	if row := p.line("id 1 · name old"); p.hostIn(row) != host {
		p.rt.Fatalf("the confirmation names another service than %s:\n%s", host, p.screen())
	}
	p.press("esc", "1")
	p.net.mu.Lock()
	p.net.failed = true
	p.net.mu.Unlock()
	p.wait(6 * time.Second)
	p.net.mu.Lock()
	p.net.failed = false
	p.net.mu.Unlock()
	p.press("!")
	lines := strings.Count(p.screen(), "curl -i")
	if lines == 0 || lines != strings.Count(p.screen(), "'https://"+host) {
		p.rt.Fatalf("the errors name another service than %s:\n%s", host, p.screen())
	}
	p.press("esc")
}

// check checks that requests go to the host that is shown, and that no key goes where it was not entered for.
func (p *person) check(*rapid.T) {
	begun := p.net.take()
	p.wait(time.Second)
	begun = append(begun, p.net.take()...)
	shown := p.header()
	p.wait(6 * time.Second)
	polled := p.net.take()
	for _, r := range polled {
		if r.host != shown {
			p.rt.Fatalf("%s is shown, %s was asked:\n%s", shown, r.host, p.screen())
		}
	}
	for _, r := range append(begun, polled...) {
		if !slices.Contains(p.entered[r.key], r.host) {
			p.rt.Fatalf("the key that was entered for %s went to %s", p.entered[r.key], r.host)
		}
	}
}

// TestTheHostShownIsTheHostAsked signs in to several services, switches profiles, returns and restarts, in any order,
// even while something is under way.
func TestTheHostShownIsTheHostAsked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		// In a synctest bubble a test has no deadline, which rapid would read.
		rapid.Check(struct{ rapid.TB }{t}, func(rt *rapid.T) {
			p := &person{
				t: t, rt: rt, dir: t.TempDir(), env: map[string]string{}, entered: map[string][]string{},
				net:  &internet{good: map[string]bool{}},
				ring: &memoryRing{items: map[string]string{}, locked: rapid.Bool().Draw(rt, "locked keyring")},
			}
			defer func() {
				p.end()
				time.Sleep(time.Minute) // requests under way end meanwhile
			}()
			if rapid.Bool().Draw(rt, "key of the environment") {
				p.env[keystore.EnvKey] = "napi_env"
				p.net.good["napi_env"] = rapid.Bool().Draw(rt, "good")
			}
			file := rapid.SampledFrom([]string{"", `default_profile = "work"
[profiles.work]
base_url = "https://work.example/api/v2"
[profiles.home]
base_url = "https://home.example/api/v2"
`}).Draw(rt, "configuration file")
			p.begin(file)
			rt.Repeat(map[string]func(*rapid.T){
				"": p.check, "sign in": p.signIn, "look again": p.lookAgain, "switch": p.switchProfile, "refuse": p.refuse,
				"save": p.save, "about": p.about, "restart": func(*rapid.T) { p.begin("") },
			})
		})
	})
}
