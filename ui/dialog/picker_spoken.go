package dialog

import (
	"fmt"

	"pgtower/ui/announce"
	"pgtower/ui/page"
)

// Spoken says how many items there are to choose from, and the selected one.
func (m *Picker) Spoken(page.Frame) announce.Description {
	shown := m.shown()
	scene := announce.Description{
		Name: m.title, Text: []string{"Type a part of the name, or choose with up and down arrow."}, Field: m.input.Spoken("Find"),
	}
	count, selected := fmt.Sprintf("%d of %d match.", pickerCounted(shown), pickerCounted(m.items)), ""
	if len(shown) == 0 {
		count = "Nothing matches."
	}
	if m.list.Cursor() < len(shown) {
		i := shown[m.list.Cursor()]
		selected = fmt.Sprintf("%s, %s, %d of %d", i.Title, i.Note, m.list.Cursor()+1, len(shown))
		if i.Note == "" {
			selected = fmt.Sprintf("%s, %d of %d", i.Title, m.list.Cursor()+1, len(shown))
		}
	}
	scene.Parts = []announce.Part{{Name: "count", Text: count}, {Name: "selected", Text: selected, Current: true}}
	return scene
}
