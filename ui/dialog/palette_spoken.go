package dialog

import (
	"fmt"

	"pgtower/ui/announce"
	"pgtower/ui/page"
)

// Spoken says how many actions the words find, and the selected one.
func (m *Palette) Spoken(page.Frame) announce.Description {
	items := m.items()
	scene := announce.Description{
		Name: "Commands", Text: []string{"Type a part of an action's name, or choose with up and down arrow."}, Field: m.input.Spoken("Command"),
	}
	what := "action"
	if _, _, ok := m.command(); ok {
		what = "value"
	}
	count, selected, wrong := announce.Matching(len(items), what), "", ""
	if len(items) == 0 {
		count = m.nothing()
	}
	if m.list.Cursor() < len(items) {
		it := items[m.list.Cursor()]
		selected = it.title
		if it.note != "" {
			selected += ", " + it.note
		}
		selected = fmt.Sprintf("%s, %d of %d", selected, m.list.Cursor()+1, len(items))
	}
	if err := m.wrong(); err != nil {
		wrong = "error: " + err.Error()
	}
	scene.Parts = []announce.Part{
		{Name: "wrong", Text: wrong}, {Name: "count", Text: count}, {Name: "selected", Text: selected, Current: true},
	}
	return scene
}
