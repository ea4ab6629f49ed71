package dialog

import "pgtower/ui/action"

// Message is a dialog that says something and has to be read.
type Message struct{ base }

// NewMessage says the lines under a title.
func NewMessage(title string, lines []Line) *Message {
	m := &Message{base{title: title}}
	m.show = func(c *content) {
		c.text(lines...)
		c.gap()
		m.closeButton(c)
	}
	return m
}

// Actions declares what can be done now.
func (m *Message) Actions() []action.Group {
	return []action.Group{{Title: m.title, Actions: m.closes()}}
}
