package query_test

import (
	"fmt"
	"testing"
	"time"

	"pgtower/ui/query"
)

// BenchmarkMatch matches 100,000 rows; an operation of the benchmark is one row.
func BenchmarkMatch(b *testing.B) {
	const rows = 100_000
	statuses := []string{"running", "finished", "finished", "failed"}
	actions := []row{
		{action: "start_compute", title: "Start compute"},
		{action: "check_availability", title: "Check availability"},
		{action: "create_branch", title: "Create branch"},
		{action: "suspend_compute", title: "Suspend compute"},
	}
	all := make([]row, rows)
	for i := range all {
		r := actions[i/3%len(actions)]
		r.status = statuses[i%len(statuses)]
		r.branch = fmt.Sprintf("br-bitter-sound-%06d", i)
		r.age = time.Duration(i) * time.Second
		r.took, r.done = time.Duration(i%100)*time.Second, r.status != "running"
		all[i] = r
	}
	fields := append(fields(),
		query.Text("project", func(row) string { return "floral-king-961888" }).Visible(),
		query.Text("endpoint", func(row) string { return "ep-dark-snowflake-942567" }).Visible(),
		query.Text("id", func(row) string { return "d8ac46eb-a757-42b1-9907-f78322ee394e" }).Visible())
	fields[2] = fields[2].Visible()
	for _, s := range []string{
		"stcomp", "stcomp brbit", "brbit stcomp", "snow4 stcomp", "zz", "ärger", "!zz !qq", "status:failed age:<10m", "is:failed took:>5s", "!status:fin brbit",
	} {
		q, err := query.Parse(s, fields)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(s, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				q.Match(all[i%rows], time.Time{})
			}
		})
	}
}
