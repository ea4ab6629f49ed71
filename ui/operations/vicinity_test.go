package operations

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"pgtower/models"
	"pgtower/ui/style"
)

// Below its fields, an operation has the last ones of its endpoint, how long its kind takes, and the failures near it.
func TestVicinity(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		add := func(project string, status models.Status, ago, took time.Duration, endpoint, why string) {
			op := b.service.add(project, status, time.Now().Add(-ago))
			op.Action, op.EndpointID, op.Error = "start_compute", endpoint, why
			op.UpdatedAt = op.CreatedAt.Add(took)
		}
		add("b", models.StatusFailed, 40*time.Second, 10*time.Second, "ep-other", "too far")
		b.Wait(7 * time.Minute)
		for range 6 {
			add("a", models.StatusFinished, 50*time.Second, 2*time.Second, "ep-one", "")
		}
		add("a", models.StatusFailed, 45*time.Second, 30*time.Second, "ep-one", "no room")
		add("b", models.StatusFailed, 40*time.Second, 10*time.Second, "ep-other", "no route")
		add("a", models.StatusFinished, 20*time.Second, 5*time.Second, "ep-one", "")
		b.Wait(10 * time.Second)
		shown := func(id string) string {
			r := b.list.row("a", b.service.find("a", id))
			return ansi.Strip(strings.Join(b.list.display.surroundings(r, time.Now(), &style.Theme{}, 60), "\n"))
		}
		newest := b.service["a"][0].ID
		got := shown(newest)
		contains(t, got,
			"This endpoint  1 of 8 failed", "✗ Start compute", "no room", "Start compute, 7 runs", "↑ this one",
			"Failed within 5 min of it: 2, in 2 projects", "no route",
		)
		if strings.Contains(got, "too far") || strings.Count(got, "✓ Start compute") != besides-1 {
			t.Errorf("%s", got)
		}
		// What comes later is there at once.
		add("b", models.StatusFailed, 0, 0, "ep-other", "again")
		b.Wait(6 * time.Second)
		contains(t, shown(newest), "Failed within 5 min of it: 3")
	}, "a", "b")
}
