package dialog

import (
	"fmt"

	"pgtower/models"
	"pgtower/ui/announce"
	"pgtower/ui/page"
)

// Spoken says what became of the key. The secret itself is never said: what was said stays
// in the terminal's history.
func (m *Secret) Spoken(page.Frame) announce.Description {
	scene := announce.Description{Name: title}
	add := func(name, text string) {
		scene.Parts = append(scene.Parts, announce.Part{Name: name, Text: text, Current: name == "said"})
	}
	if m.created.ID != 0 {
		add("key", fmt.Sprintf("%s was created, id %d.", m.name, m.created.ID))
	} else {
		add("key", m.name)
	}
	switch {
	case !m.made:
	case len(m.problem) > 0:
		for i, line := range Said(m.problem...) {
			add(fmt.Sprint("problem", i), line)
		}
	case m.revealed:
		scene.Shown = models.Clean(m.created.Key.Reveal())
		add("once", once)
		add("shown", "The secret is on the last line now, and nowhere else. r takes it away again.")
	default:
		add("shown", "Its secret is hidden. c copies it; r shows it on the last line, until r is pressed again.")
		add("once", once)
	}
	add("said", m.said().Text)
	return scene
}
