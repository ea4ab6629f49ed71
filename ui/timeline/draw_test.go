package timeline

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"pgtower/models"
	"pgtower/ui/style"
)

// incident returns a failed and retried branch creation, next to a lane with too many operations for bars.
func incident() (all []*models.Operation) {
	add := func(project string, after, took time.Duration, status models.Status, failures int64) {
		op := operation(fmt.Sprint(project, after), project, after, took, status)
		op.FailuresCount = failures
		all = append(all, op)
	}
	add("storefront", -9*time.Minute, 4*time.Minute, models.StatusFinished, 0)
	add("storefront", -8*time.Minute, 3*time.Minute+10*time.Second, models.StatusFailed, 2)
	add("storefront", -4*time.Minute-20*time.Second, 90*time.Second, models.StatusCancelled, 0)
	add("storefront", -100*time.Second, 0, models.StatusRunning, 1)
	add("billing", -6*time.Minute, 5*time.Second, models.StatusFinished, 0)
	add("billing", -3*time.Minute, 75*time.Second, models.StatusFinished, 0)
	add("billing", -30*time.Second, 0, models.StatusScheduling, 0)
	for i := range 90 {
		status := models.StatusFinished
		if i%40 == 20 {
			status = models.StatusFailed
		}
		add("search", -time.Duration(i*i)*100*time.Millisecond-time.Second, time.Second, status, 0)
	}
	add("archive", -3*time.Hour, time.Second, models.StatusFinished, 0)
	return all
}

func drawn(cells, lines, label int, theme *style.Theme) []string {
	cell := 10 * time.Minute / time.Duration(cells)
	to := noon.Truncate(cell).Add(cell)
	view := Spec{Cells: cells, Head: 2, Lines: lines, Cell: cell, To: to, Now: noon, Known: noon.Add(-8*time.Minute - 30*time.Second)}
	return drawnOf(indexOf(incident()), view, label, theme)
}

func drawnOf(x *Index, view Spec, label int, theme *style.Theme) []string {
	signs := map[models.Status]struct {
		sign string
		tone style.Tone
	}{
		models.StatusFinished: {"✓", style.Good}, models.StatusFailed: {"✗", style.Bad}, models.StatusRunning: {"◐", style.Active},
		models.StatusCancelled: {"⊘", style.Muted}, models.StatusScheduling: {"◌", style.Waiting},
	}
	return x.Chart(view).Draw(Style{
		Theme: theme, Label: label, Axis: "10 min UTC", Now: noon, Name: func(id string) string { return id },
		Status: func(t *Task) (string, style.Tone) { s := signs[t.Op.Status]; return s.sign, s.tone },
		Text:   func(t *Task) string { return t.Op.Action.Title() },
	})
}

// Bars, strips, the level and the axis are drawn as recorded here.
func TestDrawing(t *testing.T) {
	t.Parallel()
	plain := style.ChooseTheme(style.Monochrome, true, colorprofile.ASCII)
	got := drawn(66, 9, 16, plain)
	for i := range got {
		got[i] = strings.TrimRight(ansi.Strip(got[i]), " ")
	}
	want := `
   peak       6 ▂╱▂▂╱▂▃▃▃▂▃▃▃▄▄▃▄▄▃▄▄▄▄▄▄▄✗▄▄▄▃▄▄✗▂▂▂▂▃▃▃▃▃▃▃▃▄▃▃▃▃▃▃▃▂▃▃▃▃▃▃✗▄▄▄█
   10 min UTC               11:52         11:54        11:56        11:58      now
 ✗ search    78 ╱╱╱╱╱╱╱╱╱▏  ┊             ┊            ┊            ┊            █
                ╱╱╱╱╱╱╱╱╱▏  ┊             ┊            ┊            ┊           ▁█
                ╱╱╱╱╱╱╱╱╱▏  ┊             ┊            ┊            ┊           ██
                ╱╱╱╱╱╱╱╱╱▏  ┊             ┊            ┊       ▂    ▂  ▂▂ ▂▂▂▂▇▇██
                ▅╱▅▅╱▅▅╱▅▏▅▅┊▅▅ ▅▅ ▅▅▅ ▅▅✗┊▅▅▅ ▅▅▅▅▅▅ ▅▅▅▅▅▅▅▅▅█▅▅▅▅█▅▅██▅███✗████
 ✗ storefront 4 ╱╱╱╱╱╱✓ Create branch                ⊘ Crea… ╌╌     ┊ ◐ Create… ▒▒
                ╱╱╱╱╱╱╱╱╱▏  ✗ Create branch            ┊            ┊            │
 ◐ billing    3 ╱╱╱╱╱╱╱╱╱▏  ┊             ✓            ┊     ✓ Create…        ◌╌╌╌
   1 quiet      ╱╱╱╱╱╱╱╱╱▏  ┊             ┊            ┊            ┊            │
`
	if text := strings.TrimSpace(strings.Join(got, "\n")); text != strings.TrimSpace(want) {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}

// Finished operations are green, and a failure stays red while it is selected.
func TestDrawingFinishedInGreenAndASelectedFailureInRed(t *testing.T) {
	t.Parallel()
	theme := style.ChooseTheme(style.Auto, true, colorprofile.TrueColor)
	view := Spec{Cells: 66, Lines: 10, Cell: 10 * time.Second, To: noon, Now: noon}
	for _, op := range incident() {
		if op.Status == models.StatusFailed && op.ProjectID == "storefront" {
			task, _ := NewTask(op.ProjectID, op)
			view.Selected = &task
		}
	}
	all := strings.Join(drawnOf(indexOf(incident()), view, 16, theme), "\n")
	if !strings.Contains(all, theme.Reversed(style.Bad)+"▸✗ Create branch") {
		t.Errorf("the selected failure is not red in\n%s", all)
	}
	if strings.Contains(all, theme.Open(style.Good)) || strings.Contains(all, theme.Reversed(style.Good)) {
		t.Errorf("there is another green than that of the bars in\n%s", all)
	}
}

// A label counts the quiet lanes only if there is room for all of it.
func TestDrawingLabelOfTheOtherLanes(t *testing.T) {
	t.Parallel()
	for label, want := range map[int]string{16: " ✗ +2 lanes   7 ", 30: " ✗ +2 lanes, 1 quiet        7 "} {
		lines := drawn(66, 2, label, style.ChooseTheme(style.Monochrome, true, colorprofile.ASCII))
		if got := ansi.Strip(lines[3]); !strings.HasPrefix(got, want) {
			t.Errorf("got label %q", got)
		}
	}
}

// Each line fills its width in every theme and every number of colours.
func TestDrawingWholeLinesInEveryTheme(t *testing.T) {
	t.Parallel()
	for _, name := range style.ThemeNames() {
		for _, profile := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256, colorprofile.ANSI, colorprofile.ASCII} {
			for _, cells := range []int{1, 30, 66, 172} {
				for i, line := range drawn(cells, 9, 16, style.ChooseTheme(name, true, profile)) {
					if w := style.Width(line); w != cells+16 {
						t.Errorf("theme %s, profile %s: line %d has %d cells, want %d: %q", name, profile, i, w, cells+16, ansi.Strip(line))
					}
				}
			}
		}
	}
}

// If the selected operation is out of view, its lane marks the side on which it lies.
func TestDrawingASelectionThatIsNotInView(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		at   time.Duration // from noon
		side string
	}{{-5 * time.Minute, ""}, {-20 * time.Minute, "◂"}, {time.Minute, "▸"}} {
		op := operation("it", "storefront", c.at, time.Second, models.StatusFinished)
		x := indexOf(append(incident(), op))
		selected, _ := NewTask("storefront", op)
		v := Spec{Cells: 60, Lines: 9, Cell: 10 * time.Second, To: noon, Now: noon.Add(time.Hour), Selected: &selected}
		if l := x.Chart(v); l.Side() != c.side || l.ShowsSelection() != (c.side == "") {
			t.Errorf("operation at %v: side %q, shown %v", c.at, l.Side(), l.ShowsSelection())
		}
		lines := strings.Join(drawnOf(x, v, 16, style.ChooseTheme(style.Monochrome, true, colorprofile.ASCII)), "\n")
		if !strings.Contains(ansi.Strip(lines), c.side) {
			t.Errorf("operation at %v: no %q in\n%s", c.at, c.side, ansi.Strip(lines))
		}
	}
}

// Zooming in undoes zooming out, between a minute and thirty days.
func TestZoom(t *testing.T) {
	t.Parallel()
	span := time.Minute
	for range 40 {
		next := Zoom(span, false)
		if next != span && Zoom(next, true) != span {
			t.Errorf("zooming into %v gives %v, want %v", next, Zoom(next, true), span)
		}
		span = next
	}
	if span != 30*day || Zoom(time.Minute, true) != time.Minute {
		t.Errorf("the longest and the shortest span are %v and %v", span, Zoom(time.Minute, true))
	}
}

// A lane is said with its operations, failures, times and the last states.
func TestSaying(t *testing.T) {
	t.Parallel()
	view := Spec{Cells: 60, Lines: 9, Cell: 10 * time.Second, To: noon, Now: noon}
	lines := indexOf(incident()).Chart(view).Say(style.Times{}, strings.ToUpper, func(t *Task) string { return string(t.Op.Status) })
	want := []string{
		"78 operations of SEARCH, 2 failed, between 11:50 and 12:00, 4 at the same time: the last are " +
			"finished, finished, finished, finished, finished.",
		"4 operations of STOREFRONT, 1 failed, between 11:51 and 12:00, 2 at the same time: finished, failed, cancelled, running.",
		"3 operations of BILLING between 11:54 and 12:00: finished, finished, scheduling.",
		"1 lane without operations in this time.",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got\n%s", strings.Join(lines, "\n"))
	}
	// The times are those within the view.
	view.Cells, view.To = 18, noon.Add(-5*time.Minute)
	lines = indexOf(incident()).Chart(view).Say(style.Times{}, strings.ToUpper, func(t *Task) string { return string(t.Op.Status) })
	if len(lines) < 2 || !strings.HasPrefix(lines[1], "2 operations of STOREFRONT, 1 failed, between 11:52 and 11:55, ") {
		t.Errorf("got\n%s", strings.Join(lines, "\n"))
	}
}

// Lanes of several projects are hatched after the stalest of them was read, whether they are folded or not.
func TestLanesEndWhereTheStalestProjectWasRead(t *testing.T) {
	t.Parallel()
	s := Spec{Cells: 60, Cell: time.Minute, Now: noon, Lines: 3}
	s.To = s.Now
	_, before := s.known("all")
	s.Complete = s.Now.Add(-10 * time.Minute)
	_, after := s.known("all")
	if _, whole := s.whole(); !before.Equal(s.Now) || !after.Equal(s.Complete) || !whole.Equal(s.Complete) {
		t.Errorf("known until %v, and then %v", before, after)
	}
}
