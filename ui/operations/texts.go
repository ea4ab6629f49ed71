package operations

import "pgtower/models"

// texts are those that stand in most rows, made once and not for each row of each frame.
type texts struct {
	statuses map[look]string
	actions  map[models.Action]string
}

func newTexts() texts { return texts{map[look]string{}, map[models.Action]string{}} }

// mostSaid is how many texts are kept: a service has a few dozen actions, not thousands.
const mostSaid = 256

// status is the text of a status without what is special about the operation.
func (s texts) status(l look) string {
	if t, ok := s.statuses[l]; ok {
		return t
	}
	t := l.glyph + " " + l.word
	if len(s.statuses) < mostSaid {
		s.statuses[l] = t
	}
	return t
}

// action is the title of an action.
func (s texts) action(a models.Action) string {
	if t, ok := s.actions[a]; ok {
		return t
	}
	t := a.Title()
	if len(s.actions) < mostSaid {
		s.actions[a] = t
	}
	return t
}
