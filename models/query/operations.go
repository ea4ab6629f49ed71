package query

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/incident"
	"pgtower/models/moment"
	"pgtower/models/naming"
	"pgtower/models/record"
)

// Organizations has the owning organization of each project, by the project's id: zero if it has none.
type Organizations map[string]models.Organization

// Name returns the name of the organization that owns a project, or "".
func (o Organizations) Name(project string) string {
	owner := o[project]
	return owner.Label()
}

// All returns the organizations by their names.
func (o Organizations) All() []models.Organization {
	byID := map[string]models.Organization{}
	for _, org := range o {
		byID[org.ID] = org
	}
	delete(byID, "")
	return slices.SortedFunc(maps.Values(byID), byLabel)
}

func byLabel(a, b models.Organization) int {
	return cmp.Or(cmp.Compare(a.Label(), b.Label()), cmp.Compare(a.ID, b.ID))
}

// Facts are what filters and orders need besides the operation. They run on other goroutines, so facts are immutable.
type Facts struct {
	Names map[string]string // of projects, by id
	Orgs  Organizations
	// Regions of projects, by id.
	Regions map[string]string
	Book    naming.Book                                         // the names of branches and computes
	Slow    func(models.Action) (beyond time.Duration, ok bool) // see [feed.Durations.Slow]
	Skew    time.Duration                                       // how far the service's clock is ahead
	Bound   time.Duration                                       // how long the state of an operation stays known
	// Unreadable are the projects that cannot be read now, sorted, or all if Silent. The states of their operations are
	// known only as of their last read.
	Unreadable []string
	Silent     bool
}

// KnownFor returns how long the state of an operation of a project stays known.
func (f *Facts) KnownFor(project string) time.Duration {
	_, unreadable := slices.BinarySearch(f.Unreadable, project)
	if f.Silent || unreadable {
		return 0
	}
	return f.Bound
}

// Name returns the name of a project, or its id.
func (f *Facts) Name(project string) string { return cmp.Or(f.Names[project], project) }

// Operation is an operation with what its filters need. Times are by the service's clock, except for AsOf.
type Operation struct {
	Op      *models.Operation // nil where operations are missing
	Project string            // its id
	AsOf    time.Time         // when the operation was last requested, by the program's clock; zero: unknown
	Facts   *Facts
}

// known returns the operation itself, and whether there is one.
func (r *Operation) known() (*models.Operation, bool) { return r.Op, r.Op != nil }

func (r *Operation) self() *Operation { return r }

// Running reports whether the operation is not done.
func (r *Operation) Running() bool { return r.Op != nil && !r.Op.Done() }

// Name returns the name of the project.
func (r *Operation) Name() string { return r.Facts.Name(r.Project) }

// Org returns the name of the project's organization.
func (r *Operation) Org() string { return r.Facts.Orgs.Name(r.Project) }

// Region returns the region of the project, or "".
func (r *Operation) Region() string { return r.Facts.Regions[r.Project] }

// Branch returns the name of the operation's branch, and its id, which is empty without one.
func (r *Operation) Branch() (name naming.Name, id string) {
	if r.Op == nil {
		return name, ""
	}
	return r.Facts.Book.Branch(r.Project, r.Op.BranchID), r.Op.BranchID
}

// Compute returns the name of the operation's compute, and its id, which is empty without one.
func (r *Operation) Compute() (name naming.Name, id string) {
	if r.Op == nil {
		return name, ""
	}
	return r.Facts.Book.Compute(r.Project, r.Op.EndpointID), r.Op.EndpointID
}

// Incident returns the operation with what groups need. There must be one.
func (r *Operation) Incident() incident.Operation {
	branch, _ := r.Branch()
	compute, _ := r.Compute()
	return incident.Operation{
		Operation: r.Op, Project: r.Project, Name: r.Name(),
		Organization: r.Facts.Orgs[r.Project].ID, Region: r.Region(), Branch: branch.Name, Compute: compute.Name,
	}
}

// Unasked returns for how long an unfinished operation was not requested, or 0 while its state is known: within the
// bound, unless its project cannot be read.
func (r *Operation) Unasked(now time.Time) time.Duration {
	if r.Running() && !r.AsOf.IsZero() {
		if since := now.Sub(r.AsOf.Add(r.Facts.Skew)); since > r.Facts.KnownFor(r.Project) {
			return since
		}
	}
	return 0
}

// Took returns how long the operation took, or has taken when it was last known to run.
func (r *Operation) Took(now time.Time) (d time.Duration, ok bool) {
	if r.Op == nil {
		return 0, false
	}
	took := r.Op.Took(now.Add(-r.Unasked(now)))
	return took.Value, took.Known
}

// Slow reports whether the operation took longer than is usual for its action.
func (r *Operation) Slow(now time.Time) bool {
	took, ok := r.Took(now)
	if !ok {
		return false
	}
	limit, ok := r.Facts.Slow(r.Op.Action)
	return ok && took > limit
}

// Age returns how long ago an operation began. It is at least how long it took, also if the clocks differ: the screen
// shows both.
func (r *Operation) Age(now time.Time) (d time.Duration, ok bool) {
	if r.Op == nil || r.Op.CreatedAt.IsZero() {
		return 0, false
	}
	since := now.Sub(r.Op.CreatedAt)
	if took := r.Op.Took(now); r.Op.Done() && took.Known {
		since = max(since, (took.Value + time.Second - 1).Truncate(time.Second))
	}
	return since, true
}

// createdAt returns when the operation began, or zero where there is none.
func (r *Operation) createdAt() time.Time {
	if r.Op == nil {
		return time.Time{}
	}
	return r.Op.CreatedAt
}

// Ended returns how long ago an operation ended.
func (r *Operation) Ended(now time.Time) (d time.Duration, ok bool) {
	if r.Op == nil || r.Op.EndedAt().IsZero() {
		return 0, false
	}
	return now.Sub(r.Op.EndedAt()), true
}

// FieldsOfProjects returns the names of those fields of operations that all operations of a project share.
func FieldsOfProjects() []string { return []string{"project", "project_id", "organization", "region"} }

// OperationFields returns the fields of operations with those of their projects. get returns the operation of a row.
func OperationFields[R any](get func(R) *Operation) []record.Field[R] {
	fields := record.Part(models.OperationFields(), func(row R) (*models.Operation, bool) { return get(row).known() })
	project := record.Named(fields, "project_id")
	project.Get = record.IDs(part(get, (*Operation).projectID))
	project.Filter, project.Searched = "project_id", record.Named(fields, "id").Searched
	const afterProjectID = 2
	fields = slices.Insert(fields, afterProjectID, append(namedFields(
		"branch", get, (*Operation).Branch,
		record.Field[R]{Title: "BRANCH", Width: 14, Least: 12, Full: 24, Grow: 6, Priority: 2},
	), namedFields(
		"endpoint", get, (*Operation).Compute,
		record.Field[R]{Title: "ENDPOINT", Width: 16, Least: 12, Full: 24, Grow: 1, Priority: 5, Extra: true},
	)...)...)
	return slices.Insert(
		fields, afterProjectID,
		record.Field[R]{
			Name: "project", Get: record.Words(part(get, (*Operation).Name)),
			Title: "PROJECT", Width: 12, Full: 16, Least: 8, Grow: 2, Priority: 1, Plain: true, Filter: "project", Searched: 1,
		},
		record.Field[R]{
			Name: "organization", Derived: true, Absent: true,
			Get:   record.Words(part(get, (*Operation).Org)),
			Title: "ORGANIZATION", Width: 12, Least: 9, Priority: 3, Filter: "organization", Searched: 1, Whole: true,
			Also: part(get, (*Operation).orgID),
		},
		record.Field[R]{
			Name: "region", Derived: true, Unseen: true, Filter: "region", Whole: true,
			Get: record.Words(part(get, (*Operation).Region)),
		},
		record.Field[R]{
			Name: "error_group", Derived: true, Unseen: true, Filter: "error_group", Whole: true,
			Get: record.Words(part(get, (*Operation).errorGroup)),
		},
		record.Field[R]{Name: "org_id", Unseen: true, Get: record.IDs(part(get, (*Operation).orgID))},
		record.Field[R]{Name: "org_name", Unseen: true, Get: record.Words(part(get, (*Operation).orgName))},
	)
}

// namedFields returns the fields of the name of a branch or a compute: the name or else the id, and the name alone. named
// returns its name and its id. column is how it is shown.
func namedFields[R any](
	name string, get func(R) *Operation, named func(*Operation) (naming.Name, string), column record.Field[R],
) []record.Field[R] {
	column.Name, column.Derived = name, true
	column.Filter, column.Searched = name, 1
	column.Get = record.Words(func(row R) string { return nameOrID(named(get(row))) })
	column.Also = func(row R) string { return onlyID(named(get(row))) }
	return []record.Field[R]{column, {
		Name: name + "_name", Unseen: true,
		Get: record.Words(func(row R) string { return onlyName(named(get(row))) }),
	}}
}

func nameOrID(name naming.Name, id string) string { return name.Or(id) }
func onlyID(_ naming.Name, id string) string      { return id }
func onlyName(name naming.Name, _ string) string  { return name.Name }

// OperationNames returns the names of the fields of operations in lists: those of the API, the names of the project, the branch
// and the compute, and took, which is how long they took.
func OperationNames(took string) []string {
	names := record.Names(models.OperationFields())
	names = slices.Insert(names, slices.Index(names, "branch_id"), "project_name")
	for _, part := range []string{"branch", "endpoint"} {
		names = slices.Insert(names, slices.Index(names, part+"_id")+1, part+"_name")
	}
	return slices.Insert(names, slices.Index(names, "error"), took)
}

func (r *Operation) projectID() string { return r.Project }
func (r *Operation) orgID() string     { return r.Facts.Orgs[r.Project].ID }
func (r *Operation) orgName() string   { return r.Facts.Orgs[r.Project].Name }

// errorGroup returns the error without what differs between operations.
func (r *Operation) errorGroup() string {
	if r.Op == nil {
		return ""
	}
	return incident.Error(r.Op, r.Name())
}

// Operations returns the fields of filters of operations. get returns the operation of a row; timeline has those whose statuses
// and actions are suggested.
func Operations[R any](get func(R) *Operation, timeline func() *feed.Timeline) []Field[R] {
	ops := operations[R](get)
	created := part(get, (*Operation).createdAt)
	fields := Of(OperationFields(get), plainText, "status", "action", "project", "project_id", "organization", "region", "branch",
		"endpoint", "id", "error", "error_group", "created", "updated")
	fields[0] = fields[0].Offering(func() []string { return statuses(timeline()) })
	fields[1] = fields[1].Offering(func() []string { return actions(timeline()) })
	return append(
		fields,
		After(created, "age"),
		Before(created),
		ops.duration("age", (*Operation).Age).Moving(),
		ops.duration("ended", (*Operation).Ended).Moving(),
		ops.duration("took", (*Operation).Took),
		Words(
			"is",
			ops.is("failed", func(o *models.Operation) bool { return o.Status.Failed() }),
			ops.is("unfinished", func(o *models.Operation) bool { return !o.Done() }),
			ops.is("finished", func(o *models.Operation) bool { return o.Status == models.StatusFinished }),
			ops.is("retried", func(o *models.Operation) bool { return o.FailuresCount > 0 }),
			ops.is("gone", func(o *models.Operation) bool { return o.Gone }),
			Is("slow", func(row R, now time.Time) bool { return get(row).Slow(now) }),
		),
	)
}

func plainText(_ record.Kind, v record.Value) string { return v.Text }

// part returns the function that gets something of a row's operation.
func part[R, V any](operation func(R) *Operation, get func(*Operation) V) func(R) V {
	return func(row R) V { return get(operation(row)) }
}

// operations returns the operation of a row.
type operations[R any] func(R) *Operation

func (os operations[R]) duration(
	name string, get func(*Operation, time.Time) (time.Duration, bool),
) Field[R] {
	return Duration(name, func(row R, now time.Time) (time.Duration, bool) { return get(os(row), now) })
}

// is returns the word for operations for which a condition holds.
func (os operations[R]) is(word string, holds func(*models.Operation) bool) Word[R] {
	return Is(word, func(row R, _ time.Time) bool { return os(row).meets(holds) })
}

// meets reports whether there is an operation, and a condition holds for it.
func (r *Operation) meets(holds func(*models.Operation) bool) bool { return r.Op != nil && holds(r.Op) }

func statuses(t *feed.Timeline) (list []string) {
	for _, status := range t.Statuses() {
		list = append(list, string(status))
	}
	slices.Sort(list)
	return list
}

func actions(t *feed.Timeline) (list []string) {
	for _, a := range t.Actions() {
		list = append(list, string(a))
	}
	return list
}

// OperationFilter is a filter of operations, for use without a table.
type OperationFilter struct {
	query Query[*Operation]
	facts *Facts
}

// ParseOperations parses a filter that uses facts. is:slow compares with the operations in the timeline at the time of
// the match. An unfinished filter is an error.
func ParseOperations(filter string, facts Facts, t *feed.Timeline) (OperationFilter, error) {
	q, wrong := Parse(filter, Operations((*Operation).self, func() *feed.Timeline { return t }))
	wrong = cmp.Or(wrong, q.Hint())
	if wrong != nil {
		return OperationFilter{}, wrong
	}
	facts.Slow = func(a models.Action) (time.Duration, bool) { return t.Durations(a).Slow() }
	return OperationFilter{q, &facts}, nil
}

// SetBook replaces the names of branches and computes that the filter uses.
func (f OperationFilter) SetBook(b naming.Book) { f.facts.Book = b }

// UsesNames reports whether the filter tests the names of branches, and of computes.
func (f OperationFilter) UsesNames() (branches, computes bool) {
	return f.query.Uses("branch"), f.query.Uses("endpoint")
}

// Match reports whether an operation of a project matches at a time by the service's clock.
func (f OperationFilter) Match(project string, op *models.Operation, now time.Time) bool {
	return f.query.Match(&Operation{Op: op, Project: project, Facts: f.facts}, now)
}

// Back returns the maximum age of matching operations now, or 0 if the filter does not limit it.
func (f OperationFilter) Back(now moment.Now) time.Duration {
	return Back(func(field string) (time.Duration, bool) { return f.query.UpperBound(field, now) })
}

// Back returns how far back a filter of operations reaches, by its upper bounds, or 0 if that is not limited. An
// operation that ended in a time may have begun before it.
func Back(upperBound func(field string) (bound time.Duration, ok bool)) time.Duration {
	age, bounded := upperBound("age")
	ended, ok := upperBound("ended")
	if !ok {
		return age
	}
	began := min(ended, math.MaxInt64-feed.MaxRun) + feed.MaxRun
	if !bounded || began < age {
		return began
	}
	return age
}
