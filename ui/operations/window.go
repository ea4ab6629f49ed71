package operations

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/feed"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

const (
	// DefaultWindow is the window that is counted where none was set.
	DefaultWindow = 15 * time.Minute

	minWindow, maxWindow = time.Minute, 24 * time.Hour
)

// windows are the steps of the window.
var windows = []time.Duration{5 * time.Minute, 15 * time.Minute, time.Hour, 6 * time.Hour, maxWindow}

// CheckWindow returns what is wrong with a window, or nil.
func CheckWindow(d time.Duration) error {
	if d < minWindow || d > maxWindow || d%time.Minute != 0 {
		return fmt.Errorf("must be whole minutes between %s and %s, such as 15m", brief(minWindow), brief(maxWindow))
	}
	return nil
}

// window is the time until now in which what ended is counted. What runs is always counted.
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

// next is the next longer step, and after the longest the shortest.
func (w *window) next() time.Duration {
	return windows[max(0, slices.IndexFunc(windows, func(d time.Duration) bool { return d > w.length }))]
}

// set counts another window. A filter for what was counted goes along.
func (w *window) set(length time.Duration) tea.Cmd {
	failed, finished := w.failed(), w.finished()
	w.length = length
	w.session.Notify(style.Muted, "Counting the last "+inUnits(length))
	switch w.table.Query() {
	case failed:
		return w.table.SetQuery(w.failed())
	case finished:
		return w.table.SetQuery(w.finished())
	}
	return nil
}

// counted is what is counted, and the filter for it.
type counted struct {
	n     int
	word  string
	tone  style.Tone
	query string
}

func (w *window) counts(now time.Time) []counted {
	ended := w.timeline().Window(now, w.length)
	return []counted{
		{ended.Failed, "failed", style.Bad, w.failed()},
		{w.poller.Running(), "running", style.Active, unfinishedQuery},
		{ended.Finished, "finished", style.Good, w.finished()},
	}
}

// name names the window, and as much of it as everything is counted of that ended in it (see [feed.MaxRun]): 15 min,
// 9 of 15 min.
func (w *window) name(now time.Time) table.Part {
	e, text, said, tone := w.extent(), inUnits(w.length), "Last "+style.DurationWords(w.length), style.Muted
	known := min(w.length, max(0, e.back(now)-feed.MaxRun))
	if known < w.length {
		said += ", complete for " + table.Plural(int(known/time.Minute), "minute")
		step := time.Minute
		if w.length%time.Hour == 0 && known >= time.Hour {
			step = time.Hour
		}
		part := inUnits(known.Truncate(step))
		if number, unit, _ := strings.Cut(part, " "); strings.HasSuffix(text, " "+unit) {
			part = number
		}
		text = part + " of " + text
	}
	note := e.behind + e.dated
	if known < w.length || note != "" {
		tone = style.Waiting
	}
	return table.Part{Tone: tone, Text: text + note + ":", Said: said + note + ":"}
}
