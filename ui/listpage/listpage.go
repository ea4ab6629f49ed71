// Package listpage is a page of records that are read as a whole: a table, how current it is, a text in place of missing
// rows, and an export. A page has a title, fields, a source of rows and actions. It declares the rest in its [Config].
package listpage

import (
	"cmp"
	"maps"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/query"
	"pgtower/models/record"
	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// Config is what differs between pages. Functions may be nil.
type Config[R any] struct {
	ID      page.ID
	Title   string // of the page and its actions: that of the ID by default
	Session *page.Session
	Fields  []record.Field[*R] // in the order of the API
	Actions []*action.Action
	Refresh *action.Action // reads the rows again; the page completes it. Nil: the user cannot

	// Columns and Filters are fields by their names, and by their names in filters. Without a source of its own, the table
	// has the rows that Receive takes from a message, by their Key.
	Columns, Filters []string
	Receive          func(tea.Msg) (rows []R, reading table.Reading, ok bool)
	Key              func(*R) string
	// Table has the settings of the table that the fields do not determine.
	Table table.Config[*R]

	Reading func() *table.Reading // how current the rows are; by default, as they were received
	Row     string                // the noun for a row, such as "project"
	// Describe completes the texts around the rows.
	Describe func(page.Frame, *table.Description[*R])

	Export       func() Export // takes the rows to be exported; by default, those of [Taken] with their fields
	ExportFooter action.Footer // whether the footer shows the export
}

// Page is a page of records.
type Page[R any] struct {
	*table.Model[*R]

	config   Config[R]
	index    table.Index[R] // of the rows that were received
	received table.Reading
	actions  []action.Group // while the filter is not open
}

// New makes a page.
func New[R any](c Config[R]) *Page[R] {
	c.Title = cmp.Or(c.Title, c.ID.Title())
	p := &Page[R]{config: c}
	if c.Reading == nil {
		p.config.Reading = func() *table.Reading { return &p.received }
	}
	if c.Export == nil {
		p.config.Export = p.taken
	}
	p.Model = table.New(p.table())
	p.actions = append([]action.Group{{Title: c.Title, Actions: p.ownActions()}}, p.Model.Actions()...)
	return p
}

// table returns the settings of the table, completed from the fields.
func (p *Page[R]) table() table.Config[*R] {
	c, t := &p.config, p.config.Table
	t.Session, t.Page, t.Order = c.Session, c.ID, cmp.Or(t.Order, "order of the service")
	if t.Source == nil {
		p.index = table.NewIndex[R](nil, c.Key)
		t.Source = &p.index
	}
	if t.Columns == nil {
		t.Columns = table.Columns(c.Session, c.Fields, c.Columns...)
	}
	if t.Fields == nil {
		t.Fields = query.Of(c.Fields, style.Value, c.Filters...)
	}
	if t.Detail == nil {
		t.Detail = p.detail
	}
	if t.Values == nil {
		t.Values = func(row *R) models.Fields { return models.ValuesOf(c.Fields, row) }
	}
	c.Table = t
	return t
}

// detail returns the details of a row with all fields, below its first column.
func (p *Page[R]) detail(row *R, now time.Time) table.Record {
	title, _ := p.config.Table.Columns[0].Cell(row, now)
	return table.Record{Title: title, Fields: table.Details(p.config.Session.Times, p.config.Fields, row, now)}
}

func (p *Page[R]) ownActions() []*action.Action {
	actions := append(slices.Clip(p.config.Actions), p.exportAction())
	if refresh := p.config.Refresh; refresh != nil {
		refresh.ID, refresh.Title, refresh.Keys = "refresh", "refresh", []string{"r"}
		refresh.Disabled = func() string { return p.config.Reading().RefreshDisabled() }
		actions = append(actions, refresh)
	}
	return actions
}

// Actions returns the actions of the page, or those of its open filter.
func (p *Page[R]) Actions() []action.Group {
	if p.Editing() {
		return p.Model.Actions()
	}
	return p.actions
}

// Placeholders returns the names of a row's values in templates of addresses and commands.
func (p *Page[R]) Placeholders() []string {
	return slices.Collect(maps.Keys(p.config.Table.Values(new(R))))
}

// Start does nothing: the reader of the rows passes them on.
func (p *Page[R]) Start() tea.Cmd { return nil }

// Shown does nothing, as Start.
func (p *Page[R]) Shown() tea.Cmd { return nil }

// Update handles a message.
func (p *Page[R]) Update(msg tea.Msg) tea.Cmd {
	if result, ok := msg.(page.Result); ok {
		return result()
	}
	if p.config.Receive != nil {
		rows, reading, ok := p.config.Receive(msg)
		if ok {
			return p.Take(rows, reading)
		}
	}
	return p.Model.Update(msg)
}

// Take shows other rows.
func (p *Page[R]) Take(rows []R, reading table.Reading) tea.Cmd {
	p.index, p.received = table.NewIndex(rows, p.config.Key), reading
	return p.Refresh()
}

// Rows returns the rows that were received, which nothing changes.
func (p *Page[R]) Rows() []R { return p.index.All }

// View draws the list.
func (p *Page[R]) View(f page.Frame) []string { return p.Draw(f, p.description(f)) }

// Describe returns the list in words.
func (p *Page[R]) Describe(f page.Frame) announce.Description {
	return p.Model.Describe(f, p.description(f))
}

func (p *Page[R]) description(f page.Frame) table.Description[*R] {
	c := &p.config
	d := table.Description[*R]{
		ID: c.ID, Name: c.Title, Empty: table.EmptyState{Title: "There are no " + p.rows() + "."},
	}
	if c.Describe != nil {
		c.Describe(f, &d)
	}
	d.Empty = c.Reading().Empty(f, p.rows(), d.Empty)
	return d
}

func (p *Page[R]) rows() string { return p.config.Row + "s" }

// AsOf returns when the rows were last read.
func (p *Page[R]) AsOf() time.Time { return p.config.Reading().Last }

// Title returns "": the rows have no news for the terminal's title.
func (p *Page[R]) Title() string { return "" }

// Ticks returns false: nothing on the page changes every second.
func (p *Page[R]) Ticks() bool { return false }

// Status returns how old the rows are.
func (p *Page[R]) Status(now time.Time) page.Status { return p.config.Reading().Status(now) }
