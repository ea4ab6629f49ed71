package script

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/naming"
	"pgtower/models/query"
	"pgtower/models/record"
	"pgtower/ui/style"
)

// line is an operation, or a gap, whose operation is empty.
type line struct {
	*models.Operation

	event         string
	project, name string
	branch        naming.Name
	compute       naming.Name
	org           models.Organization
	since, until  time.Time // of a gap
	now           time.Time
}

func (from *Source) line(event, project string, op *models.Operation) line {
	now := from.now()
	if op.CreatedAt.After(now) { // the clocks are known within half a second
		now = op.CreatedAt
	}
	book := from.parts.Book()
	return line{
		Operation: op, event: event, project: project, name: from.names[project], org: from.orgs[project], now: now,
		branch: book.Branch(project, op.BranchID), compute: book.Compute(project, op.EndpointID),
	}
}

// operationLayout returns the layout of operations. event is the name of the field with the line's event, or "".
func operationLayout(event string, times moments) layout[line] {
	result := event == "result"
	l := layout[line]{
		fields: operationFields(event),
		values: line.values,
		columns: []column[line]{
			{title: "PROJECT", field: "project_name", width: 18, cut: true, spare: true, shown: line.projectName},
			{title: "ACTION", width: 18, shown: line.action},
			{title: "STATUS", width: 13, spare: result, shown: line.status},
			{
				title: times.title("CREATED"), width: style.MomentWidth, spare: true,
				shown: func(l line) string { return times.cell(l.began()) },
			},
			{title: "TOOK", width: 7, spare: !result, shown: line.took},
		},
	}
	id := column[line]{title: "ID", field: "id", width: 36}
	if result { // it was asked for
		l.columns = slices.Insert(l.columns, 0, id)
	} else { // people read the project and the age first
		id.spare = true
		l.columns = append(l.columns, id)
	}
	width := len("changed")
	switch event {
	case "":
		return l
	case "result":
		width = len("cancelled")
	}
	l.columns = slices.Insert(l.columns, 0, column[line]{title: strings.ToUpper(event), field: event, width: width})
	return l
}

// operationFields returns the fields of operations. event is as in [operationLayout].
func operationFields(event string) []string {
	fields, organization := query.OperationNames("duration_ms"), []string{"org_id", "org_name"}
	switch event {
	case "":
		return append(fields, organization...)
	case "event":
		fields = append(fields, "since", "until")
	}
	return append(slices.Insert(fields, 0, event), organization...)
}

func (l line) values() models.Fields {
	values := l.Fields()
	values["event"], values["result"] = l.event, l.event
	values["project_id"], values["project_name"] = l.project, l.name
	values["branch_name"], values["endpoint_name"] = l.branch.Name, l.compute.Name
	values["org_id"], values["org_name"] = l.org.ID, l.org.Name
	values["since"], values["until"] = models.Stamp(l.since), models.Stamp(l.until)
	if took := l.Took(l.now); took.Known {
		values["duration_ms"] = took.Value.Milliseconds()
	}
	if l.Status == "" { // a gap, or not read
		delete(values, "failures_count")
	}
	return values
}

func (l line) projectName() string { return cmp.Or(l.name, l.project) }

func (l line) gap() bool { return !l.until.IsZero() }

func (l line) began() time.Time {
	if l.gap() {
		return l.until
	}
	return l.CreatedAt
}

func (l line) action() string {
	if l.gap() {
		return "operations"
	}
	return l.Action.Title()
}

func (l line) status() string {
	switch {
	case l.event == "filled":
		return "✓ complete"
	case l.gap():
		return "┄ missing"
	}
	return style.StatusText(l.Operation)
}

func (l line) took() string {
	took := l.Took(l.now)
	switch {
	case l.gap():
		return style.Took(l.until.Sub(l.since))
	case !took.Known:
		return style.None
	case !l.Done():
		return style.Elapsed(took.Value) + "…"
	}
	return style.Took(took.Value)
}

func projectLayout(times moments) layout[*models.Project] {
	return layout[*models.Project]{
		fields: record.Names(models.ProjectFields()), values: (*models.Project).Fields,
		columns: columns(times, models.ProjectFields(), []column[*models.Project]{
			{field: "id", width: 24},
			{field: "name", width: 18, cut: true},
			{field: "region_id", width: 18},
			{field: "pg_version"},
			{field: "proxy_host", width: 30, spare: true},
			{field: "created_at"},
		}),
	}
}

// columns completes columns without a title by their fields.
func columns[T any](times moments, fields []record.Field[T], list []column[T]) []column[T] {
	for i := range list {
		c := &list[i]
		if c.title != "" {
			continue
		}
		f := record.Named(fields, c.field)
		c.title = f.Title
		switch {
		case f.Get.Kind.Times():
			c.title, c.width = times.title(f.Title), style.MomentWidth
			c.shown = func(row T) string { return timeCell(times, f, row) }
		case f.Derived: // so it is no value of the record
			c.shown = func(row T) string { return f.Get.At(row, time.Time{}).Text }
		}
	}
	return list
}

// timeCell returns the cell of a time, or what its field shows instead.
func timeCell[T any](times moments, f *record.Field[T], row T) string {
	v := f.Get.At(row, time.Time{})
	return cmp.Or(f.Instead(v), times.cell(v.Time))
}

// keyFields returns the fields of keys. They have the reach of a key by its ids, which other commands accept.
func keyFields() []record.Field[*models.APIKey] {
	return models.APIKeyFields(new(keyFacts).currentNames)
}

// layout returns the layout of keys.
func (f *keyFacts) layout(times moments) layout[*models.APIKey] {
	return layout[*models.APIKey]{
		fields: append(withOrgName(record.Names(keyFields())), record.Names(f.useFields())...),
		values: f.values,
		columns: columns(times, keyFields(), []column[*models.APIKey]{
			{field: "id", width: 10},
			{field: "name", width: 24, cut: true},
			{field: "reach", width: 26, spare: true},
			{field: "created_at"},
			{field: "last_used_at"},
			{field: "last_used_from_addr"},
		}),
	}
}

func (f *keyFacts) values(k *models.APIKey) models.Fields {
	values := keyValues(k, f.names)
	maps.Copy(values, models.ValuesOf(f.useFields(), k))
	return values
}

// withOrgName returns the names of fields with the name of the organization after its id.
func withOrgName(fields []string) []string {
	return slices.Insert(slices.Clone(fields), slices.Index(fields, "org_id")+1, "org_name")
}

// keyValues returns the fields of a key with the name of its organization, if that is known.
func keyValues(k *models.APIKey, names models.Names) models.Fields {
	return addOrgName(k.Fields(), names.Orgs)
}

// addOrgName adds the name of the organization to fields, if orgs has it by its id.
func addOrgName(values models.Fields, orgs map[string]string) models.Fields {
	values["org_name"] = orgs[values.Text("org_id")]
	return values
}
