package operations

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/feed"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

const (
	// DefaultWindow is the window that the strip counts where none was set.
	DefaultWindow = 15 * time.Minute

	minWindow, maxWindow = time.Minute, 24 * time.Hour
	// maxBars is how many full stretches of time the trend has at most, and fewBars where
	// there is little room.
	maxBars, fewBars = 15, 5
)

// windows are the steps of the window.
func windows() []time.Duration {
	return []time.Duration{5 * time.Minute, 15 * time.Minute, time.Hour, 6 * time.Hour, maxWindow}
}

// windowWanted asks for another window.
type windowWanted struct{ length time.Duration }

// window is the time that the strip counts, which ends now.
type window struct {
	length time.Duration
	counts []counted // as they were last drawn
}

// counted is a count of the strip at the cells where it stands, and the filter for it.
type counted struct {
	from, to int
	query    string
}

// filters are the filters for what the strip counts. What runs is counted whenever it began.
func (w *window) failed() string   { return "is:failed ended:<" + brief(w.length) }
func (w *window) finished() string { return "is:finished ended:<" + brief(w.length) }

const unfinishedQuery, failedQuery = "is:unfinished", "is:failed"

// brief is a window as the filter and the settings have it: 15m, 6h.
func brief(d time.Duration) string {
	if d%time.Hour == 0 {
		return fmt.Sprintf("%dh", d/time.Hour)
	}
	return fmt.Sprintf("%dm", d/time.Minute)
}

// inUnits is a window as the strip names it: 15 min, 6 h.
func inUnits(d time.Duration) string {
	if d%time.Hour == 0 && d > 0 {
		return fmt.Sprintf("%d h", d/time.Hour)
	}
	return fmt.Sprintf("%d min", d/time.Minute)
}

// CheckWindow says what is wrong with a window, or nothing.
func CheckWindow(d time.Duration) error {
	if d < minWindow || d > maxWindow || d%time.Minute != 0 {
		return fmt.Errorf("must be whole minutes between %s and %s, such as 15m", brief(minWindow), brief(maxWindow))
	}
	return nil
}

// stepWindow turns to the next longer window, and after the longest to the shortest.
func (p *Page) stepWindow() tea.Cmd {
	steps := windows()
	i := slices.IndexFunc(steps, func(d time.Duration) bool { return d > p.window.length })
	return p.setWindow(steps[max(i, 0)])
}

// setWindow counts another window. A filter for what was counted goes along.
func (p *Page) setWindow(length time.Duration) tea.Cmd {
	query, failed, finished := p.table.Query(), p.window.failed(), p.window.finished()
	p.window.length = length
	p.session.Tell(page.Notice{Tone: style.Muted, Text: "Counting the last " + inUnits(length), Here: true})
	cmd := p.poll()
	switch query {
	case failed:
		return tea.Batch(cmd, p.table.SetQuery(p.window.failed()))
	case finished:
		return tea.Batch(cmd, p.table.SetQuery(p.window.finished()))
	}
	return cmd
}

func (p *Page) windowCommand() page.Command {
	return page.Command{
		Name: "window", Title: "change the time that is counted", Arg: "1h",
		Values: func(typed string) []page.Value {
			var words []string
			for _, d := range windows() {
				words = append(words, brief(d))
			}
			return page.Containing(words, typed)
		},
		Run: func(arg string) (tea.Msg, error) {
			d, err := time.ParseDuration(arg)
			if err != nil || CheckWindow(d) != nil {
				return nil, fmt.Errorf("%q: %w", arg, CheckWindow(0))
			}
			return to(windowWanted{d}), nil
		},
	}
}

// clickStrip filters by the count that was clicked, or by nothing if it is the filter.
func (p *Page) clickStrip(x int) tea.Cmd {
	for _, c := range p.window.counts {
		if x >= c.from && x < c.to {
			return p.toggleFilter(c.query)
		}
	}
	return nil
}

// covered is of how much of the window all is counted that ended in it (see [feed.MaxRun]):
// of all of it, or of less.
func (p *Page) covered(now time.Time) time.Duration {
	return min(p.window.length, max(0, p.extent().back(now)-feed.MaxRun))
}

// countedPart is a count in words, with its tone unless there is nothing to count.
type countedPart struct {
	n     int
	word  string
	tone  style.Tone
	query string
}

func (c countedPart) String() string { return count(c.n) + " " + c.word }

func (p *Page) countedParts(now time.Time) []countedPart {
	ended := p.timeline.Window(now, p.window.length)
	return []countedPart{
		{ended.Failed, "failed", style.Bad, p.window.failed()},
		{p.poller.Running(), "running", style.Active, unfinishedQuery},
		{ended.Finished, "finished", style.Good, p.window.finished()},
	}
}

// windowName names the window, and as much of it as is known: 15 min, 9 of 15 min.
func (p *Page) windowName(now time.Time) (name string, complete bool) {
	length, known := p.window.length, p.covered(now)
	name = inUnits(length)
	except := p.extent().except
	if known >= length {
		return name + except, except == ""
	}
	step := time.Minute
	if length%time.Hour == 0 && known >= time.Hour {
		step = time.Hour
	}
	part := inUnits(known.Truncate(step))
	if number, unit, _ := strings.Cut(part, " "); strings.HasSuffix(name, " "+unit) {
		part = number
	}
	return part + " of " + name + except, false
}

// counts draws what the window has, from a column on, as far as there is room.
func (p *Page) counts(f page.Frame, at int) string {
	p.window.counts = p.window.counts[:0]
	if p.timeline.Read() == 0 {
		return ""
	}
	name, complete := p.windowName(f.Now)
	out := f.Theme.Paint(style.Muted, name+":")
	if !complete {
		out = f.Theme.Paint(style.Waiting, name+":")
	}
	separator := " "
	for _, c := range p.countedParts(f.Now) {
		from := at + style.Width(out) + len(separator)
		to := from + style.Width(c.String())
		if to > f.Width {
			break
		}
		if c.n == 0 {
			c.tone = style.Muted
		}
		out += separator + f.Theme.Paint(c.tone, c.String())
		p.window.counts = append(p.window.counts, counted{from, to, c.query})
		separator = ", "
	}
	return out
}

// trend is how many operations began over the window as a line, between the names of its
// ends. What is not known of the window is dotted. peak is the highest bar in words.
func (p *Page) trend(f page.Frame, most int) (line, peak string) {
	if p.timeline.Read() == 0 {
		return "", ""
	}
	length, end := p.window.length, "now"
	if p.paused() {
		end = "paused"
	}
	unit := unitOf(length, most)
	bars := p.timeline.Began(f.Now, length, unit)
	spark := []rune(style.Spark(bars))
	if known := p.extent().back(f.Now); known < length {
		// A stretch that is known in part would look as if little had happened in it.
		whole := f.Now.Truncate(unit).Sub(f.Now.Add(-known)) + unit
		for i := range len(bars) - int(max(0, whole)/unit) {
			spark[i] = '┄'
		}
	}
	if highest := slices.Max(bars); highest > 0 {
		peak = "peak " + count(highest) + " in " + inSteps(unit)
	}
	return f.Theme.Paint(style.Muted, "-"+brief(length)+" ") + f.Theme.Paint(style.Accent, string(spark)) +
		f.Theme.Paint(style.Muted, " "+end), f.Theme.Paint(style.Muted, peak)
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

// inSteps is the unit of the trend in words.
func inSteps(unit time.Duration) string {
	if unit < time.Minute {
		return fmt.Sprintf("%d s", unit/time.Second)
	}
	return inUnits(unit)
}

// spokenCounts says what the strip counts.
func (p *Page) spokenCounts(now time.Time) string {
	parts := p.countedParts(now)
	said := make([]string, len(parts))
	for i, c := range parts {
		said[i] = c.String()
	}
	name := "Last " + style.DurationWords(p.window.length)
	if known := p.covered(now); known < p.window.length {
		name += ", complete for " + table.Plural(int(known/time.Minute), "minute")
	}
	return name + p.extent().except + ": " + strings.Join(said, ", ")
}
