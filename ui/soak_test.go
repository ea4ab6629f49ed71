package ui_test

import (
	"context"
	"io"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgtower/ui"
	"pgtower/ui/desktop"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"go.uber.org/goleak"

	"pgtower/client"
	"pgtower/client/mock"
	"pgtower/internal/driver"
	"pgtower/models"
	"pgtower/models/control"
	"pgtower/models/settings"
)

const (
	soakSpeed = 20
	// soakPerOperation is the maximum cost of a loaded operation in bytes, and soakSlack the allowance for everything
	// else.
	soakPerOperation, soakSlack = 2 << 10, 4 << 20
	soakEvery                   = 20 * time.Second
)

// soaking is the program as Bubble Tea runs it, over TCP, with a hidden screen.
type soaking struct {
	t       *testing.T
	program *tea.Program
	answers chan string // the screen, for each request
}

// look requests the screen.
type look struct{}

// soakAuthenticator connects to a listening mock.
type soakAuthenticator struct {
	base  string
	key   string
	clock func() time.Time
}

func (g soakAuthenticator) Open(context.Context, string) (control.Connection, error) {
	api, err := client.New(client.Options{BaseURL: g.base, Key: models.NewSecret(g.key), Clock: g.clock})
	return control.Connection{API: api, Source: "key of the soak", BaseURL: g.base, Host: "soak.example"}, err
}

func (g soakAuthenticator) SignIn(ctx context.Context, baseURL string, _ models.Secret, _ string) (control.Connection, error) {
	return g.Open(ctx, baseURL)
}

func (soakAuthenticator) Forget(string) {}

// TestSoak runs for the duration in PGTOWER_SOAK, polling a failing service at twenty times the usual speed. Memory
// grows only with the loaded operations, and the number of goroutines stays constant.
func TestSoak(t *testing.T) { //nolint:paralleltest // measures the whole process
	length, err := time.ParseDuration(os.Getenv("PGTOWER_SOAK"))
	if err != nil {
		t.Skip("it takes as long as PGTOWER_SOAK says, such as 5m")
	}
	before := goleak.IgnoreCurrent()
	start := time.Now()
	clock := func() time.Time { return start.Add(soakSpeed * time.Since(start)) }
	server, err := mock.New(mock.Options{Seed: 7, Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range soakFaults() {
		if _, err := server.Inject(f); err != nil {
			t.Fatal(err)
		}
	}
	listener, err := mock.Listen(t.Context(), server, mock.ListenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := soak(t, clock, soakAuthenticator{listener.BaseURL(), server.APIKey(), clock})
	end := time.After(length)
	first := s.measure("warm")
	for over := false; !over; {
		select {
		case <-end:
			over = true
		default:
			now := s.measure("later")
			if now.goroutines != first.goroutines {
				t.Errorf("%d goroutines, %d at first:\n%s", now.goroutines, first.goroutines, now.stacks)
			}
			if most := first.heap + soakSlack + soakPerOperation*max(0, now.loaded-first.loaded); now.heap > most {
				t.Errorf("%d bytes in use, at most %d were to be", now.heap, most)
			}
		}
	}
	s.program.Quit()
	s.program.Wait()
	if err := listener.Close(); err != nil {
		t.Error(err)
	}
	goleak.VerifyNone(t, before)
}

func soakFaults() []string {
	return []string{
		"500 p=0.05",
		"503 retry-after=1s p=0.02",
		"429 retry-after=1s p=0.02",
		"reset p=0.05",
		"empty p=0.03",
		"truncate p=0.03",
		"latency=300ms±200ms p=0.1",
		"trickle=500ms p=0.02",
		"body=[{ p=0.02",
	}
}

// soak starts the program.
func soak(t *testing.T, clock func() time.Time, authenticator control.Authenticator) *soaking {
	t.Helper()
	s := &soaking{t: t, answers: make(chan string)}
	ctx, cancel := context.WithCancel(t.Context())
	model := ui.New(ctx, ui.Options{
		Profile: ui.Profile{
			Profile:       settings.Profile{Name: "default", Interval: 5 * time.Second / soakSpeed, PageSize: 100, Budget: 10 * soakSpeed},
			Host:          "soak.example",
			Authenticator: authenticator,
		},
		Clock: clock, Clipboard: desktop.Board{
			Read:  func() (string, error) { return "", nil },
			Write: func(string) error { return nil },
		},
	})
	s.program = tea.NewProgram(model, tea.WithContext(ctx), tea.WithInput(nil), tea.WithOutput(io.Discard),
		tea.WithWindowSize(140, 40), tea.WithoutSignalHandler(), tea.WithFilter(func(m tea.Model, msg tea.Msg) tea.Msg {
			if _, ok := msg.(look); ok {
				s.answers <- ansi.Strip(m.View().Content)
				return nil
			}
			return msg
		}))
	go func() {
		defer cancel()
		if _, err := s.program.Run(); err != nil {
			t.Error(err)
		}
	}()
	return s
}

func (s *soaking) press(names ...string) {
	for _, name := range names {
		s.program.Send(driver.Key(name))
	}
}

func (s *soaking) screen() string {
	s.program.Send(look{})
	return <-s.answers
}

// measurement is the state of the program at one time.
type measurement struct {
	heap, loaded, goroutines int
	stacks                   string
}

// measure uses the program for a while, and measures it at rest.
func (s *soaking) measure(what string) measurement {
	s.t.Helper()
	for end := time.Now().Add(soakEvery); time.Now().Before(end); time.Sleep(soakEvery / 10) {
		s.press("2", "r", "d", "esc", "3", "r", "1", "down", "enter", "esc", "v", "esc", "?", "esc", "G", "g")
	}
	s.press("p")
	time.Sleep(5 * time.Second) // until all requests, including Retry-After, are over
	screen := s.screen()
	m := measurement{}
	if found := regexp.MustCompile(` All ([\d,]+) `).FindStringSubmatch(screen); found != nil {
		m.loaded, _ = strconv.Atoi(strings.ReplaceAll(found[1], ",", ""))
	} else {
		s.t.Errorf("nothing was loaded:\n%s", screen)
	}
	runtime.GC()
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	m.heap = int(memory.HeapAlloc)
	m.goroutines, m.stacks = goroutines()
	s.t.Logf("%s: %d bytes in use, %d operations loaded, %d goroutines, %d besides those of net/http",
		what, m.heap, m.loaded, runtime.NumGoroutine(), m.goroutines)
	s.press("p")
	return m
}

// goroutines counts the goroutines except those of net/http's connections.
func goroutines() (n int, stacks string) {
	all := make([]byte, 1<<20)
	all = all[:runtime.Stack(all, true)]
	var ours []string
	for stack := range strings.SplitSeq(string(all), "\n\n") {
		if !strings.Contains(stack, "net/http.") {
			ours = append(ours, stack)
		}
	}
	return len(ours), strings.Join(ours, "\n\n")
}
