package ui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/atotto/clipboard"

	"pgtower/ui/page"
	"pgtower/ui/theme"
)

// copyText puts a text on the clipboard in both ways that there are, because neither is
// sure: the computer's own clipboard is not there over ssh, and a terminal never says
// whether it took what it was sent (OSC 52).
func copyText(c page.Copy) tea.Cmd {
	plain := c.Text.Reveal()
	native := func() tea.Msg {
		if err := clipboard.WriteAll(plain); err != nil {
			return page.Notice{Tone: theme.Waiting, Text: "sent to the terminal's clipboard (OSC 52), which does not say whether it took it: " + c.Label}
		}
		return page.Notice{Tone: theme.Good, Text: "✓ copied to the clipboard: " + c.Label}
	}
	return tea.Batch(tea.SetClipboard(plain), native)
}
