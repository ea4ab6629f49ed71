package operations_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgtower/internal/play"

	tea "charm.land/bubbletea/v2"
)

// The timeline looks as recorded, in every size.
func TestScreensOfTheTimeline(t *testing.T) {
	t.Parallel()
	for _, s := range append(play.Sizes(), play.At(200, 60)) {
		play.Loaded(t, s.W, s.H, nil, func(p *play.Program) {
			p.Press("t", ")", ")")
			p.Golden("timeline-" + s.String())
		})
	}
}

// The timeline of the counted window counts what the line above the list counts, at every width.
func TestTimelineCountsTheWindow(t *testing.T) {
	t.Parallel()
	numbers := func(screen string, words ...string) (out []int) {
		for _, word := range words {
			n := 0
			if m := regexp.MustCompile(`(\d+) ` + word).FindStringSubmatch(screen); m != nil {
				n, _ = strconv.Atoi(m[1])
			}
			out = append(out, n)
		}
		return out
	}
	for _, width := range []int{80, 120, 200} {
		play.Run(t, width, 36, play.InBusiest, func(p *play.Program) {
			for range 12 {
				p.Wait(7 * time.Second)
				p.Press("g") // the time on the screen is that of the last key or answer
				list := numbers(p.Screen(), "failed", "running", "finished")
				p.Press("t")
				line := numbers(p.Screen(), "failed", "running", "operations")
				if all := list[0] + list[1] + list[2]; line[0] != list[0] || line[1] != list[1] || line[2] != all {
					t.Fatalf("%d cells: the line counts %v, %d in all:\n%s", width, list, all, p.Screen())
				}
				p.Press("t")
			}
		})
	}
}

// The wheel moves and zooms the timeline, a click selects, and a drag pans.
func TestTimelineWithTheMouse(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 120, 36, nil, func(p *play.Program) {
		p.Press("t")
		p.Sees("15 min UTC", "now")
		wheel := tea.MouseWheelMsg{X: 60, Y: 10, Button: tea.MouseWheelUp, Mod: tea.ModCtrl}
		p.Send(wheel)
		p.Sees("10 min UTC")
		wheel.Button = tea.MouseWheelDown
		p.Send(wheel)
		p.Sees("15 min UTC")
		p.Send(tea.MouseClickMsg{X: 60, Y: 20, Button: tea.MouseLeft})
		for x := range 30 {
			p.Send(tea.MouseMotionMsg{X: 60 + x, Y: 20, Button: tea.MouseLeft})
		}
		p.SeesNot(" now")
		p.Press("g")
		p.Sees(" now")
		p.ClickOn("storefront")
		p.Sees(" now") // a name is not an operation
	})
}

// A selected operation out of view is marked, and a step selects one in view.
func TestTimelineOfASelectionThatIsNotInView(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		drag := func(cells int) {
			p.Send(tea.MouseClickMsg{X: 10, Y: 20, Button: tea.MouseLeft}) // the name of a lane is no operation
			p.Send(tea.MouseMotionMsg{X: 10 + cells, Y: 20, Button: tea.MouseLeft})
		}
		p.Wait(2 * time.Second)
		p.Press("t", "left")
		p.SeesNot("not in view")
		drag(+130)
		p.Sees("▸ not in view: ✓ finished")
		p.Press("left")
		p.SeesNot("not in view", " now")
		drag(-130)
		p.Sees("◂ not in view: ", " now")
		p.Press("down")
		p.SeesNot("not in view")
		p.Sees(" now")
		drag(+130)
		p.Press("t", "t")
		p.SeesNot("not in view")
	})
}

// On the smallest screen the lanes take precedence over the axis.
func TestTimelineOfAFilterOnASmallScreen(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 40, 6, nil, func(p *play.Program) {
		p.Press("t", "(", "(", "(", "(", "f")
		p.Sees("▌✗ storefront", "✗ failed", "/ is:failed")
	})
}

// Enter shows the selected operation also where it is part of a strip.
func TestTimelineEnterInAStrip(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 120, 36, nil, func(p *play.Program) {
		p.Press("t", "(", "(", "(", "(", "enter")
		p.Sees("failures_count", " ↵ JSON ")
	})
}

// While the timeline does not follow, the screen stays and new operations are counted.
func TestTimelineHoldsStill(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 120, 36, nil, func(p *play.Program) {
		p.Press("t", "left", "left", "left")
		lanes := func() string {
			_, body, _ := strings.Cut(p.Screen(), "15 min UTC")
			body, _, _ = strings.Cut(body, "quiet")
			return body
		}
		before := lanes()
		p.Wait(20 * time.Second)
		p.Sees("new", "g: newest")
		if after := lanes(); firstNames(after) != firstNames(before) {
			t.Errorf("the lanes moved:\n%s\n%s", before, after)
		}
		p.Press("g")
		p.SeesNot("g: newest")
	})
}

// firstNames returns the lanes of a timeline in order.
func firstNames(body string) (names string) {
	for line := range strings.Lines(body) {
		if fields := strings.Fields(strings.Trim(line, "▌✗◐ ")); len(fields) > 0 && len(line) > 1 {
			names += fields[0] + " "
		}
	}
	return names
}

// The time since the last answer is unknown: it is hatched, and no bar reaches into it.
func TestTimelineOfAServiceThatIsSilent(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 120, 36, nil, func(p *play.Program) {
		p.Press("t", ")", ")")
		p.SeesNot("╱")
		p.Down = true
		p.Wait(2 * time.Minute)
		p.Sees("offline", "╱╱╱╱╱╱")
		p.Down = false
		p.Press("r")
		p.Wait(10 * time.Second)
		p.SeesNot("╱")
	})
}

// The lanes are by project, branch, endpoint or action, as the user chooses.
func TestTimelineLanes(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 120, 36, nil, func(p *play.Program) {
		p.Press("t")
		for by, lane := range map[string]string{"project": "storefront", "branch": "br-", "endpoint": "ep-", "action": "Start compute"} {
			p.Press("T")
			p.Enter("for each " + by)
			p.SeesNot("Lanes")
			if !regexp.MustCompile(`(?m)^[ ▌][ ✗] ` + lane).MatchString(p.Screen()) {
				t.Errorf("no lane begins with %s:\n%s", lane, p.Screen())
			}
		}
	})
}

// While it follows, no lane changes its place or its form; new ones come last. The key for the top orders them again.
func TestTimelineKeepsStill(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 120, 40, nil, func(p *play.Program) {
		lanes := func() (names []string) {
			for _, line := range strings.Split(p.Screen(), "\n")[4:] {
				label := []rune(line + strings.Repeat(" ", 24))[2:20]
				name := strings.Fields(string(label))
				if len(name) > 0 && strings.Contains(line, "┊") {
					names = append(names, name[0])
				} else {
					names = append(names, "")
				}
			}
			return names[:slices.Index(append(names, "quiet"), "quiet")]
		}
		p.Press("t")
		p.Wait(time.Second)
		first := lanes()
		for range 24 {
			p.Wait(5 * time.Second)
			now := lanes()
			for i, name := range first {
				if name != "" && !strings.ContainsAny(name, "0123456789") && (i >= len(now) || now[i] != name) {
					t.Fatalf("line %d is of %q, and was of %q:\n%s", i, now[i], name, p.Screen())
				}
			}
		}
		p.Press("g")
		if p.Sees("g: order again"); len(lanes()) == 0 {
			t.Error("no lanes")
		}
	})
}

// In the groups, the key of the timeline shows that of the selected group.
func TestTimelineOfAGroup(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 120, 36, nil, func(p *play.Program) {
		p.Press("v")
		p.Wait(time.Second)
		p.Sees("ERROR")
		p.Press("t")
		p.Wait(time.Second)
		p.Sees("at once", "/ error_group:", "3 operations, 3 failed")
		p.Press("t")
		p.Sees("STATUS")
	})
}
