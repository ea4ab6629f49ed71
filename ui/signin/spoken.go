package signin

import (
	"strings"
	"unicode/utf8"

	"pgtower/ui/announce"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/table"
)

// Spoken says what is asked for and what came of the last try. Of the key, only its length
// is said, and that when it is tried.
func (m *Model) Spoken(page.Frame) announce.Description {
	scene := announce.Description{ID: m, Name: m.title(), Field: m.key.Spoken("API key")}
	scene.Text = []string{"The API key is not shown while it is typed. Tab goes to the address of the service and back."}
	if m.focus == onService {
		scene.Field = m.service.Spoken("Service")
	}
	said := announce.Sentences(dialog.Said(m.said()...)...)
	if m.trying {
		said = "Trying the key of " + table.Plural(utf8.RuneCountInString(m.key.Text()), "character") + "."
	}
	scene.Parts = []announce.Part{
		{Name: "about", Text: strings.Join(dialog.Said(m.about()...), "\n")}, {Name: "said", Text: said, Current: true},
	}
	return scene
}
