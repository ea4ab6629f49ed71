package sim

import (
	"strings"
	"testing"
	"time"
)

// Anyone who reaches the mock can ask for more than its memory.
func TestWhatIsStartedIsBounded(t *testing.T) {
	t.Parallel()
	p, _ := platform(t, Options{})
	task := Task{ProjectID: p.projects[0].record.ID, Action: strings.Repeat("a", maxAction), Run: time.Hour}
	p.started = maxStarted - 1
	op, err := p.Start(task)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Start(task); err == nil || !strings.Contains(err.Error(), "20000 operations were started") {
		t.Errorf("one more was started: %v", err)
	}
	for n := range maxFailures + 1 {
		_, err := p.Fail(task.ProjectID, op.ID, time.Hour)
		if (err != nil) != (n == maxFailures) {
			t.Errorf("failure %d: %v", n+1, err)
		}
	}
}
