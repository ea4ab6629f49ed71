package table

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/page"
)

// Open details have another tab, which Enter and clicks show. It belongs to its row.
func TestRawTab(t *testing.T) {
	t.Parallel()
	var failure error
	m := newTable(t, numbered(3), func(c *Config[string]) {
		c.Raw = func(row string) func(context.Context) ([]byte, error) {
			return func(context.Context) ([]byte, error) { return []byte(`{"raw":"` + row + `"}`), failure }
		}
	})
	shows := func(want string) {
		t.Helper()
		got := view(m, 60, 20)
		if !strings.Contains(got, want) {
			t.Errorf("%q is not shown:\n%s", want, got)
		}
	}
	answered := func(cmd tea.Cmd) { cmd().(page.Delivery).Msg.(page.Result)() }
	details, _ := action.ByID(m.Actions(), "details")
	press(m, "enter")
	shows("Record of row-0")
	cmd := details.Run()
	shows("Reading")
	answered(cmd)
	shows(`"raw": "row-0"`)
	m.Update(page.Click{X: 60 - len(" Fields  JSON "), Y: 0})
	shows("Record of row-0")
	failure = errors.New("no such operation")
	answered(m.Update(page.Click{X: 60 - 1, Y: 0}))
	shows("no such operation")
	press(m, "down")
	shows("Record of row-1")
}
