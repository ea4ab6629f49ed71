package operations

import (
	"math"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/feed"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// summary is the line above the rows. It says whose operations these are, what became of those of the window, how
// many began when, and how many are loaded. Where there is no room for all of it, the trend gets shorter, and the
// number loaded and the peak are left out. Its numbers are said once, so they wait until every project has been read
// that can be, and all of the window is loaded.
func (w *window) summary(f page.Frame) []table.Part {
	if at := w.extent().at; !at.IsZero() {
		f.Now = at // what is known is of that time, and so are its counts
	}
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
	peak, read := "", w.timeline().Read() > 0
	if read {
		left = w.counting(f.Now, left, room)
	}
	if read && !f.Spoken {
		const most, few = 15, 5
		for _, bars := range []int{most, few} {
			if line, highest := w.trend(f, bars); fits(width(line) + 1) {
				right, peak = line, highest
				break
			}
		}
	}
	left = append(left, w.loaded(f, fits))
	if peak != "" && fits(apart+style.Width(peak)) {
		right = append(right, table.Part{Tone: style.Muted, Text: peak, Gap: " · ", Right: true, Unsaid: true})
	}
	if !read || w.freshness().State == feed.Loading || w.poller.Backfilling(w.session.Now()) {
		for i := range left {
			left[i].Unsaid = true
		}
	}
	return append(left, right...)
}

// counting appends the name of the window, and as many counts of what ended in it and what runs as there is room for.
// A click on a count filters by it.
func (w *window) counting(now time.Time, parts []table.Part, room int) []table.Part {
	parts = append(parts, w.name(now))
	gap := " "
	for _, c := range w.counts(now) {
		part := table.Part{
			Tone: c.tone, Text: count(c.n) + " " + c.word, Gap: gap, Run: func() tea.Cmd { return w.toggle(c.query) },
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

// loaded is how many operations are loaded, and for how long they are complete: with all that is to be said, or with
// less. Those that wait for the older pages of other projects are not shown, but for a filter or another order they
// are.
func (w *window) loaded(f page.Frame, fits func(cells int) bool) table.Part {
	n, shown, e := w.timeline().Loaded(), w.timeline().Len(), w.extent()
	said, older, complete := count(n)+" loaded", "", ""
	part := table.Part{Tone: style.Muted, Said: said}
	if shown < n && !w.table.Arranged() {
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

// trend is how many operations began over the window, at most as many bars between the names of its ends, and the
// highest bar in words. What is not known of the window is dotted.
func (w *window) trend(f page.Frame, most int) (line []table.Part, peak string) {
	end, unit := "now", unitOf(w.length, most)
	switch {
	case w.paused():
		end = "paused"
	case !w.extent().at.IsZero():
		end = "then"
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
	for _, unit := range []time.Duration{
		10 * time.Second, 20 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute,
		10 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour,
	} {
		if length <= unit*time.Duration(most) {
			return unit
		}
	}
	return maxWindow
}
