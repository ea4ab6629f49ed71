package ui

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgtower/ui/page"
)

// Until the user chooses a row, the top of each result is selected, and afterwards the newest again.
func TestAnotherOrderIsSeenFromItsTop(t *testing.T) {
	t.Parallel()
	play(t, 160, 45, nil, func(p *program) {
		p.Wait(2 * time.Second)
		for _, keys := range []string{"s enter", "s enter", "u", "u", "f", "f"} {
			p.Press(strings.Fields(keys)...)
			p.Wait(time.Second)
			p.sees(" 1 / ")
		}
		p.Press("/")
		p.Type("apply")
		p.Press("esc")
		p.Wait(time.Second)
		p.sees(" 1 / ")
		if row := p.model.session.pages.all[page.Operations].ViewState().Row.ID; row != "" {
			t.Errorf("%q is chosen", row)
		}
	})
}

// All counts are of the same rows: the loaded ones of the range.
func TestAFilterCountsWhatIsLoaded(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Wait(2 * time.Second)
		p.sees(" All " + p.loaded())
		p.Press("/")
		p.Type("apply")
		p.Press("enter")
		p.sees(" of "+p.loaded(), " loaded")
		p.seesNot("shown")
	})
}

// The sort column is visible on any width.
func TestTheSortedColumnStays(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Wait(2 * time.Second)
		p.command("sort")
		p.Type("endpoint")
		p.Press("enter")
		p.Wait(time.Second)
		p.Press("d")
		p.sees("ENDPOINT▲", "failures_count")
		p.seesNot("BRANCH ")
	})
}

// Going back to a row does not scroll if it is visible.
func TestComingBackDoesNotScroll(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Wait(2 * time.Second)
		p.Press("p", "j", "j")
		p.command("project storefront")
		p.Wait(2 * time.Second)
		p.Press("[")
		p.Wait(2 * time.Second)
		lines := strings.Split(p.screen(), "\n")
		if at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, " ▌") }); at < 6 {
			t.Errorf("the third row is now on line %d:\n%s", at, p.screen())
		}
	})
}

// The countdown to the next try ends with a request.
func TestTheCountdownNamesARequest(t *testing.T) {
	t.Parallel()
	next := regexp.MustCompile(`next (\d+)s`)
	play(t, 120, 36, nil, func(p *program) {
		p.Wait(3 * time.Second)
		p.inject("503 of /projects/*/operations")
		p.Wait(6 * time.Second)
		n := counting(p)
		tries, due := 0, 0
		for range 150 {
			m := next.FindStringSubmatch(p.screen())
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
				t.Errorf("not asked when it was said:\n%s", p.screen())
				due = 0
			}
		}
		if tries < 4 {
			t.Errorf("%d tries in 150 seconds", tries)
		}
	})
}
