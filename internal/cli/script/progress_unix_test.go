//go:build unix

package script

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/creack/pty"

	"pgtower/models/control"
)

// A slow list shows on a terminal how much is loaded, and removes that before the list is written.
func TestListThatIsSlowShowsItsProgress(t *testing.T) {
	t.Parallel()
	master, terminal, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		api := &fleet{ids: strings.Fields("a b c d"), fail: func(string) error {
			time.Sleep(5 * time.Second)
			return nil
		}}
		from, _ := sourceOf(t, control.Connection{API: api})
		from.process.Stderr = terminal
		ctx, cancel := context.WithCancel(t.Context())
		if err := listOperations(ctx, from, Listing{Limit: 100}); err != nil {
			t.Fatal(err)
		}
		cancel()
		time.Sleep(time.Minute) // until what is under way has ended
	})
	_ = terminal.Close()
	shown, _ := io.ReadAll(master) // ends with an error, as the terminal is gone
	const progress = "loading: 0 operations, 4 projects not read yet"
	if got := string(shown); !strings.Contains(got, progress) || !strings.HasSuffix(got, "\r\x1b[K") {
		t.Errorf("%q", got)
	}
}
