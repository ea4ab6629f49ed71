package operations

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/query"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

const idFrom = 6 // the least characters of a word searched for in ids

const (
	newsColumns = 6 // the first columns: a change of their cells marks a row
	statusWidth = 13
)

func (s *state) columns() []table.Column[*row] {
	one := func() bool { return !s.all() }
	return []table.Column[*row]{
		{
			Title: "STATUS", Width: statusWidth, Least: 10, Cell: s.status, Shorten: shortenStatus,
			Compare: byText(text(statusOf)),
		},
		{Title: "ACTION", Width: 18, Full: 22, Least: 9, Grow: 2, Cell: actionCell, Compare: byText(text(actionOf))},
		{
			Title: "PROJECT", Width: 12, Full: 16, Least: 9, Grow: 2, Priority: 1, Hidden: one, Compare: byText((*row).name),
			Cell: func(r *row, _ time.Time) (string, style.Tone) { return r.name(), style.Plain },
		},
		{
			Title: "ORGANIZATION", Width: 12, Least: 9, Priority: 3, Compare: byText((*row).org),
			Hidden: func() bool { return s.oneOrg || !s.all() },
			Cell:   func(r *row, _ time.Time) (string, style.Tone) { return r.org(), style.Muted },
		},
		textColumn("BRANCH", 22, 4, text(branchOf)),
		textColumn("ENDPOINT", 24, 5, text(endpointOf)),
		{Title: "AGE", Moment: "CREATED", Width: 5, Least: 4, Right: true, Cell: s.age, Compare: byDuration((*row).age)},
		{Title: "TOOK", Width: 7, Right: true, Priority: 2, Cell: took, Compare: byDuration((*row).took)},
		{
			Title: "CREATED", Clock: true, Width: style.MomentWidth, Priority: 6, Extra: true, Cell: s.created,
			Compare: byOperation(func(a, b *models.Operation) int { return a.CreatedAt.Compare(b.CreatedAt) }),
		},
		{
			Title: "RETRIES", Width: 8, Right: true, Priority: 7, Extra: true, Cell: retries,
			Compare: byOperation(func(a, b *models.Operation) int { return cmp.Compare(a.FailuresCount, b.FailuresCount) }),
		},
		{
			Title: errorColumn, Width: 20, Full: 44, Least: 16, Grow: 12, Priority: 8, Extra: true, Hidden: s.noErrors(),
			Compare: byText(text(errorOf)),
			Cell:    func(r *row, _ time.Time) (string, style.Tone) { return text(errorOf)(r), style.Bad },
		},
	}
}

// ColumnNames returns the names by which users choose columns.
func ColumnNames() (names []string) {
	for _, c := range (&state{scope: &scope{}}).columns() {
		names = append(names, strings.ToLower(c.Title))
	}
	return names
}

const errorColumn = "ERROR"

// lead returns the column that the view of failures begins with.
func (s *state) lead() string {
	if strings.HasPrefix(s.table.Query(), failedQuery) {
		return strings.ToLower(errorColumn)
	}
	return ""
}

// noErrors returns a function that reports whether no row shown has an error.
func (s *state) noErrors() func() bool {
	number, none := -1, false // which rows were searched, and the result
	return func() bool {
		switch rows, shown := s.table.Rows(); {
		case !s.errors:
			return true
		case !s.table.Arranged():
			return false
		case shown != number:
			number, none = shown, !slices.ContainsFunc(rows, func(r *row) bool { return text(errorOf)(r) != "" })
		}
		return none
	}
}

func (s *state) created(r *row, now time.Time) (string, style.Tone) {
	if r.gap != nil {
		return "", style.Plain
	}
	return s.session.Times.Exact().Cell(r.op.CreatedAt, now), style.Muted
}

func retries(r *row, _ time.Time) (string, style.Tone) {
	switch {
	case r.gap != nil:
		return "", style.Plain
	case r.op.FailuresCount == 0:
		return style.None, style.Muted
	}
	return count(int(r.op.FailuresCount)), style.Waiting
}

// Filter is a filter of the page, for use without the page.
type Filter struct {
	query query.Query[*row]
	known *known
}

// ParseFilter parses a filter. names and orgs are those of the projects by their ids. is:slow compares with the operations
// in the timeline at the time of the match. An unfinished filter is an error.
func ParseFilter(filter string, names map[string]string, orgs Organizations, t *feed.Timeline) (Filter, error) {
	q, wrong := query.Parse(filter, fields(func() *feed.Timeline { return t }))
	if wrong = cmp.Or(wrong, q.Hint()); wrong != nil {
		return Filter{}, wrong
	}
	limit := func(a models.Action) (time.Duration, bool) { return t.Durations(a).Slow() }
	return Filter{q, &known{names: names, orgs: orgs, limit: limit}}, nil
}

// Match reports whether an operation of a project matches at a time by the service's clock.
func (f Filter) Match(project string, op *models.Operation, now time.Time) bool {
	return f.query.Match(&row{op: op, project: project, known: f.known}, now)
}

// Back returns the maximum age of matching operations at a time, or 0 if the filter does not limit it.
func (f Filter) Back(now time.Time) time.Duration {
	return reach(func(field string) (time.Duration, bool) { return f.query.UpperBound(field, now) })
}

func fields(timeline func() *feed.Timeline) []query.Field[*row] {
	is := func(word string, of func(*models.Operation) bool) query.Word[*row] {
		return query.Is(word, func(r *row, _ time.Time) bool { return r.op != nil && of(r.op) })
	}
	return []query.Field[*row]{
		query.Text("status", text(statusOf), text(goneWord)).Visible().Offering(func() (all []string) {
			for _, status := range timeline().Statuses() {
				all = append(all, string(status))
			}
			slices.Sort(all)
			return all
		}),
		query.Text("action", text(actionOf)).Visible().Offering(func() (all []string) {
			for _, a := range timeline().Actions() {
				all = append(all, string(a.Action))
			}
			return all
		}),
		query.Text("project", (*row).name).Visible(),
		query.Text("project_id", func(r *row) string { return r.project }).VisibleFrom(idFrom),
		query.Text("organization", (*row).org, func(r *row) string { return r.known.orgs[r.project].ID }).Visible(),
		query.Text("branch", text(branchOf)).Visible(),
		query.Text("endpoint", text(endpointOf)).Visible(),
		query.Text("id", text(func(o *models.Operation) string { return o.ID })).VisibleFrom(idFrom),
		query.Text("error", text(errorOf)).Visible(),
		query.Date("created", moment(createdAt)),
		query.Date("updated", moment(func(o *models.Operation) time.Time { return o.UpdatedAt })),
		query.After(moment(createdAt), "age"),
		query.Before(moment(createdAt)),
		query.Duration("age", (*row).age),
		query.Duration("ended", (*row).ended),
		query.Duration("took", (*row).took),
		query.Words(
			"is",
			is("failed", func(o *models.Operation) bool { return o.Status.Failed() }),
			is("unfinished", func(o *models.Operation) bool { return !o.Done() }),
			is("finished", func(o *models.Operation) bool { return o.Status == models.StatusFinished }),
			is("retried", func(o *models.Operation) bool { return o.FailuresCount > 0 }),
			is("gone", func(o *models.Operation) bool { return o.Gone }),
			query.Is("slow", (*row).slow),
		),
	}
}

func goneWord(o *models.Operation) string {
	if o.Gone {
		return "gone"
	}
	return ""
}

func createdAt(o *models.Operation) time.Time { return o.CreatedAt }

func statusOf(o *models.Operation) string   { return string(o.Status) }
func actionOf(o *models.Operation) string   { return string(o.Action) }
func branchOf(o *models.Operation) string   { return o.BranchID }
func endpointOf(o *models.Operation) string { return o.EndpointID }
func errorOf(o *models.Operation) string    { return o.Error }

func moment(of func(*models.Operation) time.Time) func(*row) time.Time {
	return func(r *row) time.Time {
		if r.op == nil {
			return time.Time{}
		}
		return of(r.op)
	}
}

func text(of func(*models.Operation) string) func(*row) string {
	return func(r *row) string {
		if r.op == nil {
			return ""
		}
		return of(r.op)
	}
}

func byText(of func(*row) string) func(a, b *row, now time.Time) int {
	return func(a, b *row, _ time.Time) int { return cmp.Or(gapsLast(a, b), strings.Compare(of(a), of(b))) }
}

func byOperation(compare func(a, b *models.Operation) int) func(a, b *row, now time.Time) int {
	return func(a, b *row, _ time.Time) int {
		if order := gapsLast(a, b); order != 0 || a.op == nil || b.op == nil {
			return order
		}
		return compare(a.op, b.op)
	}
}

func byDuration(of func(*row, time.Time) (time.Duration, bool)) func(a, b *row, now time.Time) int {
	return func(a, b *row, now time.Time) int {
		x, xKnown := of(a, now)
		y, yKnown := of(b, now)
		return cmp.Or(gapsLast(a, b), number(yKnown)-number(xKnown), cmp.Compare(x, y))
	}
}

func gapsLast(a, b *row) int { return number(a.gap != nil) - number(b.gap != nil) }

func number(is bool) int {
	if is {
		return 1
	}
	return 0
}

// statusStyle is a status on the screen: a glyph, a word and a tone. Each alone identifies it.
type statusStyle struct {
	text string // the glyph and the word
	tone style.Tone
}

func (s statusStyle) word() string {
	_, word, _ := strings.Cut(s.text, " ")
	return word
}

// glyph returns the glyph, with a space.
func (s statusStyle) glyph() string { return strings.TrimSuffix(s.text, s.word()) }

var statusStyles = map[models.Status]statusStyle{
	models.StatusScheduling: {"◌ scheduling", style.Waiting},
	models.StatusRunning:    {"◐ running", style.Active},
	models.StatusFinished:   {"✓ finished", style.Good},
	models.StatusFailed:     {"✗ failed", style.Bad},
	models.StatusError:      {"✗ error", style.Bad},
	models.StatusCancelling: {"◍ cancelling", style.Waiting},
	models.StatusCancelled:  {"⊘ cancelled", style.Muted},
	models.StatusSkipped:    {"⊘ skipped", style.Muted},
}

func styleOf(o *models.Operation) statusStyle {
	if o.Gone {
		return statusStyle{"⊘ gone", style.Muted}
	}
	if s, known := statusStyles[o.Status]; known {
		return s
	}
	return statusStyle{"? " + cmp.Or(string(o.Status), "no status"), style.Plain}
}

// StatusText returns the status of an operation as a glyph, a word and the number of failed attempts.
func StatusText(o *models.Operation) string {
	return shortenStatus(styleOf(o).text+retriesOf(o), statusWidth)
}

func (s *state) status(r *row, _ time.Time) (string, style.Tone) {
	if r.gap != nil {
		return "┄ missing", style.Waiting
	}
	is := styleOf(r.op)
	if s.watched[r.key()] {
		is.text = "◉ " + is.word()
	}
	return is.text + retriesOf(r.op), is.tone
}

const times = " ×" // stands between a status and the number of failed attempts

func retriesOf(o *models.Operation) string {
	switch n := o.FailuresCount; {
	case n <= 0:
		return ""
	case n < 100:
		return times + strconv.FormatInt(n, 10)
	}
	return times + "99+"
}

// shortenStatus cuts the word of a status, never the number of failed attempts.
func shortenStatus(text string, width int) string {
	at := strings.Index(text, times)
	if at < 0 {
		return text
	}
	return style.Cut(text[:at], width-style.Width(text[at:])) + text[at:]
}

func actionCell(r *row, _ time.Time) (string, style.Tone) {
	switch {
	case r.gap != nil && r.gap.Broken:
		return "history stops here", style.Waiting
	case r.gap != nil:
		return "operations are missing", style.Waiting
	case r.op.Damage != "":
		return "⚠ " + r.op.Action.Title(), style.Bad
	}
	return r.op.Action.Title(), style.Plain
}

func textColumn(title string, full, priority int, of func(*row) string) table.Column[*row] {
	return table.Column[*row]{
		Title: title, Width: 16, Full: full, Grow: 3, Priority: priority, Compare: byText(of),
		Cell: func(r *row, _ time.Time) (string, style.Tone) {
			switch s := of(r); {
			case r.gap != nil:
				return "┄", style.Waiting
			case s != "":
				return s, style.Muted
			}
			return style.None, style.Muted
		},
	}
}

func (s *state) age(r *row, now time.Time) (string, style.Tone) {
	if r.gap != nil {
		return "", style.Plain
	}
	if age, ok := r.age(now); ok {
		now = r.op.CreatedAt.Add(age)
	}
	return s.session.Times.Cell(r.op.CreatedAt, now), style.Plain
}

// took formats how long the operation took or has run, with a mark if it is slow.
func took(r *row, now time.Time) (string, style.Tone) {
	took, ok := r.took(now)
	switch {
	case r.gap != nil:
		return "", style.Plain
	case !ok:
		return style.None, style.Muted
	case r.unasked(now) > 0:
		return "≥" + style.Elapsed(took), style.Muted
	}
	s, tone := style.Took(took), style.Plain
	if !r.op.Done() {
		s, tone = style.Elapsed(took)+"…", style.Active
	}
	if r.slow(now) {
		return "!" + s, style.Waiting
	}
	return s, tone
}
