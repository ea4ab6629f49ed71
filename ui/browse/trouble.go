package browse

import (
	"strings"

	"pgtower/models"
	"pgtower/ui/detail"
	"pgtower/ui/page"
	"pgtower/ui/text"
	"pgtower/ui/theme"
)

// Trouble is an error in one line, for a page that still has rows to show.
func Trouble(f page.Frame, err error) string {
	return f.Theme.Paint(theme.Bad, text.Cut(" ✗ "+err.Error(), f.Width))
}

// Failure is an error in the place of the rows that it cost, with what to do next: what
// the kind of error suggests, then what the page offers.
func Failure(err error, next string) detail.Words {
	return detail.Words{
		Tone:  theme.Bad,
		Title: "✗ " + err.Error(),
		Body:  strings.TrimSpace(models.KindOf(err).Advice() + " " + next),
	}
}
