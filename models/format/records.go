package format

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"

	"pgtower/models"
)

// Names are the names of the fields of records that are printed.
type Names struct {
	Fields []string
	Aside  []string // only JSON has them
	Always []string // those of Fields that JSON has as null where there is no value
}

// Records prints records by their fields. End returns the errors of writing.
type Records struct {
	*Printer

	names Names
	count int
}

// NewRecords begins to print records, in a form other than [Lines] and [Markdown].
func NewRecords(output io.Writer, form Form, names Names) *Records {
	r := &Records{Printer: newPrinter(output, form), names: names}
	if form == CSV || form == Sheet {
		r.Head(names.Fields)
	}
	return r
}

// Print prints a record.
func (r *Records) Print(values models.Fields) {
	switch r.Form {
	case JSON:
		_, _ = r.Write(append(r.object(values), '\n'))
	case JSONList:
		r.item(r.object(values))
	case CSV, Sheet:
		r.Row(values.Literals(r.names.Fields))
	default:
		r.Row(values.Texts(r.names.Fields))
	}
	r.count++
}

func (r *Records) object(values models.Fields) []byte {
	return values.JSON(slices.Concat(r.names.Fields, r.names.Aside), r.names.Always...)
}

// item prints an object of a list.
func (r *Records) item(object []byte) {
	head := ",\n  "
	if r.count == 0 {
		head = "[\n  "
	}
	var text bytes.Buffer
	_ = json.Indent(&text, object, "  ", "  ") // it was just encoded
	_, _ = r.WriteString(head + text.String())
}

// End prints the end of a list of JSON, and flushes.
func (r *Records) End() error {
	if r.Form == JSONList {
		end := "\n]\n"
		if r.count == 0 {
			end = "[]\n"
		}
		_, _ = r.WriteString(end)
	}
	return r.Flush()
}
