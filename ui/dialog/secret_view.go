package dialog

import (
	"fmt"

	"pgtower/models"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	title          = "New API key"
	once           = "This is the only time that the secret can be seen. It works with every project of the account."
	sentToTerminal = "The secret was sent to the terminal's clipboard, which does not say whether it took it: paste it to see."
)

// View draws the dialog's box.
func (m *Secret) View(f page.Frame) string {
	head := m.name
	if m.created.ID != 0 {
		head = fmt.Sprintf("%s · id %d", m.name, m.created.ID)
	}
	lines := []Line{{Text: head}, {}}
	draw := func(more ...Line) []string { return Paragraphs(f, append(lines, more...)) }
	said := m.said()
	switch {
	case !m.made, len(m.problem) > 0:
		if said.Text != "" {
			return Box(f, title, draw(append(m.problem, said)...))
		}
		return Box(f, title, draw(m.problem...))
	}
	shown := Line{Tone: style.Muted, Text: style.Cut("••••••••••••••••••••••••  r shows it", Inner(f))}
	if m.revealed {
		shown = Line{Tone: style.Accent, Text: models.Clean(m.created.Key.Reveal())}
	}
	lines = append(lines, shown, Line{})
	once := Line{Text: once}
	if said.Text == "" {
		return Box(f, title, draw(once))
	}
	body := draw(once, Line{}, said)
	if len(body) > f.Height-2 {
		// What was done has to be read more than what is always so.
		body = draw(said)
	}
	return Box(f, title, body)
}

// said is what came of the last key that was pressed, where that has to be read.
func (m *Secret) said() Line {
	switch {
	case m.doing != "" && m.warned:
		return Line{Tone: style.Waiting, Text: "◌ " + m.doing + " ctrl+c again quits, and what comes of it is lost."}
	case m.doing != "":
		return Line{Tone: style.Waiting, Text: "◌ " + m.doing}
	case m.warned && !m.saved() && m.sent:
		return Line{
			Tone: style.Waiting,
			Text: sentToTerminal + " q leaves.",
		}
	case m.warned && !m.saved() && !m.lost():
		return Line{
			Tone: style.Waiting,
			Text: "You have neither copied, seen nor kept the secret. q leaves without it; the key then has to be revoked.",
		}
	case m.asked:
		return Line{
			Tone: style.Waiting,
			Text: "k again keeps it in place of the key that this profile has now, and pgtower goes on with it.",
		}
	case m.failed != "":
		return Line{Tone: style.Bad, Text: "✗ " + m.failed}
	case m.kept != "":
		return Line{Tone: style.Good, Text: "✓ It works, and is in use now: " + m.kept + "."}
	case m.sent && !m.copied:
		return Line{Tone: style.Waiting, Text: sentToTerminal + " Clear it there yourself after use."}
	}
	return Line{}
}
