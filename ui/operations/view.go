package operations

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"pgtower/models"
	"pgtower/ui/browse"
	"pgtower/ui/detail"
	"pgtower/ui/page"
	"pgtower/ui/rowlist"
	"pgtower/ui/text"
	"pgtower/ui/theme"
	"pgtower/ui/when"
)

func newTable(source *rows) *browse.Model[row] {
	return browse.New(browse.Config[row]{
		Source:   source,
		PaneFrom: 100,
		Columns: []rowlist.Column[row]{
			{Title: "STATUS", Width: 13, Cell: statusCell},
			{Title: "ACTION", Width: 18, Grow: 2, Cell: actionCell},
			{Title: "BRANCH", Width: 16, Grow: 3, Priority: 3, Cell: textCell(func(o *models.Operation) string { return o.BranchID })},
			{Title: "ENDPOINT", Width: 16, Grow: 3, Priority: 4, Cell: textCell(func(o *models.Operation) string { return o.EndpointID })},
			{Title: "AGE", Width: 5, Right: true, Cell: ageCell},
			{Title: "TOOK", Width: 6, Right: true, Priority: 2, Cell: tookCell},
		},
		Detail: record,
		Texts: func(r row) []string {
			if r.gap != nil {
				return nil
			}
			return []string{string(r.op.Status), r.op.Action.Title(), string(r.op.Action), r.op.BranchID, r.op.EndpointID, r.op.ID}
		},
		Follow: true,
	})
}

// look is how a status appears: a glyph, a word and a tone, each enough on its own.
type look struct {
	glyph, word string
	tone        theme.Tone
}

func lookOf(o *models.Operation, now time.Time) look {
	if o.Gone {
		return look{"⊘", "gone", theme.Muted}
	}
	word := string(o.Status)
	switch o.Status {
	case models.StatusScheduling:
		return look{"◌", word, theme.Waiting}
	case models.StatusRunning:
		return look{spinner(now), word, theme.Active}
	case models.StatusFinished:
		return look{"✓", word, theme.Good}
	case models.StatusFailed, models.StatusError:
		return look{"✗", word, theme.Bad}
	case models.StatusCancelling:
		return look{"◍", word, theme.Waiting}
	case models.StatusCancelled, models.StatusSkipped:
		return look{"⊘", word, theme.Muted}
	}
	if word == "" {
		word = "no status"
	}
	return look{"?", word, theme.Plain}
}

// spinner turns with the clock, once a second: it needs no ticks of its own.
func spinner(now time.Time) string {
	frames := [...]string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧"}
	return frames[now.Unix()&7]
}

func statusCell(r row, now time.Time) (string, theme.Tone) {
	if r.gap != nil {
		return "┄ missing", theme.Waiting
	}
	l := lookOf(r.op, now)
	s := l.glyph + " " + l.word
	if r.op.FailuresCount > 0 {
		s += fmt.Sprintf(" ×%d", r.op.FailuresCount)
	}
	return s, l.tone
}

func actionCell(r row, _ time.Time) (string, theme.Tone) {
	if r.gap != nil {
		return "↵ loads what came between", theme.Waiting
	}
	return r.op.Action.Title(), theme.Plain
}

func textCell(of func(*models.Operation) string) func(row, time.Time) (string, theme.Tone) {
	return func(r row, _ time.Time) (string, theme.Tone) {
		if r.gap != nil {
			return "┄", theme.Waiting
		}
		if s := of(r.op); s != "" {
			return s, theme.Muted
		}
		return when.None, theme.Muted
	}
}

func ageCell(r row, now time.Time) (string, theme.Tone) {
	if r.gap != nil {
		return "", theme.Plain
	}
	return when.Age(r.op.CreatedAt, now), theme.Muted
}

func tookCell(r row, now time.Time) (string, theme.Tone) {
	if r.gap != nil {
		return "", theme.Plain
	}
	took := r.op.Took(now)
	switch {
	case !took.Known || r.op.Status == models.StatusScheduling:
		return when.None, theme.Muted
	case !r.op.Done():
		return when.Lasting(took.Value) + "…", theme.Active
	}
	return when.Took(took.Value), theme.Plain
}

// record is an operation with every field that the API has of it.
func record(r row, now time.Time) detail.Record {
	if r.gap != nil {
		return detail.Record{
			Title: "Operations are missing here",
			About: "More operations began between two polls than pgtower follows on its own. Enter loads the next page of them.",
		}
	}
	o := r.op
	l := lookOf(o, now)
	took := when.None
	switch t := o.Took(now); {
	case t.Known && o.Done():
		took = when.Took(t.Value)
	case t.Known:
		took = when.Lasting(t.Value) + " so far"
	}
	fields := []detail.Field{
		{Label: "id", Value: o.ID},
		{Label: "project_id", Value: orNone(o.ProjectID)},
		{Label: "branch_id", Value: orNone(o.BranchID)},
		{Label: "endpoint_id", Value: orNone(o.EndpointID)},
		{Label: "action", Value: orNone(string(o.Action))},
		{Label: "status", Value: orNone(string(o.Status)), Tone: l.tone},
		{Label: "failures_count", Value: humanize.Comma(o.FailuresCount)},
		{Label: "created_at", Value: when.Stamp(o.CreatedAt, now)},
		{Label: "updated_at", Value: when.Stamp(o.UpdatedAt, now)},
		{Label: "took", Value: took},
	}
	if o.Error != "" {
		fields = append(fields, detail.Field{Label: "error", Value: o.Error, Tone: theme.Bad})
	}
	if !o.RetryAt.IsZero() {
		fields = append(fields, detail.Field{Label: "retry_at", Value: when.Stamp(o.RetryAt, now)})
	}
	about := o.Action.Meaning()
	if o.Gone {
		about = strings.TrimSpace(about + " The service no longer knows this operation; what is shown is the last that was heard of it.")
	}
	return detail.Record{
		Title: o.Action.Title(), State: l.glyph + " " + l.word, Tone: l.tone,
		About: about, Fields: fields, Damage: o.Damage,
	}
}

func orNone(s string) string {
	if s == "" {
		return when.None
	}
	return s
}

// Status is how current the feed is.
func (p *Page) Status(now time.Time) page.Status {
	if p.project.ID == "" {
		return page.Status{Tone: theme.Muted, Text: "no project"}
	}
	return p.poll.status(now)
}

// View draws the feed.
func (p *Page) View(f page.Frame) []string {
	return p.table.View(f, browse.Parts[row]{
		Strip:  p.strip(f),
		Empty:  p.words(),
		Notes:  p.notes(f),
		Marked: func(r row) bool { return r.op != nil && p.fresh[r.op.ID] },
	})
}

// strip names the project and counts what is in work and what failed.
func (p *Page) strip(f page.Frame) string {
	if p.project.ID == "" {
		return ""
	}
	name := p.project.Name
	if name == "" {
		name = p.project.ID
	}
	parts := []string{f.Theme.Paint(theme.Strong, " "+name)}
	feed := p.rows.feed
	for _, s := range []models.Status{models.StatusRunning, models.StatusScheduling, models.StatusFailed, models.StatusError} {
		if n := feed.Count(s); n > 0 {
			l := lookOf(&models.Operation{Status: s}, f.Now)
			parts = append(parts, f.Theme.Paint(l.tone, fmt.Sprintf("%s %s %s", l.glyph, humanize.Comma(int64(n)), l.word)))
		}
	}
	if feed.Loaded() {
		parts = append(parts, f.Theme.Paint(theme.Muted, humanize.Comma(int64(feed.Len()))+" loaded"))
	}
	return strings.Join(parts, "   ")
}

// words are said in the place of the rows.
func (p *Page) words() detail.Words {
	var e *models.Error
	switch {
	case p.project.ID == "" && p.projects.Err != nil:
		return browse.Failure(p.projects.Err, "r on the projects page tries again.")
	case p.project.ID == "" && !p.projects.Complete:
		return detail.Words{Tone: theme.Waiting, Title: "Loading the projects…"}
	case p.project.ID == "" && len(p.projects.Projects) == 0:
		return detail.Words{Title: "This account has no projects.", Body: "Operations belong to a project: create one in the console of the service, then press 2 and r."}
	case p.project.ID == "":
		return detail.Words{Title: "No project is chosen.", Body: "o chooses the project whose operations are shown."}
	case p.poll.err != nil && errors.As(p.poll.err, &e) && e.Kind == models.KindNotFound:
		return detail.Words{Tone: theme.Bad, Title: "There is no project " + p.project.ID + ".", Body: "It may have been deleted. o chooses another one."}
	case p.poll.err != nil:
		return browse.Failure(p.poll.err, "It is tried again on its own; r tries now.")
	case !p.rows.feed.Loaded():
		return detail.Words{Tone: theme.Waiting, Title: "Loading the operations of " + p.project.ID + "…"}
	}
	return detail.Words{Title: "No operations yet.", Body: "What the platform does to this project will appear here as it begins: " +
		"connect to its database, create a branch or change a setting."}
}

// notes are the lines below the rows: what went wrong, what arrived out of sight, and
// how far history is loaded.
func (p *Page) notes(f page.Frame) []string {
	list := p.table.List()
	if list.Len() == 0 {
		return nil
	}
	var out []string
	if p.poll.err != nil {
		out = append(out, browse.Trouble(f, p.poll.err))
	}
	if p.older.err != nil {
		out = append(out, browse.Trouble(f, fmt.Errorf("older operations: %w (m tries again)", p.older.err)))
	}
	left := ""
	switch n := list.Arrivals(); {
	case n > 0:
		left = f.Theme.Paint(theme.Fresh, fmt.Sprintf(" ▲ %s new · g to follow", humanize.Comma(int64(n))))
	case p.older.cursor != "":
		left = f.Theme.Paint(theme.Muted, " ◌ loading older operations…")
	case p.rows.feed.Ended() && list.NearEnd():
		left = f.Theme.Paint(theme.Muted, " The end: the service has nothing older.")
	case p.table.Filtered() && !p.rows.feed.Ended():
		left = f.Theme.Paint(theme.Muted, " The filter sees what is loaded; m loads older operations.")
	}
	place := fmt.Sprintf("%s / %s ", humanize.Comma(int64(list.Cursor()+1)), humanize.Comma(int64(list.Len())))
	return append(out, text.Ends(left, f.Theme.Paint(theme.Muted, place), f.Width))
}
