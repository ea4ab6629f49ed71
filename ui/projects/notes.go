package projects

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/query"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// note is a fact about a project that the service reports, in a few words.
type note struct {
	text string
	tone style.Tone
}

// maintenance reports whether maintenance of a project is planned, or may be going on.
func maintenance(project *models.Project, now time.Time) bool {
	return style.Planned(project.MaintenanceAt, now) != ""
}

// overItsQuota begins the note about a quota. HEALTH says it, too.
const overItsQuota = "over its quota: "

// notes returns the notes of a project, the most urgent first.
func notes(project *models.Project, now time.Time) (list []note) {
	if project.OverQuota(now) {
		text := overItsQuota + "no compute starts"
		if end := project.PeriodEnd.In(now.Location()); !project.PeriodEnd.IsZero() {
			text += " until " + end.Format(endLayout(end.Sub(now)))
		}
		list = append(list, note{text, style.Bad})
	}
	if maintenance(project, now) {
		list = append(list, note{"maintenance " + style.Planned(project.MaintenanceAt, now), style.Waiting})
	}
	if project.Permission == models.MayView {
		list = append(list, note{"you may only read", style.Muted})
	}
	return list
}

// tells reports whether a record has a field that only a service with notes sends. Then there is a column for notes, also
// before the first one.
func tells(project *models.Project) bool {
	return project.Permission != "" || !project.MaintenanceAt.IsZero() || len(project.Limits()) > 0
}

func (p *Page) noteColumns() []table.Column[*models.Project] {
	return []table.Column[*models.Project]{{
		Title: "NOTE", Width: 18, Full: len("no compute starts until 31 Dec +1"), Priority: 2, Hidden: func() bool { return !p.rows.tells },
		Cell: p.noteCell, Shorten: shortNote,
		Compare: func(a, b *models.Project, now time.Time) int { return rank(a, now) - rank(b, now) },
	}}
}

// endLayout is that of a time so far ahead: to the day or, within a day, to the minute.
func endLayout(ahead time.Duration) string {
	if ahead < 24*time.Hour {
		return "15:04"
	}
	return "2 Jan"
}

// noteCell returns the most urgent note, without what HEALTH shows, and how many more there are.
func (p *Page) noteCell(project *models.Project, now time.Time) (string, style.Tone) {
	list := notes(project, now)
	if len(list) == 0 {
		return "", style.Muted
	}
	text := list[0].text
	if chosen := p.Chosen(); p.health(project.ID).Err == nil && (len(chosen) == 0 || slices.Contains(chosen, "health")) {
		text = strings.TrimPrefix(text, overItsQuota)
	}
	if more := len(list) - 1; more > 0 {
		text += fmt.Sprintf(" +%d", more)
	}
	return text, list[0].tone
}

// shortNote leaves out until when a note holds, where that does not fit.
func shortNote(text string, cells int) string {
	short, until, timed := strings.Cut(text, " until")
	if !timed || style.Width(text) <= cells {
		return text
	}
	_, more, several := strings.Cut(until, " +")
	if several {
		more = " +" + more
	}
	return short + "…" + more
}

// rank orders projects by their notes, the most urgent first.
func rank(project *models.Project, now time.Time) int {
	switch {
	case project.OverQuota(now):
		return 0
	case maintenance(project, now):
		return 1
	case project.Permission == models.MayView:
		return 2
	}
	return 3
}

// noteFields returns the fields of filters that are about notes.
func noteFields() []query.Field[*models.Project] {
	return []query.Field[*models.Project]{
		query.TextAt("note", joinedNotes).Visible(),
	}
}

func joinedNotes(project *models.Project, now time.Time) string {
	var texts []string
	for _, n := range notes(project, now) {
		texts = append(texts, n.text)
	}
	return strings.Join(texts, "; ")
}

// showNotes puts the notes of a project at the start of its details.
func showNotes(r *table.Record, project *models.Project, now time.Time) {
	for _, n := range notes(project, now) {
		r.About = strings.TrimSpace(r.About + " " + style.Sentence(n.text) + ".")
	}
	for _, amount := range project.Limits() {
		used := style.None
		if amount.Used.Known {
			used = style.Count(int(amount.Used.Value))
		}
		r.Fields = append(r.Fields, table.Field{Label: amount.Name, Value: used + " of " + style.Count(int(amount.Limit))})
	}
}
