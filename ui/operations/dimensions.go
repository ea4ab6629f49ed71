package operations

import (
	"cmp"
	"iter"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/incident"
	"pgtower/models/naming"
	"pgtower/models/query"
)

// dimensions returns the dimensions of groups: organizations only if there are several.
func (s *scope) dimensions() (out []incident.Dimension) {
	for _, dimension := range incident.Dimensions() {
		if dimension != incident.Organizations || !s.oneOrg {
			out = append(out, dimension)
		}
	}
	return out
}

// filterFor returns the filter for a value of a dimension, or "" for one that a filter cannot have.
func filterFor(dimension incident.Dimension, value string) string {
	switch dimension {
	case incident.Everything:
		return ""
	case incident.Errors:
		return query.Exactly("error_group", value)
	case incident.Projects:
		return query.Exactly("project_id", value)
	default:
		return query.Exactly(dimension.String(), value)
	}
}

// labelOf returns what the screen calls a value of a dimension.
func labelOf(dimension incident.Dimension, value string, projects names, orgs map[string]string, book naming.Book) string {
	switch dimension {
	case incident.Everything:
		return "most operations"
	case incident.Branches:
		return branchLabel(value, projects, book)
	case incident.Actions:
		return models.Action(value).Title()
	case incident.Projects:
		return projects.name(value)
	case incident.Organizations:
		return cmp.Or(orgs[value], value)
	default:
		return value
	}
}

// branchLabel returns the name of a branch with its project, or its id.
func branchLabel(id string, projects names, book naming.Book) string {
	for project, names := range book {
		if name := names.Branches[id].Name; name != "" {
			return name + " · " + projects.name(project)
		}
	}
	return id
}

// labels returns what the screen calls a value of a dimension. Any goroutine may use it.
func (s *scope) labels() func(dimension incident.Dimension, value string) string {
	projects, orgs, book := s.names, map[string]string{}, s.book
	for _, org := range s.orgs.All() {
		orgs[org.ID] = org.Label()
	}
	return func(dimension incident.Dimension, value string) string {
		return labelOf(dimension, value, projects, orgs, book)
	}
}

// incidents returns all loaded operations of the scope.
func (l *list) incidents() iter.Seq[incident.Operation] {
	return l.incidentsOf(l.live.timeline().Rows())
}

// incidentsOf returns operations for groups. Any goroutine may read them.
func (l *list) incidentsOf(loaded feed.Rows) iter.Seq[incident.Operation] {
	facts := l.rows.facts
	return func(yield func(incident.Operation) bool) {
		for i := range loaded.Len() {
			operation := query.Operation{Op: loaded.At(i), Project: loaded.ProjectAt(i), Facts: facts}
			if !yield(operation.Incident()) {
				return
			}
		}
	}
}

// countedIncidents returns the operations that views and groups count: those of the range that pass the filter.
func (l *list) countedIncidents() iter.Seq[incident.Operation] {
	if !l.table.List().Filtered() {
		return l.incidentsOf(l.rows.counted)
	}
	rows := l.table.List().Matching()
	return func(yield func(incident.Operation) bool) {
		for r := range rows {
			if r.Op != nil && !yield(r.Incident()) {
				return
			}
		}
	}
}
