package action

import (
	"cmp"
	"slices"
	"strings"

	"pgtower/ui/style"
)

// Bar hints at the keys that matter most now, in the footer.
type Bar []hint

// hint is a key and what it does: with a cell on either side, which has a parenthesis where
// the action is disabled. There may be no colours to tell it by.
type hint struct {
	text   string
	action Action
}

// NewBar has the actions of the last group, and as many of the others as there is room for.
func NewBar(th *style.Theme, width int, groups []Group) Bar {
	n := max(1, len(groups)-1)
	first, last := hints(th, groups[:n]), hints(th, groups[n:])
	slices.SortStableFunc(first, func(a, b hint) int { return cmp.Compare(a.action.Footer, b.action.Footer) })
	room := width
	for _, h := range last {
		room -= style.Width(h.text)
	}
	shown := 0
	for _, h := range first {
		if room -= style.Width(h.text); room < 0 {
			break
		}
		shown++
	}
	return append(first[:shown:shown], last...)
}

func hints(th *style.Theme, groups []Group) Bar {
	var out Bar
	for _, g := range Visible(groups) {
		for _, a := range g.Actions {
			key := a.KeyLabel()
			switch {
			case a.Footer == NotShown || key == "":
			case a.Disabled != "":
				out = append(out, hint{th.Paint(style.Muted, "("+key+" "+a.Title+")"), a})
			default:
				out = append(out, hint{" " + th.Paint(style.Accent, key) + " " + th.Paint(style.Muted, a.Title) + " ", a})
			}
		}
	}
	return out
}

// View draws the line.
func (b Bar) View(width int) string {
	var out strings.Builder
	for _, h := range b {
		out.WriteString(h.text)
	}
	return style.Fit(out.String(), width)
}

// At returns the action at a cell of the line.
func (b Bar) At(x int) (Action, bool) {
	from := 0
	for _, h := range b {
		to := from + style.Width(h.text)
		if x >= from && x < to {
			return h.action, true
		}
		from = to
	}
	return Action{}, false
}
