package operations

import (
	"context"
	"errors"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/page"
)

// fallible panics while operations are read.
type fallible struct{ Service }

func (fallible) Operations(context.Context, string, models.PageRequest) (models.OperationPage, error) {
	panic("in a worker")
}

// A panic on one of the goroutines that make requests comes out where the command runs:
// left to itself it would end this test, as it would end the program.
func TestPanicOfAWorkerReachesItsCommand(t *testing.T) {
	t.Parallel()
	p := New(page.NewSession(t.Context(), 1, time.Now), fallible{}, Options{Options: feed.Options{PageSize: 10}})
	work := p.driver.ask([]feed.Request{{Project: "a"}, {Project: "b"}}, p.session.Do)
	defer func() {
		caught, ok := recover().(*page.Panic)
		if !ok || caught.Value != "in a worker" || len(caught.Stack) == 0 {
			t.Error(errors.New("the panic did not come out"), caught)
		}
	}()
	work()
}
