package operations

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/style"
)

const (
	// DefaultWindow is the window that is counted where none was set.
	DefaultWindow = 15 * time.Minute

	minWindow, maxWindow = time.Minute, 24 * time.Hour
)

// windows are the steps of the window.
func windows() []time.Duration {
	return []time.Duration{5 * time.Minute, 15 * time.Minute, time.Hour, 6 * time.Hour, maxWindow}
}

// CheckWindow says what is wrong with a window, or nothing.
func CheckWindow(d time.Duration) error {
	if d < minWindow || d > maxWindow || d%time.Minute != 0 {
		return fmt.Errorf("must be whole minutes between %s and %s, such as 15m", brief(minWindow), brief(maxWindow))
	}
	return nil
}

// window is the time, ending now, in which is counted what ended. What runs is counted
// whenever it began.
type window struct {
	*state

	length time.Duration
}

const unfinishedQuery, failedQuery = "is:unfinished", "is:failed"

// failed and finished are the filters for what is counted.
func (w *window) failed() string   { return "is:failed ended:<" + brief(w.length) }
func (w *window) finished() string { return "is:finished ended:<" + brief(w.length) }

// brief is a window as the filter and the settings have it: 15m, 6h.
func brief(d time.Duration) string {
	if d%time.Hour == 0 {
		return fmt.Sprintf("%dh", d/time.Hour)
	}
	return fmt.Sprintf("%dm", d/time.Minute)
}

// inUnits is a time as the counts name it: 30 s, 15 min, 6 h.
func inUnits(d time.Duration) string {
	switch {
	case d > 0 && d < time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	case d > 0 && d%time.Hour == 0:
		return fmt.Sprintf("%d h", d/time.Hour)
	}
	return fmt.Sprintf("%d min", d/time.Minute)
}

// argument is another window.
func (w *window) argument(set func(time.Duration) tea.Cmd) *action.Arg {
	return durationArg("1h", windows(), brief, set, func(arg string, d time.Duration) error {
		if err := CheckWindow(d); err != nil {
			return fmt.Errorf("%q: %w", arg, err)
		}
		return nil
	})
}

// durationArg is a time: one of the steps, as they are written, or any other that is in order.
func durationArg(
	example string, steps []time.Duration, write func(time.Duration) string,
	set func(time.Duration) tea.Cmd, check func(arg string, d time.Duration) error,
) *action.Arg {
	words := make([]string, len(steps))
	for i, d := range steps {
		words[i] = write(d)
	}
	return &action.Arg{
		Example:  example,
		Complete: func(typed string) []action.Value { return action.Containing(words, typed) },
		Parse: func(arg string) (func() tea.Cmd, error) {
			d, err := time.ParseDuration(arg)
			if err != nil {
				d = 0 // which is none
			}
			return func() tea.Cmd { return set(d) }, check(arg, d)
		},
	}
}

// next is the next longer step, and after the longest the shortest.
func (w *window) next() time.Duration {
	steps := windows()
	return steps[max(0, slices.IndexFunc(steps, func(d time.Duration) bool { return d > w.length }))]
}

// set counts another window, and returns the filter for it in place of a filter for what was
// counted.
func (w *window) set(length time.Duration, filter string) string {
	failed, finished := w.failed(), w.finished()
	w.length = length
	w.session.Notify(style.Muted, "Counting the last "+inUnits(length))
	switch filter {
	case failed:
		return w.failed()
	case finished:
		return w.finished()
	}
	return filter
}
