package dialog

import (
	"fmt"
	"strconv"
	"strings"

	"pgtower/ui/announce"
	"pgtower/ui/page"
)

// word is the state of a step in a word, or nothing while nothing became of it.
func (s ProgressState) word() string {
	switch s {
	case Done:
		return "done"
	case Failed:
		return "failed"
	case Unsure:
		return "not certain"
	case Running, Skipped, Waiting:
	}
	return ""
}

func (s progressStep) spoken() string {
	said := s.state.word() + ": " + s.label
	if s.note != "" {
		said += ", " + s.note
	}
	return said
}

// Spoken says what becomes of each step when it does, and at the end which of them were
// not done.
func (m *Progress) Spoken(f page.Frame) announce.Description {
	scene := announce.Description{Name: m.about}
	var left []string
	for i, s := range m.steps {
		if s.state.word() == "" {
			if s.state == Waiting && s.note != "" {
				scene.News = append(scene.News, announce.Event{Key: fmt.Sprint(i, s.note), Kind: "waiting", Text: s.label + " " + s.note})
			}
			continue
		}
		scene.News = append(scene.News, announce.Event{Key: fmt.Sprint(i, s.state), Kind: s.state.word(), Text: s.spoken()})
		if s.state != Done {
			left = append(left, s.spoken())
		}
	}
	over := announce.Part{Name: "over"}
	if m.over {
		over.Text = strings.Join(append(append([]string{m.title + "."}, left...), Said(m.said...)...), "\n")
		scene.Parts = []announce.Part{over}
		return scene
	}
	scene.Parts = []announce.Part{
		over,
		{Name: "foot", Text: strings.Join(m.foot(f), " ")},
		{Name: "behind", Text: strconv.Itoa(m.behind()) + " of " + strconv.Itoa(len(m.steps)) + " behind.", Quiet: true, Current: true},
	}
	return scene
}
