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

	"pgtower/internal/driver"
	"pgtower/keystore"
	"pgtower/ui"
)

// person is a user of the dashboard. It remembers the host on the screen where it typed a key.
type person struct {
	t    *testing.T
	rt   *rapid.T
	home home
	net  *internet
	ring *memoryRing

	entered map[string][]string // the hosts that a key was entered for
	typed   int                 // keys

	*driver.Driver
	driver.User

	end   func()
	model *ui.Model
}

// begin starts or restarts the program.
func (p *person) begin(file string) {
	if p.end != nil {
		p.end()
	}
	if file != "" {
		p.home.write("config.toml", file)
	}
	a := p.home.accounts()
	if host := a.profiles[0].Host; p.home.env[keystore.EnvKey] != "" {
		p.entered[p.home.env[keystore.EnvKey]] = append(p.entered[p.home.env[keystore.EnvKey]], host)
	}
	for _, g := range a.authenticators {
		g.options.Transport = p.net
		g.sources.Ring = keystore.New(p.ring)
	}
	others := slices.DeleteFunc(a.profiles[1:], func(o ui.Profile) bool { return o.Demo })
	ctx, cancel := context.WithCancel(p.t.Context())
	p.end = func() {
		cancel()
		a.close()
		synctest.Wait()
	}
	p.model = ui.New(ctx, ui.Options{Profile: a.profiles[0], Others: others, Clock: time.Now})
	p.Driver, p.User = driver.New(p.model, nil), driver.NewUser(p.rt, p)
	p.Start(160, 20)
	p.Wait(time.Second)
}

// Paste pastes a text.
func (p *person) Paste(text string) { p.Send(tea.PasteMsg{Content: text}) }

// Until fails unless the screen is as wanted.
func (p *person) Until(what string, wanted func(screen string) bool) {
	if !wanted(p.screen()) {
		p.rt.Fatalf("not %s:\n%s", what, p.screen())
	}
}

func (p *person) screen() string { return ansi.Strip(p.model.View().Content) }

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

// header returns the host that the header names. The live service is meant where it names none.
func (p *person) header() string {
	line, _, _ := strings.Cut(p.screen(), "\n")
	if !strings.Contains(line, ".example") {
		line += " console.neon.tech"
	}
	return p.hostIn(line)
}

func (p *person) asked() bool { return p.line("API key: ") != "" }

// maybeElsewhere types another address into the form, which ignores keys just after it appears.
func (p *person) maybeElsewhere() {
	p.Wait(time.Second)
	if host := rapid.SampledFrom([]string{"", "work", "home", "typed", "other"}).Draw(p.rt, "address"); host != "" {
		p.Press("tab", "ctrl+u")
		p.Paste("https://" + host + ".example/api/v2")
		p.Press("tab")
	}
}

// maybeWait continues at once, or waits until running work is done.
func (p *person) maybeWait() {
	if rapid.Bool().Draw(p.rt, "wait") {
		p.Wait(time.Second)
	}
}

func (p *person) signIn(*rapid.T) {
	if !p.asked() {
		p.rt.Skip("signed in")
	}
	p.maybeElsewhere()
	p.Press("ctrl+u")
	p.typed++
	key := fmt.Sprintf("napi_%d", p.typed)
	p.net.mu.Lock()
	p.net.good[key] = rapid.Bool().Draw(p.rt, "good")
	p.net.mu.Unlock()
	p.Paste(key)
	p.entered[key] = []string{p.hostIn(p.line("Service: "))}
	p.Press("enter")
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
	p.Press("ctrl+u")
	shown := p.hostIn(p.line("Service: "))
	p.Press("enter")
	p.Wait(time.Second)
	if !p.asked() && p.header() != shown {
		p.rt.Fatalf("looked for a key of %s:\n%s", shown, p.screen())
	}
}

func (p *person) switchProfile(*rapid.T) {
	name := rapid.SampledFrom([]string{"default", "work", "home"}).Draw(p.rt, "profile")
	if p.asked() {
		p.Press("esc")
	} else {
		p.Press("P")
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
		p.Press("esc")
		return
	}
	shown := p.hostIn(row)
	p.Enter(name)
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
	p.Wait(8 * time.Second)
}

// about checks that dialogs name the current service.
func (p *person) about(*rapid.T) {
	p.Wait(time.Second)
	if p.asked() {
		p.rt.Skip("not signed in")
	}
	host := p.header()
	p.Press("3")
	p.Wait(time.Second) // until the keys are there
	asked := p.Keys().Revoke()
	if row := p.line("id 1 · name old"); p.hostIn(row) != host {
		p.rt.Fatalf("the confirmation names another service than %s:\n%s", host, p.screen())
	}
	asked.Leave()
	p.Operations()
	p.net.mu.Lock()
	p.net.failed = true
	p.net.mu.Unlock()
	p.Wait(6 * time.Second)
	p.net.mu.Lock()
	p.net.failed = false
	p.net.mu.Unlock()
	p.Failures()
	lines := strings.Count(p.screen(), "curl -i")
	if lines == 0 || lines != strings.Count(p.screen(), "'https://"+host) {
		p.rt.Fatalf("the errors name another service than %s:\n%s", host, p.screen())
	}
	p.Press("esc")
}

// check checks that requests go to the host on the screen, and that each key goes only to the host for which it was entered.
func (p *person) check(*rapid.T) {
	begun := p.net.take()
	p.Wait(time.Second)
	begun = append(begun, p.net.take()...)
	shown := p.header()
	p.Wait(6 * time.Second)
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

// TestServiceShownIsTheOneAsked signs in to several services, switches profiles, returns and restarts, in any order,
// even while something is under way.
func TestServiceShownIsTheOneAsked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		// In a synctest bubble a test has no deadline, which rapid would read.
		rapid.Check(struct{ rapid.TB }{t}, func(rt *rapid.T) {
			p := &person{
				t: t, rt: rt, home: home{t, t.TempDir(), map[string]string{}}, entered: map[string][]string{},
				net:  &internet{good: map[string]bool{}},
				ring: &memoryRing{items: map[string]string{}, locked: rapid.Bool().Draw(rt, "locked keyring")},
			}
			defer func() {
				p.end()
				time.Sleep(time.Minute) // requests under way end meanwhile
			}()
			if rapid.Bool().Draw(rt, "key of the environment") {
				p.home.env[keystore.EnvKey] = "napi_env"
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
