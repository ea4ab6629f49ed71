package operations

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"pgtower/models/feed"
	"pgtower/ui/style"
)

// maxNeighbours is the maximum number of neighbours in a report: those that began nearest in time.
const maxNeighbours = 30

// incident is an operation for a report, with what is known around it.
type incident struct {
	*row
	usual      *feed.Durations
	neighbours []*row // of its project, in any order, and the operation itself
	complete   string // for how long the operations are complete; "" if those around it are
	now        time.Time
}

// incident collects what is known around an operation.
func (c *copier) incident(r *row) incident {
	usual := c.list.live.timeline().Durations(r.Op.Action)
	i := incident{row: r, usual: usual, now: c.session.ServiceNow()}
	all, _ := c.list.rows.Freeze()
	for at := range all.Len() {
		other := all.Row(at)
		if other.Op != nil && other.Project == r.Project && other.near(r) {
			i.neighbours = append(i.neighbours, other)
		}
	}
	e := c.extent()
	if e.limited() || !e.whole() && e.back(i.now) < i.now.Sub(r.Op.CreatedAt.Add(-around)) {
		i.complete = e.completeFor(i.now)
	}
	return i
}

// near reports whether an operation began within [around] of another one.
func (r *row) near(other *row) bool {
	return !r.Op.CreatedAt.IsZero() && r.distance(other) <= around
}

func (r *row) distance(other *row) time.Duration { return r.Op.CreatedAt.Sub(other.Op.CreatedAt).Abs() }

// markdown returns the report in Markdown. Its times are UTC.
func (i incident) markdown() string {
	var b strings.Builder
	o, name := i.Op, plainText(i.Name())
	fmt.Fprintf(&b, "## %s: %s %s\n\n", name, plainText(o.Action.Title()), style.StatusOf(o).Word)
	line := func(label, text string) {
		if text != "" {
			fmt.Fprintf(&b, "- **%s:** %s\n", label, text)
		}
	}
	line("What", plainText(o.Action.Meaning()))
	line("State", style.StatusOf(o).Word+wording{style.Took, style.Elapsed, ""}.duration(i.row, i.now))
	line("Error", code(o.Error))
	line("Where", i.where())
	line("When", i.when())
	line("Usually", wording{style.Took, nil, "95th percentile"}.usual(i.usual))
	line("Retries", i.retries())
	line("Operation", code(o.ID))
	if !o.CreatedAt.IsZero() {
		i.writeNeighbours(&b)
	}
	return b.String()
}

func (i incident) where() string {
	out := "project " + plainText(i.Name()) + " " + code(i.Project)
	if i.Op.BranchID != "" {
		out += ", branch " + code(i.Op.BranchID)
	}
	if i.Op.EndpointID != "" {
		out += ", endpoint " + code(i.Op.EndpointID)
	}
	return out
}

func (i incident) when() string {
	utc := style.Times{}
	switch o := i.Op; {
	case o.CreatedAt.IsZero():
		return ""
	case o.EndedAt().IsZero():
		return "began " + utc.At(o.CreatedAt) + ", not ended by " + utc.At(i.now)
	default:
		return "began " + utc.At(o.CreatedAt) + ", ended " + utc.At(o.EndedAt())
	}
}

func (i incident) retries() string {
	out := "none"
	if n := int(i.Op.FailuresCount); n > 0 {
		out = style.Plural(n, "failed attempt")
	}
	switch retry := i.Op.RetryAt; {
	case retry.After(i.now):
		out += ", next at " + style.Times{}.At(retry)
	case !retry.IsZero():
		out += ", last at " + style.Times{}.At(retry)
	}
	return out
}

// writeNeighbours writes a table of the neighbours, the oldest first.
func (i incident) writeNeighbours(b *strings.Builder) {
	rows := slices.SortedStableFunc(slices.Values(i.neighbours), func(x, y *row) int {
		return cmp.Compare(x.distance(i.row), y.distance(i.row))
	})
	more := max(0, len(rows)-maxNeighbours)
	rows = rows[:len(rows)-more]
	slices.SortStableFunc(rows, func(x, y *row) int { return x.Op.CreatedAt.Compare(y.Op.CreatedAt) })
	fmt.Fprintf(b, "\n### %s, 10 minutes before and after\n\n", plainText(i.Name()))
	b.WriteString("| Began (UTC) | Operation | State | Branch | Endpoint |\n|---|---|---|---|---|\n")
	w := wording{style.Took, style.Elapsed, ""}
	for _, r := range rows {
		title := plainText(r.Op.Action.Title())
		if r.key() == i.key() {
			title = "**" + title + "**"
		}
		began := style.Times{}.In(r.Op.CreatedAt).Format(time.DateTime)
		state := plainText(style.StatusText(r.Op) + w.duration(r, i.now))
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", began, title, state, cell(r.Op.BranchID), cell(r.Op.EndpointID))
	}
	b.WriteString("\n")
	if more > 0 {
		fmt.Fprintf(b, "The %d nearest are listed; %d more are omitted. ", maxNeighbours, more)
	}
	if i.complete != "" {
		fmt.Fprintf(b, "Operations may be missing: %s. ", plainText(i.complete))
	}
	fmt.Fprintf(b, "As of %s.\n", style.Times{}.At(i.now))
}

// plainText escapes a text for Markdown.
func plainText(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune("\\`*_[]<>|#~", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// code returns a text as Markdown code, or "".
func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + strings.ReplaceAll(s, "`", "'") + "`"
}

// cell returns a text as code in a table, where a | would end the cell.
func cell(s string) string { return strings.ReplaceAll(code(s), "|", `\|`) }
