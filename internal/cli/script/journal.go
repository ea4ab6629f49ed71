package script

import (
	"cmp"
	"os"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/keys"
)

// Journal prints the changes of API keys with their outcomes. orgs are the names of organizations by id, as far as they are known.
func Journal(o *Options, file *os.File, records []keys.Record, orgs map[string]string) error {
	layout := journalLayout(orgs)
	if err := cmp.Or(o.check(), o.checkFields(layout.fields)); err != nil {
		return err
	}
	out := newOutput(o, file, layout)
	for _, entry := range keys.Joined(records) {
		out.write(entry)
	}
	return out.Flush()
}

func journalLayout(orgs map[string]string) layout[keys.Record] {
	return layout[keys.Record]{
		fields: withOrgName(strings.Fields("at account change outcome id name org_id project_id replaces request_id error by handed")),
		values: func(r keys.Record) models.Fields { return addOrgName(r.Fields(), orgs) },
		columns: []column[keys.Record]{
			{title: "AT", width: 20, shown: func(r keys.Record) string { return r.At.UTC().Format(time.RFC3339) }},
			{title: "ACCOUNT", field: "account", width: 24, spare: true},
			{title: "CHANGE", field: "change"},
			{title: "OUTCOME", field: "outcome"},
			{title: "ID", field: "id", width: 10},
			{title: "NAME", field: "name", width: 24, cut: true},
			{title: "SECRET", field: "handed", width: 13},
			{title: "ERROR", field: "error", spare: true},
		},
	}
}
