package operations

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/format"
	"pgtower/models/incident"
	"pgtower/ui/page"
)

// What is rounded to a bucket of the histogram may be shorter than the longest operation.
func TestTheLongestOfAGroupIsExact(t *testing.T) {
	t.Parallel()
	for _, longest := range []time.Duration{
		8 * time.Second, 84_761 * time.Millisecond, 87_238 * time.Millisecond, 541 * time.Second,
	} {
		var of []incident.Operation
		for _, took := range []time.Duration{time.Second, longest, 2 * time.Second} {
			of = append(of, incident.Operation{Operation: &models.Operation{
				Action: "create_branch", Status: models.StatusFinished,
				Total: models.Opt[time.Duration]{Value: took, Known: true},
			}})
		}
		label := func(_ incident.Dimension, value string) string { return value }
		all := groupsOf(incident.Actions, slices.Values(of), nil, incident.Span{}, label)
		if len(all) != 1 || all[0].quantile(1) != longest {
			t.Errorf("the longest of %v is %v", longest, all[0].quantile(1))
		}
	}
}

// In the groups, the export has the groups, and never the operations that they cover.
func TestGroupsAreExported(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		failed := b.service.add("a", models.StatusFailed, time.Now())
		failed.Error, failed.UpdatedAt = "no room", failed.CreatedAt.Add(time.Second)
		b.Wait(6 * time.Second)
		b.run("statistics")
		b.Wait(time.Second)
		export := b.groups.page.Export()
		var csv strings.Builder
		if err := export.Print(&csv, format.CSV); err != nil {
			t.Fatal(err)
		}
		header, rest, _ := strings.Cut(csv.String(), "\n")
		if header != "group,failed,last_15m,before,projects,first_failure,last_failure,operations,unfinished,id,median_ms,p95_ms,max_ms" {
			t.Errorf("the fields are %s", header)
		}
		if !strings.HasPrefix(rest, "no room,1,1,") || strings.Count(rest, "\n") != 1 {
			t.Errorf("exported are %q", rest)
		}
		b.run("export")
		b.Opened().Says("Saves the 1 row shown, in this order.")
	}, "a")
}

// Polls that come faster than a count takes do not keep the groups from being counted: what arrived meanwhile is counted next.
func TestGroupsAreCountedHoweverOftenPollsCome(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		b.service.add("a", models.StatusFailed, time.Now())
		b.Wait(6 * time.Second)
		count := b.groups.show(15 * time.Minute)
		if b.groups.refresh() != nil {
			t.Error("another count begins during one")
		}
		delivery, _ := count().(page.Delivery)
		then, _ := delivery.Msg.(page.Result)
		if again := then(); again == nil || !b.groups.counted || !b.groups.counting {
			t.Errorf("counted %t, counted again %t", b.groups.counted, b.groups.counting)
		}
	}, "a")
}
