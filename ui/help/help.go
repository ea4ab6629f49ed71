// Package help shows every key that does something now, made from their declarations.
package help

import (
	"pgtower/ui/dialog"
	"pgtower/ui/keys"
	"pgtower/ui/page"
	"pgtower/ui/text"
	"pgtower/ui/theme"
	"pgtower/ui/viewer"
)

// nameWidth is that of the column with the keys.
const nameWidth = 14

// New makes the help from the groups of keys.
func New(title string, groups []keys.Group) page.Dialog {
	return viewer.New(title, func(f page.Frame) []string { return lines(f, groups) })
}

func lines(f page.Frame, groups []keys.Group) []string {
	var out []string
	for _, g := range groups {
		out = append(out, "", f.Theme.Paint(theme.Strong, g.Title))
		for _, a := range g.Actions {
			h := a.Help()
			name := text.Fit("  "+h.Key, nameWidth)
			line := f.Theme.Paint(theme.Accent, name) + h.Desc
			if a.Off != "" {
				line = f.Theme.Paint(theme.Muted, name+h.Desc+": not now, "+a.Off)
			}
			out = append(out, text.Cut(line, dialog.Inner(f)))
		}
	}
	return append(out, "")
}
