package style

import (
	"cmp"
	"strconv"
	"strings"

	"pgtower/models"
)

// Status is a status on the screen: a glyph, a word and a tone. Each alone identifies it.
type Status struct {
	Glyph, Word string
	Tone        Tone
}

var statuses = map[models.Status]Status{
	models.StatusScheduling: {"◌", "scheduling", Waiting},
	models.StatusRunning:    {"◐", "running", Active},
	models.StatusFinished:   {"✓", "finished", Good},
	models.StatusFailed:     {"✗", "failed", Bad},
	models.StatusError:      {"✗", "error", Bad},
	models.StatusCancelling: {"◍", "cancelling", Waiting},
	models.StatusCancelled:  {"⊘", "cancelled", Muted},
	models.StatusSkipped:    {"⊘", "skipped", Muted},
}

// StatusOf returns the status of an operation.
func StatusOf(o *models.Operation) Status {
	if o.Gone {
		return Status{"⊘", "gone", Muted}
	}
	s, found := statuses[o.Status]
	if !found {
		return Status{"?", cmp.Or(string(o.Status), "no status"), Plain}
	}
	return s
}

// Text returns the glyph and the word.
func (s Status) Text() string { return s.Glyph + " " + s.Word }

// StatusWidth is the width of a column of statuses.
const StatusWidth = 13

// StatusText returns the status of an operation in [StatusWidth] cells: a glyph, a word and the number of failed attempts.
func StatusText(o *models.Operation) string {
	return ShortenStatus(StatusOf(o).Text()+Retries(o), StatusWidth)
}

const times = " ×" // stands between a status and the number of failed attempts

// Retries returns the number of failed attempts, to stand after a status, or "".
func Retries(o *models.Operation) string {
	switch n := o.FailuresCount; {
	case n <= 0:
		return ""
	case n < 100:
		return times + strconv.FormatInt(n, 10)
	}
	return times + "99+"
}

// ShortenStatus cuts the word of a status, never the number of failed attempts.
func ShortenStatus(text string, width int) string {
	index := strings.Index(text, times)
	if index < 0 {
		return text
	}
	return Cut(text[:index], width-Width(text[index:])) + text[index:]
}
