package ui_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgtower/internal/play"

	"pgtower/ui/page"
)

// Until the user chooses a row, the top of each result is selected, and afterwards the newest again.
func TestFollowAnotherOrderFromItsTop(t *testing.T) {
	t.Parallel()
	play.Run(t, 160, 45, nil, func(p *play.Program) {
		p.Wait(2 * time.Second)
		for _, keys := range []string{"s enter", "s enter", "u", "u", "f", "f"} {
			p.Press(strings.Fields(keys)...)
			p.Wait(time.Second)
			p.Sees(" 1 / ")
		}
		p.Press("/")
		p.Type("apply")
		p.Press("esc")
		p.Wait(time.Second)
		p.Sees(" 1 / ")
		if row := p.Model.Page(page.Operations).ViewState().Row.ID; row != "" {
			t.Errorf("%q is chosen", row)
		}
	})
}

// All counts are of the same rows: the loaded ones of the range.
func TestFilterCountsWhatIsLoaded(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		p.Wait(2 * time.Second)
		p.Sees(" All " + p.Loaded())
		p.Press("/")
		p.Type("apply")
		p.Press("enter")
		p.Sees(" of "+p.Loaded(), " loaded")
		p.SeesNot("shown")
	})
}

// The sort column is visible on any width.
func TestColumnSortedByStays(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		p.Wait(2 * time.Second)
		p.Command("sort")
		p.Type("endpoint")
		p.Press("enter")
		p.Wait(time.Second)
		p.Press("d")
		p.Sees("ENDPOINT▲", "failures_count")
		p.SeesNot("BRANCH ")
	})
}

// Going back to a row does not scroll if it is visible.
func TestBackDoesNotScroll(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		p.Wait(2 * time.Second)
		p.Press("p", "j", "j")
		p.Command("project storefront")
		p.Wait(2 * time.Second)
		p.Press("[")
		p.Wait(2 * time.Second)
		lines := strings.Split(p.Screen(), "\n")
		if at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, " ▌") }); at < 6 {
			t.Errorf("the third row is now on line %d:\n%s", at, p.Screen())
		}
	})
}

// The countdown to the next try ends with a request.
func TestCountdownNamesARequest(t *testing.T) {
	t.Parallel()
	next := regexp.MustCompile(`next (\d+)s`)
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		p.Wait(3 * time.Second)
		p.Inject("503 of /projects/*/operations")
		p.Wait(6 * time.Second)
		n := p.Counting()
		tries, due := 0, 0
		for range 150 {
			m := next.FindStringSubmatch(p.Screen())
			before := n.Load()
			p.Wait(time.Second)
			if m == nil {
				continue
			}
			left, _ := strconv.Atoi(m[1])
			asked := n.Load() > before
			if left <= 1 {
				due++
			}
			switch {
			case asked && left > 1:
				t.Errorf("asked %d seconds before it was said", left)
			case asked:
				tries, due = tries+1, 0
			case due > 2:
				t.Errorf("not asked when it was said:\n%s", p.Screen())
				due = 0
			}
		}
		if tries < 4 {
			t.Errorf("%d tries in 150 seconds", tries)
		}
	})
}
