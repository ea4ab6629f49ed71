package dialog

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/page"
)

// Recent is a command that was chosen, with its argument if it took one. Several actions
// may share a name: the title tells them apart.
type Recent struct{ Name, Title, Arg string }

// Chosen is what was chosen, and what is to be done.
type Chosen struct {
	Recent

	Then tea.Msg
}

// offer is a command with what it is remembered as.
type paletteOffer struct {
	page.Command

	recent Recent
}

// recentFirst puts what was chosen lately before all commands. A command that was given an
// argument is offered with it, as one that takes none, and as itself.
func paletteRecentFirst(commands []page.Command, recent []Recent) []paletteOffer {
	out := make([]paletteOffer, 0, len(commands)+len(recent))
	rest := slices.Clone(commands)
	for _, r := range recent {
		i := slices.IndexFunc(rest, func(c page.Command) bool { return c.Name == r.Name && c.Title == r.Title })
		switch {
		case i < 0:
		case rest[i].Run == nil:
			out = append(out, paletteOffer{rest[i], r})
			rest = slices.Delete(rest, i, i+1)
		default:
			c := rest[i]
			// What can no longer be done is not offered: it may have been of another account.
			if then, err := c.Run(r.Arg); err == nil && r.Arg != "" {
				out = append(out, paletteOffer{page.Command{Name: c.Name + " " + r.Arg, Title: c.Title, Off: c.Off, Then: then}, r})
			}
		}
	}
	for _, c := range rest {
		out = append(out, paletteOffer{c, Recent{Name: c.Name, Title: c.Title}})
	}
	return out
}
