package ui_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"pgtower/client/mock"
	"pgtower/models"
	"pgtower/models/settings"
)

// wideNames are parts of names whose width differs from their number of characters.
func wideNames() []string {
	return []string{
		"数据库", "데이터", "ﾃﾞｰﾀ", "🚀", "👩‍👩‍👧‍👦", "🇨🇭", "❤️", "☎", "é", "a\u0301\u0302\u0303", "ก็", "नमस्ते", "\u200d", "\ufe0f",
		"｜", "│", "─", "\u202eevil", "\x1b[31m", "\t", "\u00ad", "\U000e0041", "a", " ", "-",
	}
}

// named answers as the service does, with this name instead of all others.
func named(name string) func(*http.Request, []byte) []byte {
	quoted, err := json.Marshal(name)
	if err != nil {
		panic(err)
	}
	names := regexp.MustCompile(`"name":\s*"(?:[^"\\]|\\.)*"`)
	return func(_ *http.Request, body []byte) []byte {
		return names.ReplaceAllLiteral(body, append([]byte(`"name":`), quoted...))
	}
}

// TestNamesThatAreWide draws every kind of screen with wide, narrow and joined characters: each line fills the
// screen, and borders align.
func TestNamesThatAreWide(t *testing.T) {
	t.Parallel()
	type screen struct{ press, leave string }
	feed := []screen{{"1", ""}, {"enter", "esc"}, {"O", "esc"}, {"y", "esc"}, {":", "esc"}, {"v", "v"}, {"P", "esc"}}
	others := []screen{
		{"2", ""},
		{"d", "esc"},
		{"3", ""},
		{"enter", "esc"},
		{"x", "esc"},
		{"n", "esc"},
		{"space space A x", "esc"},
		{"u down x tab enter", ""},
		{"R", "esc"},
		{"!", ""},
	}
	rapid.Check(t, func(rt *rapid.T) {
		piece := rapid.OneOf(rapid.SampledFrom(wideNames()), rapid.StringN(1, 2, 8))
		name := strings.Join(rapid.SliceOfN(piece, 1, 40).Draw(rt, "name"), "")
		s := rapid.SampledFrom([]play.Size{play.At(60, 15), play.At(80, 24), play.At(120, 36), play.At(200, 60)}).Draw(rt, "size")
		mode := rapid.SampledFrom([]ansi.ModeSetting{ansi.ModeReset, ansi.ModeNotRecognized}).Draw(rt, "counts clusters")
		screens, wrong := rapid.SampledFrom([][]screen{feed, others}).Draw(rt, "screens"), ""
		play.Run(t, s.W, s.H, func(b *play.Backend, o *ui.Options) {
			b.Simulate(mock.Options{Projects: 4, Operations: 100})
			b.Spoil, o.Name = named(name), models.Clean(name)
			o.Others = []ui.Profile{{
				Profile:       settings.Profile{Name: models.Clean(name + name)},
				Host:          "other.example",
				Authenticator: b,
			}}
		}, func(p *play.Program) {
			p.Send(tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: mode})
			p.Wait(time.Second)
			for _, at := range screens {
				p.Press(strings.Fields(at.press)...)
				if wrong == "" {
					wrong = broken(p, at.press)
				}
				p.Press(strings.Fields(at.leave)...)
			}
		})
		if wrong != "" {
			rt.Fatal(wrong)
		}
	})
}

// broken describes the first line without this width, or the first misplaced border.
func broken(p *play.Program, at string) string {
	w, h, clusters := p.Model.Terminal()
	content := p.Model.View().Content
	for i, line := range p.Model.Lines() {
		width := ansi.StringWidthWc
		if clusters {
			width = ansi.StringWidth
		}
		if got := width(line); got != w {
			return fmt.Sprintf("after %q line %d has %d cells of %d: %q", at, i, got, w, ansi.Strip(line))
		}
	}
	buf := uv.NewScreenBuffer(w, h)
	if clusters {
		buf.Method = ansi.GraphemeWidth
	}
	uv.NewStyledString(content).Draw(buf, buf.Bounds())
	cell := func(x, y int) string {
		if c := buf.CellAt(x, y); c != nil {
			return c.Content
		}
		return ""
	}
	for y := range h {
		for x := range w {
			if cell(x, y) != "╭" {
				continue
			}
			right := x + 1
			for right < w && cell(right, y) != "╮" {
				right++
			}
			for below := y + 1; below < h && cell(x, below) != "╰"; below++ {
				if cell(x, below) != "│" || cell(right, below) != "│" {
					return fmt.Sprintf("after %q a border is broken on line %d:\n%s", at, below, p.Screen())
				}
			}
		}
	}
	return ""
}
