package ui_test

import (
	"strconv"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"
)

// TestDamagedAnswersAreShownAndSaidOnce polls a service that deviates from the specification.
func TestDamagedAnswersAreShownAndSaidOnce(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) {
		play.InBusiest(b, o)
		_, err := b.Server.Inject("of /projects/*/operations body=" + strconv.Quote(`{"operations":[
			{"id":"6a8eca9e-c68d-42a5-96c4-eb0090fc87ae","action":"start_compute","status":"finished","failures_count":"many",
			 "created_at":"2000-01-01T00:00:00Z","updated_at":"2000-01-01T00:00:01Z"},
			{"id":"7a8eca9e-c68d-42a5-96c4-eb0090fc87ae","action":"create_branch","status":"finished",
			 "created_at":"1999-12-31T23:59:00Z","updated_at":"1999-12-31T23:59:02Z"}],"pagination":7}`))
		if err != nil {
			t.Error(err)
		}
	}, func(p *play.Program) {
		p.Wait(time.Second)
		p.Sees("⚠ Start compute", "Create branch ", "Some records could not be read in full.", "older operations may be")
		p.Wait(time.Minute)
		p.SeesNot("Some records could not be read in full.")
		p.Press("enter")
		p.Reads("Parts of this record could not be read: failures_count")
	})
}
