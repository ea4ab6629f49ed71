package operations

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/feed"
	"pgtower/ui/action"
	"pgtower/ui/style"
)

// maxLoad is how many operations can be asked for, so that a slip of the finger does not fill the memory.
const maxLoad = 1_000_000

// intervals are the steps of the time between polls.
var intervals = []time.Duration{
	time.Second, 2 * time.Second, 3 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second,
	30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute,
}

// stepInterval makes the time between polls longer or shorter by steps.
func (p *Page) stepInterval(by int) tea.Cmd {
	at, exact := slices.BinarySearch(intervals, p.poller.Interval())
	if !exact && by > 0 {
		at-- // the next longer one is the step that the search ended at
	}
	return p.setInterval(intervals[max(0, min(at+by, len(intervals)-1))])
}

// setInterval changes the time between polls.
func (p *Page) setInterval(interval time.Duration) tea.Cmd {
	p.poller.SetInterval(interval)
	p.rows.known = p.known()
	return p.poll()
}

// setWindow counts another window.
func (p *Page) setWindow(length time.Duration) tea.Cmd {
	return tea.Batch(p.window.set(length), p.poll())
}

// intervalArg is another time between polls.
func (p *Page) intervalArg() *action.Arg {
	least, most := intervals[0], intervals[len(intervals)-1]
	return durationArg("2s", intervals, style.Every, func(arg string, d time.Duration) (func() tea.Cmd, error) {
		if d < least || d > most {
			return nil, fmt.Errorf("%q is not a time between %s and %s", arg, style.Every(least), style.Every(most))
		}
		return func() tea.Cmd { return p.setInterval(d) }, nil
	})
}

// windowArg is another window.
func (p *Page) windowArg() *action.Arg {
	return durationArg("1h", windows, brief, func(arg string, d time.Duration) (func() tea.Cmd, error) {
		if err := CheckWindow(d); err != nil {
			return nil, fmt.Errorf("%q: %w", arg, err)
		}
		return func() tea.Cmd { return p.setWindow(d) }, nil
	})
}

// durationArg is a time: one of the steps, or any other that parse takes. What is no time is 0.
func durationArg(
	example string, steps []time.Duration, write func(time.Duration) string,
	parse func(arg string, d time.Duration) (func() tea.Cmd, error),
) *action.Arg {
	var words []string
	for _, d := range steps {
		words = append(words, write(d))
	}
	return &action.Arg{
		Example:  example,
		Complete: func(typed string) []action.Value { return action.Containing(words, typed) },
		Parse: func(arg string) (func() tea.Cmd, error) {
			d, err := time.ParseDuration(arg)
			if err != nil {
				d = 0
			}
			return parse(arg, d)
		},
	}
}

// loadArg is how many operations are to be loaded.
func (p *Page) loadArg() *action.Arg {
	words := []string{"1000", "10000", "100000"}
	return &action.Arg{
		Example:  "100000",
		Complete: func(typed string) []action.Value { return action.Containing(words, typed) },
		Parse: func(arg string) (func() tea.Cmd, error) {
			n, err := strconv.Atoi(strings.ReplaceAll(arg, ",", ""))
			if err != nil || n < 1 || n > maxLoad {
				return nil, fmt.Errorf("%q is not a number between 1 and %s", arg, count(maxLoad))
			}
			return p.polled(func() { p.history.load(feed.Goal{Count: n}) }), nil
		},
	}
}
