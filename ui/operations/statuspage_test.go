package operations

import (
	"context"
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/status"
)

// pageService is a status page, and how often it was asked.
type pageService struct {
	page  status.Page
	err   error
	times []time.Time
}

func (a *pageService) source() *status.Source {
	return &status.Source{Name: "status.example", Host: "api.status.example", Read: func(context.Context) (status.Page, error) {
		a.times = append(a.times, time.Now())
		return a.page, a.err
	}}
}

// partlyDown is a page on which a part of the service is partly down.
func partlyDown(region string) status.Page {
	opened := time.Now().Add(-time.Minute)
	return status.Page{
		Parts:     []status.Part{{Name: "Database Connectivity", Region: region, Code: status.PartlyDown}},
		Incidents: []status.Incident{{Opened: opened, Regions: []string{region}}},
	}
}

// The status page is asked once a minute while failures lie together, shows its statement about the region, and is not asked
// before or later.
func TestStatusPageIsAskedWhileFailuresLieTogether(t *testing.T) {
	t.Parallel()
	asked := &pageService{}
	onBench(t, Options{Status: asked.source()}, func(b *bench) {
		list := b.scope.list
		for i := range list.Projects {
			list.Projects[i].RegionID = "aws-" + list.Projects[i].ID
		}
		b.Do(b.Update(list))
		b.Wait(2 * time.Minute)
		if len(asked.times) != 0 {
			t.Fatalf("asked at %v while nothing failed", asked.times)
		}
		asked.page = partlyDown("aws-b")
		for range 20 {
			b.service.add("b", models.StatusFailed, time.Now())
		}
		for range 12 {
			b.service.add("c", models.StatusFinished, time.Now())
		}
		b.Wait(130 * time.Second)
		if n := len(asked.times); n != 3 {
			t.Errorf("asked %d times in 130 s: %v", n, asked.times)
		}
		want := "! status.example: aws-b partly down since " + asked.page.Incidents[0].Opened.UTC().Format("15:04") + " (Database Connectivity)"
		if got := drawn(b, 120); !strings.Contains(got, want) || !strings.Contains(got, "B fails: ") {
			t.Errorf("no %q in\n%s", want, got)
		}
		asked.err = &models.Error{Kind: models.KindMalformed}
		b.Wait(time.Minute)
		contains(t, drawn(b, 120), "? status.example: unknown ")
		b.Wait(16 * time.Minute) // the failures have left the spans
		n := len(asked.times)
		b.Wait(5 * time.Minute)
		if got := drawn(b, 120); len(asked.times) != n || strings.Contains(got, "status.example") {
			t.Errorf("asked %d times more, and\n%s", len(asked.times)-n, got)
		}
	}, "a", "b", "c")
}

// The status page is asked while the service does not answer, and shows its statement about all regions. In a pause, that stays.
func TestStatusPageIsAskedWhileTheServiceDoesNotAnswer(t *testing.T) {
	t.Parallel()
	asked := &pageService{}
	onBench(t, Options{Status: asked.source()}, func(b *bench) {
		asked.page = status.Page{Parts: []status.Part{{Name: "Console API", Code: status.Works}}}
		b.live.reconnect(refusing{b.service, &errTimeout})
		b.Wait(3 * time.Minute)
		if n := len(asked.times); n < 2 || n > 3 {
			t.Errorf("asked %d times in 3 min of silence: %v", n, asked.times)
		}
		contains(t, drawn(b, 120), "status.example: no incident ")
		b.run("pause")
		n := len(asked.times)
		b.Wait(3 * time.Minute)
		if len(asked.times) != n {
			t.Errorf("asked %d times during a pause", len(asked.times)-n)
		}
		contains(t, drawn(b, 120), "status.example: no incident as of ")
		b.live.reconnect(b.service)
		b.run("pause")
		b.Wait(30 * time.Second)
		n = len(asked.times)
		b.Wait(3 * time.Minute)
		if got := drawn(b, 120); len(asked.times) != n || strings.Contains(got, "status.example") {
			t.Errorf("once it answers, asked %d times more, and\n%s", len(asked.times)-n, got)
		}
	}, "a", "b")
}
