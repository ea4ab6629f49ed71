package announce

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/style"
)

const (
	// SpeakAfter is the delay before speaking: after fast key presses, only the last result is announced.
	SpeakAfter = 120 * time.Millisecond
	// SpeakAfterTyping is the delay while typing: the terminal announces the typed text itself.
	SpeakAfterTyping = 700 * time.Millisecond
	maxNotices       = 20 // the maximum number of waiting notices
)

// reason is why a [Speaker] speaks.
type reason int

const (
	changed reason = iota // announces what is new
	pressed               // as changed, but a key that changed nothing repeats the current parts
	again                 // announces everything again
)

// Speaker decides when to speak and what to say.
type Speaker struct {
	last, below Description // the last description, and the one below it
	notices     []string    // not announced yet
	account     string      // the last announced account
	due         int         // the number of the last [Due], the only one that makes it speak
	pending     bool
	why         reason
}

// Due is the message that it is time to speak.
type Due struct{ number int }

// Queue queues a notice.
func (s *Speaker) Queue(notice string) {
	if len(s.notices) < maxNotices {
		s.notices = append(s.notices, notice)
	}
}

// Again requests everything again.
func (s *Speaker) Again() { s.why = again }

// Repeats reports whether everything was requested again.
func (s *Speaker) Repeats() bool { return s.why == again }

// After returns the delay after which to send [Due], 0 to speak now, and whether there is anything to do. now returns
// the current description.
func (s *Speaker) After(msg tea.Msg, ticks bool, now func() Description) (wait time.Duration, due Due, ok bool) {
	wait = SpeakAfter
	switch msg := msg.(type) {
	case Due:
		return 0, msg, msg.number == s.due
	case tea.KeyPressMsg:
		d := now()
		if typed := msg.Text != "" || msg.Code == tea.KeyBackspace; typed && d.Field != nil && d.ID == s.last.ID {
			wait = SpeakAfterTyping
		} else {
			s.why = max(s.why, pressed)
		}
	default:
		if s.pending || ticks {
			return 0, Due{}, !s.pending
		}
	}
	s.pending = true
	s.due++
	return wait, Due{s.due}, true
}

// Say returns the lines to announce: the notices, then what is new. account is the signed-in account, or empty.
func (s *Speaker) Say(now Description, account string) []string {
	lines := s.notices
	if account != s.account {
		lines = slices.Insert(lines, 0, account)
	}
	if now.Field != nil {
		now.Parts = append([]Part{now.Field.part()}, now.Parts...)
	}
	fresh, last := now.ID != s.last.ID, s.last
	if fresh && now.Over && !last.Over {
		s.below = last
	}
	switch {
	case s.why == again:
		lines = append(lines, now.whole()...)
	case fresh && last.Over && !now.Over && now.ID == s.below.ID:
		lines = append(append(lines, "Back to "+now.Name+"."), now.news(&s.below)...)
		lines = append(lines, now.changes(&s.below, true)...)
	case fresh:
		lines = append(lines, now.whole()...)
	default:
		changes := now.changes(&last, false)
		if s.why == pressed && len(changes)+len(lines) == 0 {
			changes = now.changes(&last, true)
		}
		lines = append(append(lines, now.news(&last)...), changes...)
	}
	s.last, s.account, s.notices, s.pending, s.why = now, account, nil, false, changed
	return clean(lines)
}

// Print prints lines above the prompt, in chunks: Bubble Tea would scroll the prompt away with more than a screen.
func Print(lines []string, width, height int) tea.Cmd {
	var wrapped []string
	for _, line := range lines {
		wrapped = append(wrapped, style.Wrap(line, width)...)
	}
	var cmds []tea.Cmd
	for chunk := range slices.Chunk(wrapped, max(1, height-2)) {
		cmds = append(cmds, tea.Println(strings.Join(chunk, "\n")))
	}
	return tea.Sequence(cmds...)
}

// View returns the prompt: the current page, or the typed text. It does not change with time. help is the key for help.
func (d *Description) View(width int, help string) tea.View {
	v := tea.NewView("")
	v.ReportFocus = true
	v.WindowTitle = "pgtower"
	if width <= 0 {
		return v
	}
	head, tail := d.prompt(help)
	line, cursor, room := head+tail, style.Width(head), width-1
	switch {
	case d.Secret != "":
		cursor = min(room, cursor)
		// Bubble Tea cannot reliably remove more than one line at its end.
		if style.Width(line) > width {
			line, cursor = "too long for this terminal: make it wider, or copy it", 0
		}
	case cursor > room:
		// The end of the typed text is visible.
		line, cursor = style.From(line, cursor-room), room
	}
	v.SetContent(ansi.Truncate(line, width, ""))
	v.Cursor = tea.NewCursor(cursor, 0)
	return v
}

func (d *Description) prompt(help string) (head, tail string) {
	switch {
	case d.Secret != "":
		return d.Secret, ""
	case d.Field != nil:
		return Plain(d.Field.Label) + ": " + typed(d.Field.Before), typed(d.Field.After)
	case d.Over || help == "":
		return Plain(d.Name) + " ", ""
	}
	return Plain(d.Name) + ", " + help + " ", ""
}

// typed replaces the characters that cannot be read out. It keeps the length, for the cursor.
func typed(s string) string {
	return strings.Map(readable, s)
}

// readable returns a character that can be read out, or a question mark in its place.
func readable(r rune) rune {
	if Readable(r) {
		return r
	}
	return '?'
}
