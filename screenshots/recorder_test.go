package screenshots

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"hash/fnv"
	"net/http"
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/client/mock/sim"
	"pgtower/internal/cli"
	"pgtower/internal/play"
	"pgtower/internal/termtest"
	"pgtower/ui"
	"pgtower/ui/desktop"
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

func serviceTime() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// recorder records the screen of a program.
type recorder struct {
	*play.Program

	t       *testing.T
	picture picture

	began     time.Time // when the animation began; zero before it
	animation animation
	content   string // of the last frame
	pressed   string
}

// record records a picture.
func record(t *testing.T, p picture) animation {
	t.Helper()
	s := &recorder{t: t, picture: p, animation: animation{title: cmp.Or(p.title, "pgtower")}}
	play.Run(t, p.size.cols, p.size.rows, s.prepare, func(program *play.Program) {
		s.Program = program
		for _, step := range p.before {
			s.play(step)
		}
		s.began = time.Now()
		s.capture()
		for _, step := range p.animated {
			s.play(step)
		}
		s.animation.length = time.Since(s.began)
	})
	return s.animation
}

// prepare makes the service of a picture, and the program with its profile.
func (s *recorder) prepare(b *play.Backend, o *ui.Options) {
	began, listed := time.Now(), new(sim.Fixture)
	if err := json.Unmarshal(platform, listed); err != nil {
		s.t.Fatal(err)
	}
	b.Clock = func() time.Time { return serviceTime().Add(time.Since(began)) }
	b.Simulate(mock.Options{Live: true, Fixture: listed})
	b.From, b.Watch, b.NoKey, b.Memory = "192.0.2.1:1234", delay, s.picture.keyless, s.picture.memory
	if s.picture.month {
		b.Uses = cli.PastUses(b.Server, serviceTime(), "console.example", func() string { return "" }) // this mock tells no account
	}
	o.Budget, o.PageSize = 10, 100
	o.KeysURL = "https://console.example/app/settings/api-keys"
	o.Interval, o.Theme = cmp.Or(s.picture.interval, o.Interval), s.picture.theme
	o.Others, o.Clock, o.Clipboard = s.picture.others, b.Clock, desktop.Board{}
}

// delay waits as for a slow service, for a different time for each URL. So simultaneous requests always reach the mock in the
// same order, and get the same ids.
func delay(r *http.Request) {
	latency := 40 * time.Millisecond
	if r.Method != http.MethodGet {
		latency = 450 * time.Millisecond
	}
	address := fnv.New32a()
	_, _ = address.Write([]byte(r.URL.String()))
	select {
	case <-time.After(latency + time.Duration(address.Sum32()%1e6)*time.Nanosecond):
	case <-r.Context().Done():
	}
}

func (s *recorder) play(k step) {
	s.t.Helper()
	if k.backend != nil {
		if err := k.backend(s.Server); err != nil {
			s.t.Fatal(err)
		}
	}
	s.pressed = k.pressed
	for key := range strings.FieldsSeq(k.keys) {
		s.Press(key)
		s.wait(keystroke)
	}
	for _, r := range k.typed {
		s.Type(string(r))
		s.wait(typing)
	}
	if k.onKeys != nil {
		k.onKeys(s.Keys())
	}
	s.wait(k.lasts)
	s.Sees(k.sees...)
	if k.poster {
		s.animation.poster = time.Since(s.began) - tick
	}
}

// wait lets time pass.
func (s *recorder) wait(d time.Duration) {
	for ; d > 0; d -= tick {
		s.Settle()
		if !s.began.IsZero() {
			s.capture()
		}
		time.Sleep(tick)
	}
	s.Settle()
}

// capture records a frame, unless it equals the last one.
func (s *recorder) capture() {
	view := s.Model.View()
	f := frame{at: time.Since(s.began), title: cmp.Or(view.WindowTitle, "pgtower"), pressed: s.pressed}
	content := strings.Join([]string{view.Content, f.title, f.pressed}, "\x00")
	if content == s.content {
		return
	}
	s.content, f.screen = content, s.screen()
	s.animation.frames = append(s.animation.frames, f)
}

func (s *recorder) screen() termtest.Screen {
	return termtest.Render(s.Model.View().Content, s.picture.size.cols, s.picture.size.rows)
}
