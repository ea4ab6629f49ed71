package operations

import (
	"math"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/feed"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// summary is the line above the rows. It says whose operations these are, what became of those
// of the window, how many began when, and how many are loaded. Where there is no room for all
// of it, the trend gets shorter, and the number loaded and the peak are left out. Its numbers
// are said once, so they wait until every project has been read that can be, and all of the
// window is loaded.
func (w *window) summary(f page.Frame, arranged bool, filter func(query string) tea.Cmd) []table.Part {
	room := f.Width
	if f.Spoken {
		room = math.MaxInt
	}
	left := []table.Part{{Tone: style.Strong, Text: style.Cut(w.title(), f.Width/2), Unsaid: true}}
	var right []table.Part
	fits := func(more int) bool {
		const edges = 5
		return edges+width(left)+width(right)+more <= room
	}
	for _, part := range w.parts(f.Now, filter) {
		if part.Run != nil && 1+width(append(left, part)) > room {
			break
		}
		left = append(left, part)
	}
	peak := ""
	if w.timeline().Read() > 0 && !f.Spoken {
		const most, few = 15, 5
		for _, bars := range []int{most, few} {
			if line, highest := w.trend(f, bars); fits(width(line) + 1) {
				right, peak = line, highest
				break
			}
		}
	}
	left = append(left, w.loaded(f, arranged, fits))
	if peak != "" && fits(apart+style.Width(peak)) {
		right = append(right, table.Part{Tone: style.Muted, Text: peak, Gap: " · ", Right: true, Unsaid: true})
	}
	if w.freshness().State == feed.Loading || w.timeline().Read() == 0 || w.poller.Backfilling(w.session.Now()) {
		for i := range left {
			left[i].Unsaid = true
		}
	}
	return append(left, right...)
}

// apart is how many cells there are between parts of the summary, by default.
const apart = 3

// width is how many cells parts of the summary take, with the gaps between them.
func width(parts []table.Part) (cells int) {
	for i, part := range parts {
		if i > 0 && part.Text != "" {
			if cells += style.Width(part.Gap); part.Gap == "" {
				cells += apart
			}
		}
		cells += style.Width(part.Text)
	}
	return cells
}

// loaded is how many operations are loaded, and for how long they are complete: with all
// that is to be said, or with less. Those that wait for the older pages of other projects
// are not shown, but for a filter or another order they are.
func (w *window) loaded(f page.Frame, arranged bool, fits func(cells int) bool) table.Part {
	n, shown, e := w.timeline().Loaded(), w.timeline().Len(), w.extent()
	said, older, complete := count(n)+" loaded", "", ""
	part := table.Part{Tone: style.Muted, Said: said}
	if shown < n && !arranged {
		said, older = count(shown)+" shown", " · "+count(n-shown)+" older ("+f.Key("older")+")"
	}
	if !e.whole() {
		complete = ", " + e.completeFor(f.Now)
	}
	for _, text := range []string{said + complete + older, said + older, said} {
		if n > 0 && part.Text == "" && fits(apart+style.Width(text)) {
			part.Text = text
		}
	}
	return part
}

// covered is of how much of the window all is counted that ended in it (see [feed.MaxRun]):
// of all of it, or of less.
func (w *window) covered(now time.Time) time.Duration {
	return min(w.length, max(0, w.extent().back(now)-feed.MaxRun))
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

// parts names the window, and counts what ended in it and what runs. A click on a count
// filters by it.
func (w *window) parts(now time.Time, filter func(query string) tea.Cmd) []table.Part {
	if w.timeline().Read() == 0 {
		return nil
	}
	parts, gap := []table.Part{w.name(now)}, " "
	for _, c := range w.counts(now) {
		tone := c.tone
		if c.n == 0 {
			tone = style.Muted
		}
		parts = append(parts, table.Part{
			Tone: tone, Text: count(c.n) + " " + c.word, Gap: gap, Run: func() tea.Cmd { return filter(c.query) },
		})
		gap = ", "
	}
	return parts
}

// name names the window, and as much of it as is known: 15 min, 9 of 15 min.
func (w *window) name(now time.Time) table.Part {
	known, except, text := w.covered(now), w.extent().except, inUnits(w.length)
	said, tone := "Last "+style.DurationWords(w.length), style.Muted
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
	if known < w.length || except != "" {
		tone = style.Waiting
	}
	return table.Part{Tone: tone, Text: text + except + ":", Said: said + except + ":"}
}

// trend is how many operations began over the window, at most as many bars between the
// names of its ends, and the highest bar in words. What is not known of the window is dotted.
func (w *window) trend(f page.Frame, most int) (line []table.Part, peak string) {
	end, unit := "now", unitOf(w.length, most)
	if w.paused() {
		end = "paused"
	}
	bars := w.timeline().Began(f.Now, w.length, unit)
	spark := []rune(style.Spark(bars))
	if known := w.extent().back(f.Now); known < w.length {
		// A stretch that is known in part would look as if little had happened in it.
		whole := f.Now.Truncate(unit).Sub(f.Now.Add(-known)) + unit
		for i := range len(bars) - int(max(0, whole)/unit) {
			spark[i] = '┄'
		}
	}
	if highest := slices.Max(bars); highest > 0 {
		peak = "peak " + count(highest) + " in " + inUnits(unit)
	}
	return []table.Part{
		{Tone: style.Muted, Text: "-" + brief(w.length), Right: true, Unsaid: true},
		{Tone: style.Accent, Text: string(spark), Gap: " ", Right: true, Unsaid: true},
		{Tone: style.Muted, Text: end, Gap: " ", Right: true, Unsaid: true},
	}, peak
}

// unitOf is what a bar of the trend stands for, so that a window has no more than so many.
func unitOf(length time.Duration, most int) time.Duration {
	units := []time.Duration{
		10 * time.Second, 20 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute,
		10 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour,
	}
	i := slices.IndexFunc(units, func(unit time.Duration) bool { return length <= unit*time.Duration(most) })
	if i < 0 {
		return maxWindow
	}
	return units[i]
}
