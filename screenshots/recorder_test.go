package screenshots

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/client/mock"
	"pgtower/client/mock/sim"
	"pgtower/internal/driver"
	"pgtower/internal/termtest"
	"pgtower/models/settings"
	"pgtower/ui"
)

const (
	// tick is the time between two looks at the screen.
	tick = 100 * time.Millisecond
	// keystroke is how long a key is shown, and typing is the same within a text.
	keystroke = 2 * tick
	typing    = tick
)

// The service is a fixture at one moment: the same pictures on every machine and day, whatever the simulation does.
//
//go:embed testdata/platform.json
var platform []byte

// serviceSeed is the seed of the secrets of new keys.
const serviceSeed = 7

func serviceTime() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// recorder runs the program on the mock in fake time and records its screen.
type recorder struct {
	t       *testing.T
	picture picture
	server  *mock.Server
	model   *ui.Model
	driver  *driver.Driver

	began     time.Time // when the animation began; zero before it
	animation animation
	content   string // of the last frame
	pressed   string
}

// record records a picture. It must run in a synctest bubble.
func record(t *testing.T, p picture) animation {
	t.Helper()
	began := time.Now()
	clock := func() time.Time { return serviceTime().Add(time.Since(began)) }
	listed := new(sim.Fixture)
	if err := json.Unmarshal(platform, listed); err != nil {
		t.Fatal(err)
	}
	server, err := mock.New(mock.Options{Seed: serviceSeed, Clock: clock, Live: true, Fixture: listed})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer synctest.Wait()
	defer cancel()
	s := &recorder{t: t, picture: p, server: server, animation: animation{title: cmp.Or(p.title, "pgtower")}}
	s.model = ui.New(ctx, ui.Options{
		Profile: ui.Profile{
			Profile:       settings.Profile{Name: "default", BaseURL: serviceURL, Theme: p.theme, Interval: cmp.Or(p.interval, 5*time.Second), PageSize: 100, Budget: budget},
			Host:          serviceHost,
			KeysURL:       "https://" + serviceHost + "/app/settings/api-keys",
			Authenticator: &backend{server: server, clock: clock, keyless: p.keyless, memory: p.memory},
		},
		Others: p.others, Clock: clock,
	})
	s.driver = driver.New(s.model, nil)
	s.driver.Start(p.size.cols, p.size.rows)
	for _, step := range p.before {
		s.play(step)
	}
	s.began = time.Now()
	s.capture()
	for _, step := range p.animated {
		s.play(step)
	}
	s.animation.length = time.Since(s.began)
	return s.animation
}

func (s *recorder) play(k step) {
	s.t.Helper()
	if k.backend != nil {
		if err := k.backend(s.server); err != nil {
			s.t.Fatal(err)
		}
	}
	s.pressed = k.pressed
	for key := range strings.FieldsSeq(k.keys) {
		s.driver.Press(key)
		s.wait(keystroke)
	}
	for _, r := range k.typed {
		s.driver.Type(string(r))
		s.wait(typing)
	}
	s.wait(k.lasts)
	screen := s.screen()
	for _, text := range k.sees {
		if !screen.Contains(text) {
			s.t.Fatalf("%q is not on the screen:\n%s", text, screen)
		}
	}
	if k.poster {
		s.animation.poster = time.Since(s.began) - tick
	}
}

// wait lets time pass.
func (s *recorder) wait(d time.Duration) {
	for ; d > 0; d -= tick {
		s.driver.Settle()
		if !s.began.IsZero() {
			s.capture()
		}
		time.Sleep(tick)
	}
	s.driver.Settle()
}

// capture records a frame, unless it equals the last one.
func (s *recorder) capture() {
	view := s.model.View()
	f := frame{at: time.Since(s.began), title: cmp.Or(view.WindowTitle, "pgtower"), pressed: s.pressed}
	content := strings.Join([]string{view.Content, f.title, f.pressed}, "\x00")
	if content == s.content {
		return
	}
	s.content, f.screen = content, s.screen()
	s.animation.frames = append(s.animation.frames, f)
}

func (s *recorder) screen() termtest.Screen {
	return termtest.Render(s.model.View().Content, s.picture.size.cols, s.picture.size.rows)
}
