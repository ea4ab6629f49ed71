package operations

import (
	"encoding/json"
	"fmt"

	"pgtower/models"
	"pgtower/models/format"
	"pgtower/models/query"
	"pgtower/models/record"
	"pgtower/ui/listpage"
	"pgtower/ui/style"
)

// about describes the rows that are exported or copied.
func (c *copier) about() string { return listpage.SayTaken(c.list.shown()) }

// taken returns the rows that are marked or shown now, to be exported.
func (c *copier) taken() listpage.Export {
	complete := c.list.extent().completeFor(c.session.ServiceNow())
	rows, partial := c.rows()
	out := exported(rows)
	out.Tone, out.Saved = style.Good, count(len(rows))+" operations saved to "
	if partial > 0 {
		out.Tone = style.Waiting
		out.Saved = fmt.Sprintf("%s operations saved, %s of them marked as incomplete (%s): ",
			count(len(rows)), count(partial), complete)
	}
	return out
}

// exported returns operations to be exported.
func exported(operations []*row) listpage.Export {
	return listpage.Export{
		Names: format.Names{
			Fields: append(query.OperationNames("duration_seconds"), "complete"),
			Aside:  record.AsideNames(models.OperationFields()),
			Always: record.AlwaysNames(models.OperationFields()),
		},
		Rows: listpage.ValuesOf(operations, (*row).exported),
	}
}

// exported returns the values of an operation in a file.
func (r *row) exported() models.Fields {
	values := r.Op.Fields()
	branch, _ := r.Branch()
	compute, _ := r.Compute()
	values["branch_name"], values["endpoint_name"] = branch.Name, compute.Name
	values["project_name"], values["complete"] = r.Name(), !r.partial
	if seconds := r.seconds(); seconds != "" {
		values["duration_seconds"] = json.Number(seconds)
	}
	return values
}
