package main

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
	"pgtower/ui"
)

const (
	// tick is how often the screen is looked at.
	tick = 100 * time.Millisecond
	// keystroke is how long a key is looked at, and typing is that within a text.
	keystroke = 2 * tick
	typing    = tick
)

// studio runs the program on the mock in the fake time of a test. Messages are delivered as
// Bubble Tea does, but in an order that is always the same.
type studio struct {
	t      *testing.T
	server *mock.Server
	model  *ui.Model
	cols   int
	rows   int

	mu      sync.Mutex
	started int
	answers []answer

	rolling time.Time // when the film began
	film    film
	content string // of the last frame
	caption string
}

// answer is what the command of a number came to.
type answer struct {
	number int
	msg    tea.Msg
}

// roll plays the recording. It must run in a bubble of synctest.
func roll(t *testing.T, r recording) film {
	t.Helper()
	began, fixed := time.Now(), demoTime(t)
	clock := func() time.Time { return fixed.Add(time.Since(began)) }
	server, err := mock.New(mock.Options{Seed: demoSeed, Clock: clock, Live: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer synctest.Wait()
	defer cancel()
	s := &studio{t: t, server: server, film: film{title: r.title}}
	s.cols, s.rows = wide.cells()
	s.model = ui.New(ctx, ui.Options{
		Profile: ui.Profile{
			Name: "default", BaseURL: serviceURL, Host: serviceHost, Interval: cmp.Or(r.interval, 5*time.Second), PageSize: 100,
			Authenticator: &booth{server: server, clock: clock, keyless: r.keyless},
		},
		Others: r.others, Budget: budget, Clock: clock,
	})
	s.start(s.model.Init())
	s.deliver(tea.WindowSizeMsg{Width: s.cols, Height: s.rows})
	for _, k := range r.before {
		s.play(k)
	}
	s.rolling = time.Now()
	s.shoot()
	for _, k := range r.takes {
		s.play(k)
	}
	s.film.length = time.Since(s.rolling)
	return s.film
}

func (s *studio) play(k take) {
	s.t.Helper()
	if k.backend != nil {
		if err := k.backend(s.server); err != nil {
			s.t.Fatal(err)
		}
	}
	s.caption = k.caption
	for key := range strings.FieldsSeq(k.keys) {
		s.deliver(keyPress(key))
		s.pass(keystroke)
	}
	for _, r := range k.typed {
		s.deliver(tea.KeyPressMsg{Text: string(r), Code: r})
		s.pass(typing)
	}
	s.pass(k.lasts)
	screen := s.screen()
	for _, text := range k.sees {
		if !screen.Contains(text) {
			s.t.Fatalf("%q is not on the screen:\n%s", text, screen)
		}
	}
	if k.still {
		s.film.still = time.Since(s.rolling) - tick
	}
}

// pass lets time go on.
func (s *studio) pass(d time.Duration) {
	for ; d > 0; d -= tick {
		s.settle()
		s.shoot()
		time.Sleep(tick)
	}
	s.settle()
}

// start begins a command and waits until it has to wait itself: so commands that begin together
// always do so in the same order.
func (s *studio) start(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	s.started++
	number := s.started
	go func() {
		msg := cmd()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.answers = append(s.answers, answer{number, msg})
	}()
	synctest.Wait()
}

// settle delivers answers until everything waits for time or a person. Of several answers at one
// moment the one to the oldest command comes first.
func (s *studio) settle() {
	for {
		synctest.Wait()
		msg, ok := s.next()
		if !ok {
			return
		}
		s.deliver(msg)
	}
}

func (s *studio) next() (tea.Msg, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.answers) == 0 {
		return nil, false
	}
	slices.SortFunc(s.answers, func(a, b answer) int { return a.number - b.number })
	msg := s.answers[0].msg
	s.answers = s.answers[1:]
	return msg, true
}

func (s *studio) deliver(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			s.start(cmd)
		}
	default:
		_, cmd := s.model.Update(msg)
		s.start(cmd)
	}
}

// shoot takes a frame, unless it is the last one again.
func (s *studio) shoot() {
	if s.rolling.IsZero() {
		return
	}
	view := s.model.View()
	f := frame{at: time.Since(s.rolling), title: view.WindowTitle, caption: s.caption}
	content := strings.Join([]string{view.Content, f.title, f.caption}, "\x00")
	if content == s.content {
		return
	}
	s.content, f.screen = content, s.screen()
	s.film.frames = append(s.film.frames, f)
}

func (s *studio) screen() termtest.Screen {
	return termtest.Render(s.model.View().Content, s.cols, s.rows, false)
}

func keyPress(name string) tea.KeyPressMsg {
	named := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown,
	}
	if code, ok := named[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	if name == "space" {
		name = " "
	}
	return tea.KeyPressMsg{Text: name, Code: []rune(name)[0]}
}
