package operations

import (
	"math"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/feed"
	"pgtower/models/query"
	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

const maxWindow = feed.MaxWindow

var windows = []time.Duration{5 * time.Minute, 15 * time.Minute, time.Hour, 6 * time.Hour, maxWindow}

// summary is the line above the rows: what ended in the window, what runs, and what is not shown.
type summary struct {
	extent

	counted  int // the operations of the range that are loaded
	window   time.Duration
	timeline *feed.Timeline
	together *concentration // failures that lie together in a span as long as the window, which has their counts; or nil
	title    string
	end      string                     // the end of the trend: now, paused, then
	arranged bool                       // the rows are filtered or sorted
	told     bool                       // the tabs show for how long the operations are complete
	loading  bool                       // the numbers are announced once, so not yet
	show     func(query string) tea.Cmd // filters by what was clicked
}

// failedIn returns the filter for the failures that are counted in a window.
func failedIn(window time.Duration) string { return "is:failed ended:<" + style.Every(window) }

// nextWindow returns the window after another one.
func nextWindow(window time.Duration) time.Duration {
	return windows[max(0, slices.IndexFunc(windows, func(d time.Duration) bool { return d > window }))]
}

type counted struct {
	n     int
	word  string
	tone  style.Tone
	query string
}

func (w *summary) numbers(now time.Time) []counted {
	ended := w.timeline.Window(now, w.window)
	if w.together != nil {
		ended = w.together.ended()
	}
	return []counted{
		{ended.Failed, "failed", style.Bad, failedIn(w.window)},
		{w.timeline.Unfinished(), "running", style.Active, query.UnfinishedQuery},
		{ended.Finished, "finished", style.Good, ""},
	}
}

// name names the window.
func (w *summary) name(now time.Time) table.Part {
	tone := style.Muted
	if w.markOf(counted{}, now) != "" || w.limited() {
		tone = style.Waiting
	}
	return table.Part{
		Tone: tone, Text: w.counts(style.InUnits(w.window)), Announced: w.counts("Last " + style.DurationWords(w.window)),
	}
}

// titled returns the title, the window and as many counts as fit. The window, what failed and what runs are worth more than the title,
// and than why they may be too low, which they show.
func (w *summary) titled(now time.Time, title []table.Part, room int) []table.Part {
	name := w.name(now)
	parts := w.counting(now, append(title, name), room)
	if len(parts) < len(title)+3 {
		parts = w.counting(now, []table.Part{name}, room)
	}
	for _, text := range w.shorter() {
		if len(parts) < 3 {
			name.Text = text
			parts = w.counting(now, []table.Part{name}, room)
		}
	}
	return parts
}

// shorter are shorter texts for the window: without the reason why projects cannot be read, and without these.
func (w *summary) shorter() []string {
	short := *w
	short.without, _, _ = strings.Cut(w.without, " (")
	window := style.InUnits(w.window)
	return []string{short.counts(window), window + ":"}
}

// parts are as much of the line as fits.
func (w *summary) parts(f page.Frame) []table.Part {
	if !w.stalled.IsZero() {
		f.Now = w.stalled
	}
	room := f.Width
	if f.Accessible {
		room = math.MaxInt
	}
	left := []table.Part{{Tone: style.Strong, Text: style.Cut(w.title, f.Width/2), ScreenOnly: true}}
	var right []table.Part
	const edges = 5
	spare := func() int { return room - edges - width(left) - width(right) }
	peak, read := "", w.timeline.Read() > 0
	if read {
		left = w.titled(f.Now, left, room)
	}
	if n := w.timeline.Untimed(); n > 0 && read && apart+style.Width(withoutTime(n)) <= spare() {
		left = append(left, table.Part{Tone: style.Waiting, Text: withoutTime(n)})
	}
	if read && !f.Accessible {
		if line, _ := w.trend(f, leastBars); width(line) < spare() {
			right = line
		}
	}
	left = append(left, w.older(f, spare()))
	if len(right) > 0 { // as wide as there is room beside all else
		right, peak = w.trend(f, leastBars+max(0, spare()-1))
	}
	if peak != "" && apart+style.Width(peak) <= spare() {
		right = append(right, table.Part{
			Tone: style.Muted, Text: peak, Gap: " · ", Right: true, ScreenOnly: true,
		})
	}
	if !read || w.loading {
		for i := range left {
			left[i].ScreenOnly = true
		}
	}
	return append(left, right...)
}

// withoutTime names the number of operations without a time.
func withoutTime(n int) string { return count(n) + " without a readable time" }

// markOf returns the mark before a count. Operations of projects that are not current still count as running: that number may
// be too low or too high, so it has no mark.
func (w *summary) markOf(c counted, now time.Time) string {
	running := c.query == query.UnfinishedQuery
	switch {
	case running && w.behind():
		return ""
	case !running && w.timeline.Untimed() > 0: // some of these may have ended in the window
		return "≥"
	}
	return w.mark(now, w.window)
}

// counting appends as many counts as fit to the name of the window. A click on one filters by it.
func (w *summary) counting(now time.Time, parts []table.Part, room int) []table.Part {
	gap := " "
	for _, c := range w.numbers(now) {
		part := table.Part{Tone: c.tone, Text: w.markOf(c, now) + count(c.n) + " " + c.word, Gap: gap}
		if c.query != "" {
			part.Run = action.With(w.show, c.query)
		}
		if c.n == 0 {
			part.Tone = style.Muted
		}
		if 1+width(append(parts, part)) > room {
			break
		}
		parts, gap = append(parts, part), ", "
	}
	return parts
}

const apart = 3

// width returns the width of parts of the summary, with the gaps between them.
func width(parts []table.Part) (cells int) {
	for i, part := range parts {
		if i > 0 && part.Text != "" {
			cells += style.Width(part.Gap)
			if part.Gap == "" {
				cells += apart
			}
		}
		cells += style.Width(part.Text)
	}
	return cells
}

// older describes how many operations are shown and how many are not, and for how long they are complete, as much as fits.
// Each is shown where nothing else on the screen shows it.
func (w *summary) older(f page.Frame, room int) table.Part {
	part := table.Part{Tone: style.Muted, ScreenOnly: true}
	complete := ""
	if !w.whole() && !w.told {
		complete = w.completeFor(f.Now)
	}
	texts := []string{complete}
	if n, visible := w.counted, w.timeline.Len(); visible < n && !w.arranged {
		text, older := count(visible)+" shown", " · "+count(n-visible)+" older"
		texts = []string{text + older, text}
		if complete != "" {
			texts = slices.Insert(texts, 0, text+", "+complete+older)
		}
	}
	for _, text := range texts {
		if part.Text == "" && text != "" && w.counted > 0 && apart+style.Width(text) <= room {
			part.Text = text
		}
	}
	return part
}

// leastBars and mostBars are how many whole bars a trend has; one more is cut.
const leastBars, mostBars = 15, 90

// trend draws when operations began in at most limit bars, red where some failed, and dotted where not all are loaded. peak is
// the highest bar.
func (w *summary) trend(f page.Frame, limit int) (line []table.Part, peak string) {
	bar := func(unit time.Duration) bool { return w.window <= unit*time.Duration(min(limit, mostBars)) }
	unit := units[slices.IndexFunc(units, bar)]
	bars, failed := w.timeline.Began(f.Now, w.window, unit), w.timeline.BeganFailed(f.Now, w.window, unit)
	spark := []rune(style.Spark(bars))
	covered := w.back(f.Now)
	if covered < w.window {
		// A bar of a time that is loaded in part would be too low.
		whole := f.Now.Truncate(unit).Sub(f.Now.Add(-covered)) + unit
		for i := range len(bars) - int(max(0, whole)/unit) {
			spark[i] = '┄'
		}
	}
	highest := slices.Max(bars)
	if highest > 0 {
		peak = "peak " + count(highest) + " in " + style.InUnits(unit)
	}
	return []table.Part{
		{Tone: style.Muted, Text: "-" + style.Every(w.window), Right: true, ScreenOnly: true},
		{Text: paintTrend(f.Theme, spark, failed), Gap: " ", Right: true, ScreenOnly: true},
		{Tone: style.Muted, Text: w.end, Gap: " ", Right: true, ScreenOnly: true},
	}, peak
}

// paintTrend colours the bars of a trend: those with failures are red, and underlined without colours.
func paintTrend(th *style.Theme, bars []rune, failed []int) string {
	bad := style.Bad
	if th.Colourless() {
		bad = style.Heading
	}
	var out strings.Builder
	for i := 0; i < len(bars); {
		end := i + 1
		for end < len(bars) && failed[end] > 0 == (failed[i] > 0) {
			end++
		}
		tone := style.Accent
		if failed[i] > 0 {
			tone = bad
		}
		out.WriteString(th.Paint(tone, string(bars[i:end])))
		i = end
	}
	return out.String()
}

// units are the possible durations of a bar of the trend.
var units = []time.Duration{
	10 * time.Second, 20 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute,
	5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour,
	3 * time.Hour, 6 * time.Hour, maxWindow,
}
