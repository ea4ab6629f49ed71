package signin

import (
	"strings"
	"unicode/utf8"

	"pgtower/models"
	"pgtower/ui/announce"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// Box draws the form, and returns where in the frame it stands: in its middle, or below the
// rows that it is over.
func (m *Model) Box(f page.Frame) (box string, x, y int) {
	lines, _ := m.lines(f)
	box = dialog.Box(f, m.title(), lines)
	x, y = style.Middle(box, f.Width, f.Height)
	if m.options.Over {
		y = max(0, f.Height-1-strings.Count(box, "\n"))
	}
	return box, x, y
}

// lines are those of the form, and on which of them the first field is. The fields, what
// is wrong and the buttons are always there; what explains them leaves where there is no
// room for it.
func (m *Model) lines(f page.Frame) (lines []string, field int) {
	fields := []string{}
	for i, label := range []string{"Service: ", "API key: "} {
		fields = append(fields, f.Theme.Paint(style.Strong, label)+m.fields[i].View(f.Theme, dialog.Inner(f)-style.Width(label)))
	}
	// Enter signs in wherever the cursor is.
	buttons := []string{"", dialog.Buttons(f, len(m.buttons())-1, m.buttons()...)}
	body := append(fields, dialog.Paragraphs(f, m.said())...)
	body = body[:min(len(body), max(len(fields), dialog.Room(f)-len(buttons)))]
	body = append(body, buttons...)
	room := dialog.Room(f) - len(body)
	if m.options.Over {
		room = min(room, max(leastAbout, f.Height/2-len(body)))
	}
	for _, about := range m.about() {
		said := dialog.Paragraphs(f, []dialog.Line{about})
		if room -= len(said) + 1; room < 0 {
			break
		}
		lines = append(append(lines, said...), "")
	}
	return append(lines, body...), len(lines)
}

// Describe says what is asked for and what came of the last try. Of the key, only its length
// is said, and that when it is tried.
func (m *Model) Describe(page.Frame) announce.Description {
	d := announce.Description{ID: m, Name: m.title(), Field: m.fields[m.focus].Spoken([]string{"Service", "API key"}[m.focus])}
	d.Text = []string{"The API key is not shown while it is typed. Tab goes to the address of the service and back."}
	said := announce.Sentences(dialog.Said(m.said()...)...)
	if m.trying {
		said = "Trying the key of " + table.Plural(utf8.RuneCountInString(m.fields[onKey].Text()), "character") + "."
	}
	d.Parts = []announce.Part{
		{Name: "about", Text: strings.Join(dialog.Said(m.about()...), "\n")}, {Name: "said", Text: said, Current: true},
	}
	return d
}

// leastAbout is how many lines may explain the fields over rows, however low the screen is.
const leastAbout = 4

// about is what explains the fields, what matters most first.
func (m *Model) about() []dialog.Line {
	what := dialog.Line{Text: "pgtower needs an API key of the service. Create one in its console, under account settings. " + m.then()}
	if m.options.Reason == "" {
		return []dialog.Line{what}
	}
	return []dialog.Line{{Tone: style.Waiting, Text: m.options.Reason}, what}
}

const again = "Empty ↵ re-reads environment and keyring."

// said is what came of the last try, or what else can be done.
func (m *Model) said() []dialog.Line {
	switch {
	case m.trying:
		return []dialog.Line{{}, {Tone: style.Waiting, Text: "◌ trying the key…"}}
	case models.KindOf(m.err) == models.KindUnauthorized:
		return []dialog.Line{{}, {Tone: style.Bad, Text: "✗ That key was refused (401). Try another."}}
	case m.err != nil:
		lines := []dialog.Line{{}, {Tone: style.Bad, Text: "✗ " + m.err.Error()}}
		if advice := models.AdviceOf(m.err); advice != "" {
			lines = append(lines, dialog.Line{Tone: style.Muted, Text: advice})
		}
		return lines
	case m.options.Over:
		return []dialog.Line{{}, {Tone: style.Muted, Text: again}}
	case m.options.Demo != nil:
		return []dialog.Line{{}, {Tone: style.Muted, Text: "No account? d ↵ opens the demo. " + again}}
	}
	return nil
}

func (m *Model) title() string {
	if m.options.Profile == "" || m.options.Profile == "default" {
		return "Sign in"
	}
	return "Sign in to " + m.options.Profile
}

// then says what will be done with the key.
func (m *Model) then() string {
	service := m.fields[onService].Text()
	if _, host, ok := strings.Cut(service, "://"); ok {
		service = host
	}
	host, _, _ := strings.Cut(service, "/")
	if !m.options.Keeps {
		return "It is tried with one request, then held in memory until pgtower ends."
	}
	return "It is tried with one request, then kept in the keyring of this computer, if that can be used, and sent to " +
		host + " alone."
}
