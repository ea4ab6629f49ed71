package report

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/incident"
)

func noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

func drawn(seed uint64) (out []incident.Operation) {
	rng := rand.New(rand.NewPCG(seed, 1))
	statuses := []models.Status{
		models.StatusFinished, models.StatusFinished, models.StatusFailed, models.StatusRunning, models.StatusSkipped,
	}
	for i := range 80 {
		began := noon().Add(-time.Duration(rng.IntN(7200)) * time.Second)
		out = append(out, incident.Operation{
			Operation: &models.Operation{
				ID: fmt.Sprintf("id-%03d", i), Action: "start_compute", Status: statuses[rng.IntN(len(statuses))],
				FailuresCount: int64(rng.IntN(2)), CreatedAt: began, UpdatedAt: began.Add(time.Duration(rng.IntN(600)) * time.Second),
				Error: fmt.Sprintf("no answer | within %ds", rng.IntN(9)),
			},
			Project: "p", Name: "shop_1",
		})
	}
	return out
}

// TestReportNamesEachFailureAndWhatIsUnfinished compares what a report names with what overlaps its span.
func TestReportNamesEachFailureAndWhatIsUnfinished(t *testing.T) {
	t.Parallel()
	for seed := range uint64(30) {
		all := drawn(seed)
		r := New(Report{
			Of: "all projects (1)", Since: noon().Add(-time.Hour), Until: noon().Add(-30 * time.Minute), Now: noon(),
		}, slices.Values(all))
		for _, markdown := range []bool{false, true} {
			text := r.Text(markdown)
			for _, o := range all {
				ended := o.EndedAt()
				in := o.CreatedAt.Before(r.Until) && (ended.IsZero() || !ended.Before(r.Since))
				named := in && (o.Status.Failed() || !o.Done() || o.Recovered())
				if strings.Contains(text, o.ID) != named {
					t.Fatalf("seed %d: %+v: named is %v in\n%s", seed, o.Operation, !named, text)
				}
			}
		}
	}
}

// TestReportCountsEachOperationOnce adds up the counts: those of the first line, and those of the row of a table.
func TestReportCountsEachOperationOnce(t *testing.T) {
	t.Parallel()
	number := regexp.MustCompile(`\d+`)
	for seed := range uint64(30) {
		r := New(Report{Since: noon().Add(-time.Hour), Until: noon(), Now: noon()}, slices.Values(drawn(seed)))
		lines := regexp.MustCompile(`(?m)^(Of what was read, \d+ operations:|  Start compute  \d).*`).FindAllString(r.Text(false), -1)
		if len(lines) != 2 {
			t.Fatalf("seed %d: %q", seed, lines)
		}
		for _, line := range lines {
			counts := number.FindAllString(strings.Replace(line, fmt.Sprintf(" (%d of them", len(r.where(recovered))), "", 1), -1)
			sum := 0
			for _, count := range counts[1:] {
				n, err := strconv.Atoi(count)
				if err != nil {
					t.Fatal(err)
				}
				sum += n
			}
			if counts[0] != strconv.Itoa(sum) {
				t.Errorf("seed %d: %d are counted in %q", seed, sum, line)
			}
		}
	}
}

// TestReport pins down a report as plain text, and parts of it as Markdown.
func TestReport(t *testing.T) {
	t.Parallel()
	op := func(id, project, region string, minute int, status models.Status, failures int64) incident.Operation {
		at := noon().Add(time.Duration(minute) * time.Minute)
		o := &models.Operation{
			ID: id, Action: "start_compute", Status: status, FailuresCount: failures, CreatedAt: at, UpdatedAt: at.Add(4 * time.Second),
		}
		if status.Failed() {
			o.Error = "no free capacity in the region"
		}
		return incident.Operation{Operation: o, Project: project, Name: project, Region: region}
	}
	all := []incident.Operation{
		op("a1", "shop", "aws-1", 1, models.StatusFailed, 3), op("a2", "shop", "aws-1", 20, models.StatusFinished, 0),
		op("b1", "mail", "aws-1", 5, models.StatusFailed, 3), op("c1", "wiki", "aws-2", 7, models.StatusFinished, 1),
		op("c2", "wiki", "aws-2", 29, models.StatusRunning, 0),
	}
	r := New(Report{
		Of: "all projects (3)", Since: noon(), Until: noon().Add(30 * time.Minute), Now: noon().Add(31 * time.Minute),
		Pasts: incident.PastsOf(slices.Values(all)), Missing: []string{"billing: the service answered 503."},
		AsOf: noon().Add(29*time.Minute + 30*time.Second), Without: "billing (503)", Stale: "1 of 3 projects (wiki)",
	}, slices.Values(all))
	want := `Report of all projects (3), 2026-03-01 12:00:00 to 12:30:00 UTC
===============================================================

Of what was read, 5 operations: 2 failures, 1 unfinished, 2 finished (1 of them after a failure).

Failed: 2
---------

no free capacity in the region

2 failures in 2 projects, 2026-03-01 12:01:04 to 12:05:04 UTC; not tried since 12:05:04 in 1 of 2, worked since in 1.

  Failed (UTC)         Project  Operation      After  Id
  2026-03-01 12:01:04  shop     Start compute  4s     a1
  2026-03-01 12:05:04  mail     Start compute  4s     b1

Unfinished: 1
-------------

  Began (UTC)          Project  Operation      Status   For   Failures  Id
  2026-03-01 12:29:00  wiki     Start compute  running  2m0s  0         c2

Counts
------

  Action         Operations  Failed  Unfinished  Finished
  Start compute  5           2       1           2

  Project  Operations  Failed  Unfinished  Finished
  shop     2           1       0           1
  mail     1           1       0           0
  wiki     2           0       1           1

  Region  Operations  Failed  Unfinished  Finished
  aws-1   3           2       0           1
  aws-2   2           0       1           1

Timeline
--------

12:00:00     1 ended,   1 failed  x
12:02:30     0 ended,   0 failed
12:05:00     2 ended,   1 failed  x=
12:07:30     0 ended,   0 failed
12:10:00     0 ended,   0 failed
12:12:30     0 ended,   0 failed
12:15:00     0 ended,   0 failed
12:17:30     0 ended,   0 failed
12:20:00     1 ended,   0 failed  =
12:22:30     0 ended,   0 failed
12:25:00     0 ended,   0 failed
12:27:30     0 ended,   0 failed

x: failed, =: other ends; a line is 2m30s.

Recovered: 1
------------

  Finished (UTC)       Project  Operation      After  Failures  Id
  2026-03-01 12:07:04  wiki     Start compute  4s     1         c1

Not read
--------
- billing: the service answered 503.

Complete from 2026-03-01 12:00:00 to 12:29:30 UTC, without billing (503). Not read since: 1 of 3 projects (wiki).
`
	if got := r.Text(false); got != want {
		t.Errorf("got\n%s", got)
	}
	for _, part := range []string{
		"# Report of all projects (3)", "| Failed (UTC) | Project |", "| --- | --- |", "```\n12:00:00", "## Recovered: 1",
	} {
		if got := r.Text(true); !strings.Contains(got, part) {
			t.Errorf("no %q in\n%s", part, got)
		}
	}
}

// A place fails since its first failure, also if that was before the span. Only if nothing that was read shows that it began then,
// it may have failed before.
func TestReportSaysSinceWhenAPlaceFails(t *testing.T) {
	t.Parallel()
	at := func(minute int) time.Time { return noon().Add(time.Duration(minute) * time.Minute) }
	var all []incident.Operation
	for minute := range 61 {
		for n, region := range []string{"aws-1", "aws-2", "aws-2"} {
			o := &models.Operation{
				ID: fmt.Sprintf("op-%d-%d", minute, n), Action: "start_compute", Status: models.StatusFinished, CreatedAt: at(minute), UpdatedAt: at(minute),
			}
			if region == "aws-1" && minute >= 20 {
				o.Status = models.StatusFailed
			}
			all = append(all, incident.Operation{Operation: o, Project: region, Name: region, Region: region})
		}
	}
	failures := slices.DeleteFunc(slices.Clone(all), func(o incident.Operation) bool {
		return o.Region == "aws-1" && !o.Status.Failed() || o.CreatedAt.Before(at(20))
	})
	for name, c := range map[string]struct {
		since      int // minutes
		operations []incident.Operation
		change     func(*Report)
		want       string
	}{
		"everything was read":         {0, all, func(*Report) {}, "since 12:20:00."},
		"it began before the span":    {40, all, func(*Report) {}, "since 12:20:00."},
		"it began with the span":      {20, all, func(*Report) {}, "41 of 41 (100 %), elsewhere 0 of 82, since 12:20:00."},
		"there was nothing before it": {0, failures, func(*Report) {}, "since 12:20:00."},
		"read from before it":         {0, all, func(r *Report) { r.From = at(9) }, "since 12:20:00."},
		"others may have ended later": {0, all, func(r *Report) { r.From = at(10) }, "since 12:20:00 or before."},
		"nothing is claimed":          {0, all, func(r *Report) { r.AsOf = time.Time{} }, "since 12:20:00 or before."},
		"nothing earlier is chosen":   {20, failures, func(r *Report) { r.Chosen = true }, "since 12:20:00 or before."},
		"earlier ones are chosen":     {0, all, func(r *Report) { r.Chosen = true }, "since 12:20:00."},
		"chosen of what was read":     {0, all, func(r *Report) { r.Chosen, r.From = true, at(15) }, "since 12:20:00 or before."},
	} {
		made := Report{Since: at(c.since), Until: at(61), Now: at(61), AsOf: at(61)}
		c.change(&made)
		text := New(made, slices.Values(c.operations)).Text(false)
		if !strings.Contains(text, "aws-1 fails: ") || !strings.Contains(text, c.want) {
			t.Errorf("%s: no %q in\n%s", name, c.want, strings.Split(text, "\n")[3])
		}
	}
}

// Where the failures of the whole span lie nowhere together, those of its last minutes are searched, as far as they are complete, and
// the report says in which time. It does not do so for a time in the past, nor for chosen operations.
func TestReportNamesAPlaceThatHasJustBegunToFail(t *testing.T) {
	t.Parallel()
	at := func(seconds int) time.Time { return noon().Add(time.Duration(seconds) * time.Second) }
	const end = 3600
	var all []incident.Operation
	for second := 0; second < end; second += 5 {
		n, last := second/5, second > end-200
		o := &models.Operation{ID: fmt.Sprint("op-", n), Action: "start_compute", Status: models.StatusFinished, CreatedAt: at(second), UpdatedAt: at(second)}
		region := []string{"aws-1", "aws-2", "aws-3"}[n%3]
		if last && region == "aws-1" || n/3%4 == 0 {
			o.Status = models.StatusFailed
		}
		all = append(all, incident.Operation{Operation: o, Project: "p", Name: "shop", Region: region})
	}
	for name, c := range map[string]struct {
		change func(*Report)
		want   string // or "": no place is named
	}{
		"now":                {func(*Report) {}, "aws-1 fails: from 12:57:00 to 13:00:00, 11 of 11 (100 %), elsewhere 6 of 24, since 12:56:45."},
		"of an earlier read": {func(r *Report) { r.AsOf = at(end - 16) }, "aws-1 fails: from 12:56:44 to 12:59:44, 12 of 12 (100 %), elsewhere 6 of 24, since"},
		"filtered":           {func(r *Report) { r.Filtered = true }, "aws-1 fails: from 12:57:00 to 13:00:00, "},
		"in the past":        {func(r *Report) { r.Now = at(end + 120) }, ""},
		"of the whole span":  {func(r *Report) { r.Since, r.Now = at(end-200), at(end+120) }, "aws-1 failed: 13 of 13 (100 %), elsewhere 6 of 27, since 12:56:45."},
		"a pause at its end": {func(r *Report) { r.Until = at(end + 300); r.Now, r.AsOf = r.Until, r.Until; r.Since = at(end - 200) }, "aws-1 failed: 13 of 13 (100 %), elsewhere 6 of 27, since 12:56:45, last 12:59:45."},
		"chosen":             {func(r *Report) { r.Chosen = true }, ""},
		"not complete":       {func(r *Report) { r.From = at(end - 120) }, ""},
		"nothing is claimed": {func(r *Report) { r.AsOf = time.Time{} }, ""},
	} {
		made := Report{Since: at(0), Until: at(end), Now: at(end), AsOf: at(end)}
		c.change(&made)
		text := New(made, slices.Values(all)).Text(false)
		if line := strings.Split(text, "\n")[3]; !strings.Contains(line, c.want) || c.want == "" && strings.Contains(line, " fails") {
			t.Errorf("%s: no %q in\n%s", name, c.want, line)
		}
	}
}

// The JSON has the time in which the operations of a place ended, if that is not the span of the report.
func TestReportHasTheTimeOfAPlace(t *testing.T) {
	t.Parallel()
	var all []incident.Operation
	for n := range 60 {
		region := []string{"aws-1", "aws-2"}[n%2]
		status := map[bool]models.Status{true: models.StatusFailed, false: models.StatusFinished}[region == "aws-1"]
		ended := noon().Add(-time.Duration(n) * time.Second)
		all = append(all, incident.Operation{
			Operation: &models.Operation{Status: status, CreatedAt: ended, UpdatedAt: ended}, Region: region,
		})
	}
	noise := slices.Clone(all)
	for n := range 2000 {
		ended := noon().Add(-5*time.Minute - time.Duration(n)*time.Second)
		status := []models.Status{models.StatusFailed, models.StatusFinished}[n%2]
		noise = append(noise, incident.Operation{
			Operation: &models.Operation{Status: status, CreatedAt: ended, UpdatedAt: ended}, Region: []string{"aws-1", "aws-2"}[n/2%2],
		})
	}
	for want, operations := range map[string][]incident.Operation{
		`"from": null, "until": null`:                                     all,
		`"from": "2026-03-01T11:57:00Z", "until": "2026-03-01T12:00:00Z"`: noise,
	} {
		made := Report{Since: noon().Add(-time.Hour), Until: noon(), Now: noon(), AsOf: noon()}
		text, err := New(made, slices.Values(operations)).JSON()
		if got := strings.Join(strings.Fields(string(text)), " "); !strings.Contains(got, want) || err != nil {
			t.Errorf("no %s in %s, %v", want, got[:min(len(got), 600)], err)
		}
	}
}

// A filter that leaves only failures does not show that most operations fail.
func TestReportOfFilteredOperations(t *testing.T) {
	t.Parallel()
	var all []incident.Operation
	for range 40 {
		all = append(all, incident.Operation{Operation: &models.Operation{Status: models.StatusFailed, CreatedAt: noon(), UpdatedAt: noon()}})
	}
	for _, filtered := range []bool{false, true} {
		made := Report{Since: noon(), Until: noon().Add(time.Minute), Now: noon().Add(time.Minute), AsOf: noon().Add(time.Minute), Filtered: filtered}
		if got := strings.Contains(New(made, slices.Values(all)).Text(false), "Most operations fail: "); got == filtered {
			t.Errorf("filtered %v: most fail %v", filtered, got)
		}
	}
}

// The rows of each table are in the order of the time that they show, and the lists of the JSON in the same order.
func TestReportTablesAreInTheOrderOfTheirTimes(t *testing.T) {
	t.Parallel()
	table := regexp.MustCompile(`(?m)^  (Failed|Began|Finished) \(UTC\).*\n((?:  \d.*\n)+)`)
	id := regexp.MustCompile(`id-\d+`)
	for seed := range uint64(30) {
		all := drawn(seed)
		for i, o := range all {
			o.Action = []models.Action{"start_compute", "create_branch"}[i%2]
		}
		rand.New(rand.NewPCG(seed, 2)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		r := New(Report{Since: noon().Add(-time.Hour), Until: noon(), Now: noon()}, slices.Values(all))
		text := r.Text(false)
		tables, seen := table.FindAllStringSubmatch(text, -1), map[string]bool{}
		var ids []string
		for _, found := range tables {
			seen[found[1]] = true
			var times []string
			for row := range strings.Lines(found[2]) {
				times = append(times, row[2:2+len(time.DateTime)])
			}
			if !slices.IsSorted(times) {
				t.Errorf("seed %d: %q:\n%s", seed, found[1], found[0])
			}
			ids = append(ids, id.FindAllString(found[2], -1)...)
		}
		if len(seen) != 3 {
			t.Fatalf("seed %d: only %v in\n%s", seed, seen, text)
		}
		list, err := r.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if printed := id.FindAllString(string(list), -1); !slices.Equal(printed, ids) {
			t.Errorf("seed %d: the JSON has %v, and the tables have %v", seed, printed, ids)
		}
	}
}

// A failure whose end cannot be read is where it began.
func TestReportOfAnUnknownEnd(t *testing.T) {
	t.Parallel()
	var all []incident.Operation
	at := func(minute int) time.Time { return noon().Add(time.Duration(minute) * time.Minute) }
	for i, c := range []struct{ began, ended int }{{1, 9}, {8, 0}, {2, 7}} {
		o := &models.Operation{ID: fmt.Sprint("id-", i), Status: models.StatusFailed, CreatedAt: at(c.began)}
		if c.ended > 0 {
			o.UpdatedAt = at(c.ended)
		}
		all = append(all, incident.Operation{Operation: o, Project: "shop", Name: "shop"})
	}
	text := New(Report{Since: noon(), Until: noon().Add(time.Hour), Now: noon().Add(time.Hour)}, slices.Values(all)).Text(false)
	if got := regexp.MustCompile(`id-\d`).FindAllString(text, -1); !slices.Equal(got, []string{"id-2", "id-1", "id-0"}) {
		t.Errorf("%v in\n%s", got, text)
	}
}

// What was not read is named, and nothing is claimed of it; without operations, nothing is counted.
func TestReportClaimsWhatWasRead(t *testing.T) {
	t.Parallel()
	until := noon().Add(30 * time.Minute)
	read := Report{Since: noon(), Until: until, Now: until, From: noon().Add(-25 * time.Minute), AsOf: until}
	lacking := read
	lacking.Without, lacking.Unread = "payments and 1 more (403)", []string{"payments", "warehouse"}
	silent := read
	silent.AsOf = noon().Add(time.Minute)
	unclaimed := read
	unclaimed.AsOf = time.Time{}
	for name, c := range map[string]struct {
		report Report
		want   []string
	}{
		"all": {read, []string{
			"0 operations: ", "Nothing failed.", "Of what began from 2026-03-01 11:35:00 to 12:30:00 UTC, nothing is unfinished.",
		}},
		"lacking": {lacking, []string{
			"Of what was read, 0 operations: ", "Nothing that was read failed.", "Nothing that was read finished after it had failed.",
			"Cannot be read: payments, warehouse.",
		}},
		"silent": {silent, []string{
			"Nothing that was read failed.", "Of what began from 2026-03-01 11:35:00 to 12:01:00 UTC, nothing that was read is unfinished.",
		}},
		"nothing claimed": {unclaimed, []string{"Nothing that was read failed.", "No part of this time is known to be complete."}},
	} {
		text := New(c.report, slices.Values([]incident.Operation{})).Text(false)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", name, want, text)
			}
		}
		if strings.Contains(text, "Counts") || strings.Contains(text, "Timeline") {
			t.Errorf("%s: counts\n%s", name, text)
		}
	}
}
