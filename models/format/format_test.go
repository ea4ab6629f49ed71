package format_test

import (
	"strings"
	"testing"

	"pgtower/models"
	"pgtower/models/format"
)

// Every form has the same values. Only a form for a spreadsheet keeps a text from being a formula, and only JSON tells what
// has no value.
func TestRecordsInEachForm(t *testing.T) {
	t.Parallel()
	names := format.Names{Fields: []string{"id", "size", "at"}, Aside: []string{"damage"}, Always: []string{"at"}}
	rows := []models.Fields{{"id": "=a", "size": 2, "damage": "size"}, {"id": "b c", "at": "2026-03-01"}}
	for form, want := range map[format.Form][2]string{
		format.Tabs:  {"=a\t2\t\nb c\t\t2026-03-01\n", ""},
		format.CSV:   {"id,size,at\n'=a,2,\nb c,,2026-03-01\n", "id,size,at\n"},
		format.Sheet: {"id\tsize\tat\n'=a\t2\t\nb c\t\t2026-03-01\n", "id\tsize\tat\n"},
		format.JSON:  {`{"id":"=a","size":2,"at":null,"damage":"size"}` + "\n" + `{"id":"b c","at":"2026-03-01"}` + "\n", ""},
		format.JSONList: {
			"[\n  {\n    \"id\": \"=a\",\n    \"size\": 2,\n    \"at\": null,\n    \"damage\": \"size\"\n  },\n" +
				"  {\n    \"id\": \"b c\",\n    \"at\": \"2026-03-01\"\n  }\n]\n", "[]\n",
		},
	} {
		for n, records := range [][]models.Fields{rows, nil} {
			var text strings.Builder
			out := format.NewRecords(&text, form, names)
			for _, one := range records {
				out.Print(one)
			}
			if err := out.End(); err != nil || text.String() != want[n] {
				t.Errorf("form %d of %d records: %q, not %q (%v)", form, len(records), text.String(), want[n], err)
			}
		}
	}
}
