package cli

import (
	"cmp"
	"slices"
	"time"

	"pgtower/models"
	"pgtower/ui/operations"
	"pgtower/ui/style"
)

// line is an operation of a project, or a gap where there is none.
type line struct {
	event         string
	project, name string
	op            *models.Operation
	since, until  time.Time
	now           time.Time
}

func (e *engine) line(event, project string, op *models.Operation) line {
	now := e.now()
	if op != nil && op.CreatedAt.After(now) { // the clocks are known within half a second
		now = op.CreatedAt
	}
	return line{event: event, project: project, name: e.names[project], op: op, now: now}
}

// operationColumns are those of operations, and before them what the line says of one, by its name.
func operationColumns(event string) []column[line] {
	field := func(name string, of func(*models.Operation) any) column[line] {
		return column[line]{name: name, of: func(l line) any {
			if l.op == nil {
				return nil
			}
			return of(l.op)
		}}
	}
	id := field("id", func(o *models.Operation) any { return o.ID })
	action := field("action", func(o *models.Operation) any { return string(o.Action) })
	action.title, action.width, action.shown = "ACTION", 18, line.action
	id.title, id.width, id.spare = "ID", 36, true
	status := field("status", func(o *models.Operation) any { return string(o.Status) })
	status.title, status.width, status.shown = "STATUS", 13, line.status
	created := field("created_at", func(o *models.Operation) any { return moment(o.CreatedAt) })
	created.title, created.width, created.since = "CREATED", 8, line.began
	columns := []column[line]{
		id,
		{name: "project_id", of: func(l line) any { return l.project }},
		{
			name: "project_name", of: func(l line) any { return l.name }, title: "PROJECT", width: 16, grow: true,
			shown: func(l line) string { return cmp.Or(l.name, l.project) },
		},
		field("branch_id", func(o *models.Operation) any { return o.BranchID }),
		field("endpoint_id", func(o *models.Operation) any { return o.EndpointID }),
		action,
		status,
		field("failures_count", func(o *models.Operation) any { return o.FailuresCount }),
		created,
		field("updated_at", func(o *models.Operation) any { return moment(o.UpdatedAt) }),
		{
			name: "duration_ms", of: line.milliseconds, title: "TOOK", width: 7, right: true, shown: line.took,
		},
		field("error", func(o *models.Operation) any { return o.Error }),
		field("retry_at", func(o *models.Operation) any { return moment(o.RetryAt) }),
		field("total_duration_ms", func(o *models.Operation) any { return milliseconds(o.Total) }),
		field("gone", func(o *models.Operation) any { return known(models.Opt[bool]{Value: true, Known: o.Gone}) }),
		field("damage", func(o *models.Operation) any { return o.Damage }),
	}
	if event == "" {
		return columns
	}
	columns = slices.Insert(columns, 0, column[line]{name: event, of: func(l line) any { return l.event }})
	if event == "event" {
		columns = append(columns,
			column[line]{name: "since", of: func(l line) any { return moment(l.since) }},
			column[line]{name: "until", of: func(l line) any { return moment(l.until) }})
	}
	return columns
}

// milliseconds is how long an operation took, or has lasted so far.
func (l line) milliseconds() any {
	if l.op == nil {
		return nil
	}
	return milliseconds(l.op.Took(l.now))
}

func milliseconds(d models.Opt[time.Duration]) any {
	if !d.Known {
		return nil
	}
	return d.Value.Milliseconds()
}

func (l line) began() time.Time {
	if l.op == nil {
		return l.until
	}
	return l.op.CreatedAt
}

func (l line) action() string {
	if l.op == nil {
		return "operations"
	}
	return l.op.Action.Title()
}

func (l line) status() string {
	if l.op == nil {
		return "┄ missing"
	}
	return operations.StatusText(l.op)
}

func (l line) took() string {
	switch {
	case l.op == nil:
		return style.Took(l.until.Sub(l.since))
	case !l.op.Took(l.now).Known, l.op.Status == models.StatusScheduling:
		return ""
	case !l.op.Done():
		return style.Lasting(l.op.Took(l.now).Value) + "…"
	}
	return style.Took(l.op.Took(l.now).Value)
}
