package listpage

import (
	"bytes"
	"context"
	"io"
	"iter"
	"path/filepath"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/format"
	"pgtower/models/record"
	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// exporter exports rows to a file that the user names.
type exporter struct {
	session *page.Session
	page    page.ID
	about   func() string // which rows, in words
	take    func() Export // takes the rows, once the file is named
}

// Export is rows that were taken, with the values of their fields.
type Export struct {
	format.Names

	Rows iter.Seq[models.Fields]
	// Tone and Saved are the notice about the file, whose name follows.
	Tone  style.Tone
	Saved string
}

// askForm asks for the file, with a name by the time.
func (e *exporter) askForm() {
	e.ask(e.page.Name()+"-"+e.session.Now().UTC().Format("20060102-150405")+".csv", "")
}

// ask asks for the name of the file. wrong is why the last name failed, or "".
func (e *exporter) ask(name, wrong string) {
	e.session.Open(dialog.NewForm(dialog.FormSpec{
		Title: "Export", Wrong: wrong, Label: "File", Text: name, Verb: "Export", Submit: e.export,
		About: "Saves the " + e.about() + ". The ending .csv or .json sets the format.",
		Note:  e.folder, Check: checkEnding,
	}))
}

// folder returns where a file of the name would be, in words.
func (e *exporter) folder(name string) string {
	path, err := e.session.Files.Path(name)
	if err != nil {
		return models.Clean(err.Error())
	}
	return "In " + models.Clean(filepath.Dir(path))
}

func checkEnding(name string) string {
	if ext := filepath.Ext(name); ext != ".csv" && ext != ".json" {
		return "The file must end in .csv or .json."
	}
	return ""
}

func (e *exporter) export(name string) tea.Cmd {
	taken, files := e.take(), e.session.Files
	save := func(context.Context) (string, error) { return taken.Save(files, name) }
	return page.Call(e.session, e.page, save, func(path string, err error) tea.Cmd {
		e.saved(&taken, name, path, err)
		return nil
	})
}

// saved says where the rows were saved, or asks for another name.
func (e *exporter) saved(taken *Export, name, path string, err error) {
	if err != nil {
		e.ask(name, "Nothing was exported: "+models.Clean(err.Error())+".")
		return
	}
	e.session.Notify(taken.Tone, "✓ "+taken.Saved+models.Clean(path))
}

// Save writes a new file in the format of its ending, and returns its full path.
func (e *Export) Save(files page.Files, name string) (path string, err error) {
	form := format.CSV
	if filepath.Ext(name) == ".json" {
		form = format.JSONList
	}
	var b bytes.Buffer
	err = e.Print(&b, form)
	if err != nil {
		return "", err
	}
	return files.WriteNew(name, b.Bytes())
}

// Print prints the rows in a form.
func (e *Export) Print(output io.Writer, form format.Form) error {
	out := format.NewRecords(output, form, e.Names)
	for row := range e.Rows {
		out.Print(row)
	}
	return out.End()
}

// ValuesOf returns the values of rows for [Export.Rows].
func ValuesOf[R any](rows []R, values func(R) models.Fields) iter.Seq[models.Fields] {
	return func(yield func(models.Fields) bool) {
		for _, row := range rows {
			if !yield(values(row)) {
				return
			}
		}
	}
}

// Taken returns the marked rows, or all that match if none is marked.
func Taken[R any](l *table.List[R]) []R {
	if l.CountMarked() > 0 {
		return l.Marked()
	}
	return slices.Collect(l.Matching())
}

// SayTaken returns which rows [Taken] returns.
func SayTaken[R any](l *table.List[R]) string {
	if l.CountMarked() == 0 {
		return style.Plural(l.Matches(), "row") + " shown, in this order"
	}
	text := style.Plural(l.CountMarked(), "marked row")
	if hidden := l.MarkedHidden(); hidden > 0 {
		text += ", " + style.Count(hidden) + " hidden by the filter"
	}
	return text
}

// exportAction exports the rows of the page.
func (p *Page[R]) exportAction() *action.Action {
	e := &exporter{
		session: p.config.Session, page: p.config.ID, take: p.Export,
		about: func() string { return SayTaken(p.List()) },
	}
	return &action.Action{
		ID: "export", Title: "export", Keys: []string{"e"}, Keywords: []string{"csv", "json", "save", "file"}, Footer: p.config.ExportFooter,
		Disabled: p.nothingToExport, Run: action.Do(e.askForm),
	}
}

func (p *Page[R]) nothingToExport() string {
	if p.List().Matches()+p.List().CountMarked() == 0 {
		return "nothing to export"
	}
	return ""
}

// Export takes the rows that are marked or shown now.
func (p *Page[R]) Export() Export { return p.config.Export() }

// taken returns the rows to be exported with all their fields.
func (p *Page[R]) taken() Export {
	rows := Taken(p.List())
	return Export{
		Names: format.Names{Fields: record.Names(p.config.Fields), Aside: record.AsideNames(p.config.Fields)},
		Tone:  style.Good, Saved: style.Plural(len(rows), p.config.Row) + " saved to ",
		Rows: ValuesOf(rows, p.config.Table.Values),
	}
}
