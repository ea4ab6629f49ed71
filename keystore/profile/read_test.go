package profile

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A pipe without a writer blocks until there is one.
func TestReadingThatNeverEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begins := make(chan bool)
		began := time.Now()
		_, err := within(readWait, func() (bool, error) { return <-begins, nil })
		if err == nil || !strings.Contains(err.Error(), "within 10s") || time.Since(began) != readWait {
			t.Errorf("%v, after %s", err, time.Since(began))
		}
		close(begins)
	})
}
