package script

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/models"
	"pgtower/models/control"
)

// A service that sends a byte a second ends a command after one try, and is told meanwhile.
func TestSlowServiceIsTold(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		takes time.Duration
		kind  models.Kind
		tries int
		told  bool
	}{
		"a byte a second":   {time.Minute, models.KindStalled, 1, true},
		"no headers":        {20 * time.Second, models.KindTimeout, 1, true},
		"failing at once":   {time.Second, models.KindServer, maxTries, false},
		"failing after 11s": {11 * time.Second, models.KindServer, maxTries, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				from, files := sourceOf(t, control.Connection{})
				tries := 0
				_, err := retry(t.Context(), from, maxTries, func(context.Context) (int, error) {
					tries++
					time.Sleep(c.takes)
					return 0, &models.Error{Kind: c.kind}
				})
				synctest.Wait()
				_, said := files.Printed()
				if told := strings.Contains(said, "the service is slow: still waiting"); err == nil || tries != c.tries || told != c.told {
					t.Errorf("%v after %d tries, said %q", err, tries, said)
				}
			})
		})
	}
}
