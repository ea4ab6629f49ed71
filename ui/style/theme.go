// Package style has the themes and tones, the measuring, cutting and wrapping of text in terminal cells, the formats of
// times and durations, and small charts.
//
// Only themes create colours and styles: everything else paints text in a [Tone]. Colour never carries meaning alone: a
// theme without colours keeps bold, underline and reverse, and every status also has a glyph and a word.
package style

import (
	"cmp"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"pgtower/models/settings"
)

// Tone is the role of a text, which determines its style.
type Tone uint8

// The tones.
const (
	Plain           Tone = iota // running text, in the terminal's own colour
	Muted                       // labels, hints and other secondary text
	Strong                      // important, neither good nor bad
	Accent                      // interactive: keys, links
	Good                        // finished, live
	Active                      // running
	Waiting                     // scheduled, late, a caution
	Bad                         // failed, offline, revoked
	Rule                        // lines and borders
	Heading                     // column titles
	Selected                    // the selected row
	SelectedWaiting             // Waiting in the selected row
	SelectedBad                 // Bad in the selected row
	Fresh                       // new or changed since the last poll
	Danger                      // a destructive button
	Button                      // a button
	Focused                     // the focused button
	Alarm                       // the service is unavailable
	Account                     // the name of the account, see [Theme.Mark]
	Done                        // the inside of a bar that finished
	DoneEdge                    // the edges of such a bar
	tones
)

// Theme is a set of prepared styles. The zero Theme leaves texts unchanged.
type Theme struct {
	styles [tones]lipgloss.Style
	open   [tones]string
	turned [tones]string // the same with text and background exchanged

	Links bool // the terminal supports hyperlinks
}

// The names of the themes.
const (
	Auto         = "auto" // dark or light, according to the terminal's background
	Dark         = "dark"
	Light        = "light"
	HighContrast = "high-contrast" // dark or light, according to the background
	Monochrome   = "mono"
)

// ThemeNames returns the names of all themes, the default first.
func ThemeNames() []string { return settings.Names("theme") }

// ChooseTheme returns the theme with a name for a background and the terminal's colours. An unknown name is [Auto].
func ChooseTheme(name string, dark bool, profile colorprofile.Profile) *Theme {
	if name == Monochrome || profile <= colorprofile.ASCII {
		return fromStyles(monochrome())
	}
	set, shade := trueColour, 0
	switch {
	case profile == colorprofile.ANSI:
		set = basic
	case name == HighContrast && profile == colorprofile.ANSI256:
		set = indexedContrast
	case name == HighContrast:
		set = highContrast
	case profile == colorprofile.ANSI256:
		set = indexed
	}
	if name == Dark || dark && name != Light {
		shade = 1
	}
	return fromStyles(coloured(palettes[set][shade]))
}

// accents are the colours for [Theme.Mark] that have names.
var accents = map[string]string{
	"red": "#d70000", "orange": "#d78700", "yellow": "#ffd700", "green": "#00af00",
	"blue": "#005fff", "purple": "#af00d7",
}

// Accents returns the names of the colours for [Theme.Mark].
func Accents() []string { return slices.Sorted(maps.Keys(accents)) }

// CheckAccent returns why a text is no colour for [Theme.Mark], or nil.
func CheckAccent(colour string) error {
	if slices.Contains(Accents(), colour) || hexColour.MatchString(colour) {
		return nil
	}
	return errors.New("must be " + strings.Join(Accents(), ", ") + " or a color such as #cc3300")
}

var hexColour = regexp.MustCompile(`^#[0-9A-Fa-f]{6}$`)

// Mark makes a colour the background of the tone [Account], under black or white, whichever can be read better. A
// theme without colours keeps its own look.
func (t *Theme) Mark(colour string) *Theme {
	if colour == "" || t.styles[Accent].GetForeground() == (lipgloss.NoColor{}) {
		return t
	}
	background := lipgloss.Color(cmp.Or(accents[colour], colour))
	text := lipgloss.Color("#ffffff")
	const middle = 0.18 // of the luminance from 0 to 1: it has the same contrast with black and with white
	r, g, b, _ := background.RGBA()
	part := func(value uint32) float64 { return float64(value) / 0xffff * float64(value) / 0xffff }
	if 0.2126*part(r)+0.7152*part(g)+0.0722*part(b) > middle {
		text = lipgloss.Color("#000000")
	}
	t.styles[Account] = lipgloss.NewStyle().Background(background).Foreground(text).Bold(true)
	if t.styles[Selected].GetReverse() { // a terminal of 16 colours
		t.styles[Account] = lipgloss.NewStyle().Foreground(background).Reverse(true).Bold(true)
	}
	t.open[Account], _, _ = strings.Cut(t.styles[Account].Render("x"), "x")
	return t
}

// Paint returns s in the tone. s must not contain styles.
func (t *Theme) Paint(tone Tone, s string) string {
	if t.open[tone] == "" || s == "" {
		return s
	}
	return t.open[tone] + s + reset
}

// Link returns s, which may be painted, as a hyperlink to an address, if there is one and the terminal supports them.
func (t *Theme) Link(address, s string) string {
	if !t.Links || address == "" || s == "" {
		return s
	}
	return ansi.SetHyperlink(address) + s + ansi.ResetHyperlink()
}

// Paragraph returns s in the tone, in lines of at most width cells.
func (t *Theme) Paragraph(tone Tone, s string, width int) []string {
	lines := Wrap(s, width)
	for i, line := range lines {
		lines[i] = t.Paint(tone, line)
	}
	return lines
}

// Open returns the beginning of the tone, for rows that are built cell by cell.
func (t *Theme) Open(tone Tone) string { return t.open[tone] }

// Reversed returns the beginning of the tone with text and background exchanged, for blocks of colour.
func (t *Theme) Reversed(tone Tone) string { return t.turned[tone] }

// Colourless reports whether the theme has no colours.
func (t *Theme) Colourless() bool { return t.open[Good] == "" }

// Close ends the tone that [Theme.Open] began.
func (t *Theme) Close() string { return reset }

// Input returns the styles of a text input. Its cursor does not blink: an idle screen writes nothing.
func (t *Theme) Input() textinput.Styles {
	ghost := t.styles[Muted]
	if ghost.GetForeground() == (lipgloss.NoColor{}) {
		ghost = ghost.Faint(true) // distinct from typed text
	}
	state := textinput.StyleState{Text: t.styles[Plain], Placeholder: t.styles[Muted], Suggestion: ghost}
	cursor := textinput.CursorStyle{Color: t.styles[Accent].GetForeground()}
	return textinput.Styles{Focused: state, Blurred: state, Cursor: cursor}
}

// Box frames the lines of body in width cells, with a title in the top border.
func (t *Theme) Box(title, body string, width int) string {
	edge := lipgloss.RoundedBorder()
	frame := lipgloss.NewStyle().Padding(0, 1).Width(width).
		Border(edge).BorderForeground(t.styles[Rule].GetForeground())
	lines := strings.Split(frame.Render(body), "\n")
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
		t.open[i], _, _ = strings.Cut(s.Render("x"), "x")
		t.turned[i], _, _ = strings.Cut(s.Reverse(true).Render("x"), "x")
	}
	return t
}

func fg(c string) lipgloss.Style { return lipgloss.NewStyle().Foreground(lipgloss.Color(c)) }

// filled returns the style of text on a background. Without one of the two, the terminal's own colour takes its place.
func filled(background, c string) lipgloss.Style {
	if background == "" || c == "" {
		return fg(cmp.Or(background, c)).Reverse(true).Bold(true)
	}
	return fg(c).Background(lipgloss.Color(background)).Bold(true)
}

func coloured(p palette) [tones]lipgloss.Style {
	heading := fg(p.muted).Bold(true)
	if p.heading == "" {
		heading = heading.Underline(true)
	} else {
		heading = heading.Background(lipgloss.Color(p.heading))
	}
	return [tones]lipgloss.Style{
		Plain:           lipgloss.NewStyle(),
		Muted:           fg(p.muted),
		Strong:          lipgloss.NewStyle().Bold(true),
		Accent:          fg(p.accent),
		Good:            fg(p.good),
		Active:          fg(p.active),
		Waiting:         fg(p.waiting),
		Bad:             fg(p.bad).Bold(true),
		Rule:            fg(p.rule),
		Heading:         heading,
		Selected:        filled(p.selected, p.selectedText),
		SelectedWaiting: filled(p.selected, p.selectedWaiting),
		SelectedBad:     filled(p.selected, p.selectedBad),
		Fresh:           fg(p.accent).Bold(true),
		Danger:          fg(p.bad),
		Button:          fg(p.muted),
		Focused:         filled(p.accent, p.focusedText),
		Alarm:           filled(p.bad, p.focusedText),
		Done:            filled(p.done, cmp.Or(p.doneText, p.good)).Bold(false),
		DoneEdge:        fg(cmp.Or(p.done, p.good)),
	}
}

func monochrome() [tones]lipgloss.Style {
	plain, bold := lipgloss.NewStyle(), lipgloss.NewStyle().Bold(true)
	return [tones]lipgloss.Style{
		Strong:          bold,
		Accent:          bold,
		Bad:             bold,
		Heading:         plain.Underline(true),
		Selected:        plain.Reverse(true),
		SelectedWaiting: plain.Reverse(true),
		SelectedBad:     bold.Reverse(true),
		Fresh:           bold,
		Danger:          bold,
		Focused:         plain.Reverse(true),
		Alarm:           bold.Reverse(true),
		Account:         bold.Reverse(true),
	}
}
