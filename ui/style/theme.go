// Package style is how things look: themes and tones, the measuring, cutting and wrapping of
// text in terminal cells, the way times and durations are written, and small charts.
//
// A theme is the one place that makes colours and styles: everything else names a [Tone] and
// paints text with it. Colour never carries meaning alone: a theme without any keeps bold,
// underline and reverse, and every status has a glyph and a word besides.
package style

import (
	"image/color"
	"strings"

	"charm.land/bubbles/v2/textinput"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

// Tone is what a piece of text is, from which follows how it looks.
type Tone uint8

// The tones.
const (
	Plain    Tone = iota // running text, in the terminal's own colour
	Muted                // labels, hints, what matters less
	Strong               // what stands out without being good or bad
	Accent               // what can be acted on: keys, links, the active tab
	Good                 // finished, live
	Active               // running
	Waiting              // scheduled, late, a caution
	Bad                  // failed, offline, revoked
	Rule                 // lines and borders
	Brand                // the program's name
	Heading              // column titles
	Selected             // the selected row
	Fresh                // new or changed since the last poll
	Danger               // the button that destroys
	Button               // a button
	Focused              // the button that Enter presses
	Alarm                // the service is out of reach
	tones
)

// Theme is a set of prepared styles.
type Theme struct {
	styles [tones]lipgloss.Style
	open   [tones]string
}

// The names of the themes that can be chosen.
const (
	Auto         = "auto" // dark or light, as the terminal's background is
	Dark         = "dark"
	Light        = "light"
	HighContrast = "high-contrast" // dark or light, as the background is
	Monochrome   = "mono"
)

// ThemeNames are all themes, the one that is used where none is chosen first.
func ThemeNames() []string { return []string{Auto, Dark, Light, HighContrast, Monochrome} }

// ChooseTheme makes the theme of a name for a background and for what colours the terminal
// has. A name that is none of [ThemeNames] is [Auto].
func ChooseTheme(name string, dark bool, profile colorprofile.Profile) *Theme {
	switch {
	case name == Monochrome:
		profile = min(profile, colorprofile.ASCII)
	case name == Dark, name == Light:
		dark = name == Dark
	case name == HighContrast && profile == colorprofile.ANSI256:
		return fromStyles(coloured(indexedContrastPalette(dark)))
	case name == HighContrast && profile > colorprofile.ANSI256:
		return fromStyles(coloured(highContrastPalette(dark)))
	}
	return NewTheme(dark, profile)
}

// NewTheme makes the theme for a background and for what colours the terminal has.
func NewTheme(dark bool, profile colorprofile.Profile) *Theme {
	p := lightPalette()
	switch {
	case profile <= colorprofile.ASCII:
		return fromStyles(monochrome())
	case profile == colorprofile.ANSI:
		p = basicPalette(dark)
	case profile == colorprofile.ANSI256:
		p = indexedPalette(dark)
	case dark:
		p = darkPalette()
	}
	return fromStyles(coloured(p))
}

// NoTheme makes a theme that leaves texts as they are.
func NoTheme() *Theme { return &Theme{} }

// Paint returns s in the tone. s must not carry styles of its own.
func (t *Theme) Paint(tone Tone, s string) string {
	if t.open[tone] == "" || s == "" {
		return s
	}
	return t.open[tone] + s + reset
}

// Open returns the escape sequence that begins the tone, for rows that are put
// together cell by cell. [Close] ends it.
func (t *Theme) Open(tone Tone) string { return t.open[tone] }

// Close ends whatever [Theme.Open] began.
func (t *Theme) Close() string { return reset }

// Style returns the tone as a style, for widgets that want one.
func (t *Theme) Style(tone Tone) lipgloss.Style { return t.styles[tone] }

// Input returns the styles of a text input. Its cursor does not blink: a screen on
// which nothing happens writes nothing.
func (t *Theme) Input() textinput.Styles {
	state := textinput.StyleState{
		Text:        t.styles[Plain],
		Placeholder: t.styles[Muted],
		Suggestion:  t.styles[Muted],
		Prompt:      t.styles[Accent],
	}
	return textinput.Styles{
		Focused: state,
		Blurred: state,
		Cursor:  textinput.CursorStyle{Color: t.styles[Accent].GetForeground(), Blink: false},
	}
}

// Box frames the lines of body, with a title in the top border. width is that of the
// whole box, in cells.
func (t *Theme) Box(title, body string, width int) string {
	border := lipgloss.NewStyle().Border(lipgloss.RoundedBorder()).
		BorderForeground(t.styles[Rule].GetForeground()).Padding(0, 1).Width(width)
	lines := strings.Split(border.Render(body), "\n")
	edge := lipgloss.RoundedBorder()
	label := " " + title + " "
	fill := width - 3 - lipgloss.Width(label)
	if title != "" && fill >= 0 {
		lines[0] = t.Paint(Rule, edge.TopLeft+edge.Top) + t.Paint(Strong, label) +
			t.Paint(Rule, strings.Repeat(edge.Top, fill)+edge.TopRight)
	}
	return strings.Join(lines, "\n")
}

const reset = "\x1b[m"

func fromStyles(styles [tones]lipgloss.Style) *Theme {
	t := &Theme{styles: styles}
	for i, s := range styles {
		// A style's own opening sequence is whatever it writes before the text.
		t.open[i], _, _ = strings.Cut(s.Render("x"), "x")
	}
	return t
}

func coloured(p palette) [tones]lipgloss.Style {
	fg := func(c color.Color) lipgloss.Style { return lipgloss.NewStyle().Foreground(c) }
	return [tones]lipgloss.Style{
		Plain:    lipgloss.NewStyle(),
		Muted:    fg(p.muted),
		Strong:   lipgloss.NewStyle().Bold(true),
		Accent:   fg(p.accent),
		Good:     fg(p.good),
		Active:   fg(p.active),
		Waiting:  fg(p.waiting),
		Bad:      fg(p.bad).Bold(true),
		Rule:     fg(p.rule),
		Brand:    fg(p.brandText).Background(p.accent).Bold(true),
		Heading:  fg(p.muted).Bold(true),
		Selected: fg(p.selectedText).Background(p.selected).Bold(true),
		Fresh:    fg(p.accent).Bold(true),
		Danger:   fg(p.bad),
		Button:   fg(p.muted),
		Focused:  fg(p.brandText).Background(p.accent).Bold(true),
		Alarm:    fg(p.brandText).Background(p.bad).Bold(true),
	}
}

func monochrome() [tones]lipgloss.Style {
	plain, bold := lipgloss.NewStyle(), lipgloss.NewStyle().Bold(true)
	return [tones]lipgloss.Style{
		Strong:   bold,
		Accent:   bold,
		Bad:      bold,
		Brand:    bold.Reverse(true),
		Heading:  plain.Underline(true),
		Selected: plain.Reverse(true),
		Fresh:    bold,
		Danger:   bold,
		Focused:  plain.Reverse(true),
		Alarm:    bold.Reverse(true),
	}
}
