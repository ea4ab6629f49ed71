package script

import (
	"cmp"
	"os"
	"strings"
	"time"

	"pgtower/models/keys"
)

// Journal prints the changes of API keys: what came of each, or that it is unknown.
func Journal(o *Options, to *os.File, records []keys.Record) error {
	if err := cmp.Or(o.check(), o.checkFields(journalLayout().fields)); err != nil {
		return err
	}
	out := newOutput(o, to, journalLayout())
	for _, one := range keys.Joined(records) {
		out.write(one)
	}
	return out.Flush()
}

func journalLayout() layout[keys.Record] {
	return layout[keys.Record]{
		fields: strings.Fields("at account change outcome id name org_id project_id replaces request_id error by handed"),
		values: keys.Record.Fields,
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
