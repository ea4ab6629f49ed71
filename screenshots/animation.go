package screenshots

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"pgtower/internal/termtest"
)

// animation is a sequence of frames, repeated forever. One of length 0 is a still picture.
type animation struct {
	title  string
	frames []frame // the first is at 0
	length time.Duration
	// poster is the time of the frame that is shown instead of motion.
	poster time.Duration
}

// frame is the screen from a time until the next frame.
type frame struct {
	at     time.Duration
	screen termtest.Screen
	// title is the window's title, and pressed is the last key.
	title, pressed string
}

// interval is a span of time in which something is visible.
type interval struct{ from, to time.Duration }

// group has the marks that are visible at the same times.
type group struct {
	spans []interval
	marks []mark
}

// draw draws an SVG that moves by itself. Nothing is drawn twice: a mark of several frames is one element with the
// times at which it is visible.
func (f animation) draw() []byte {
	groups := f.groups()
	write := func(b *bytes.Buffer, l layer) { f.writeLayer(b, l, groups) }
	return window(f.frames[0].screen, f.title, f.style(groups), write)
}

// writeLayer writes the marks of one layer. Those that are not always visible are in an element with a class.
func (f animation) writeLayer(b *bytes.Buffer, l layer, groups []group) {
	for i, s := range groups {
		var group bytes.Buffer
		writeMarks(&group, l, s.marks)
		switch {
		case group.Len() == 0:
		case s.always(f.length):
			b.Write(group.Bytes())
		default:
			still := ""
			if s.seenAt(f.poster) {
				still = " still"
			}
			fmt.Fprintf(b, `<g class="m%d%s">`+"\n%s</g>\n", i, still, group.Bytes())
		}
	}
}

// groups groups all marks by their times, in the order of their first appearance.
func (f animation) groups() []group {
	var order []mark
	intervals := map[mark][]interval{}
	for i, fr := range f.frames {
		end := f.length
		if i+1 < len(f.frames) {
			end = f.frames[i+1].at
		}
		for _, m := range draw(fr.screen, fr.title, fr.pressed) {
			spans := intervals[m]
			switch last := len(spans) - 1; {
			case last < 0:
				order = append(order, m)
				intervals[m] = []interval{{fr.at, end}}
			case spans[last].to == fr.at:
				spans[last].to = end
			case spans[last].to < fr.at:
				intervals[m] = append(spans, interval{fr.at, end})
			}
		}
	}
	var groups []group
	index := map[string]int{}
	for _, m := range order {
		times := fmt.Sprint(intervals[m])
		i, ok := index[times]
		if !ok {
			i = len(groups)
			index[times] = i
			groups = append(groups, group{spans: intervals[m]})
		}
		groups[i].marks = append(groups[i].marks, m)
	}
	return groups
}

func (s group) always(length time.Duration) bool { return s.spans[0] == interval{0, length} }

func (s group) seenAt(t time.Duration) bool {
	return slices.ContainsFunc(s.spans, func(s interval) bool { return s.from <= t && t < s.to })
}

// style returns the CSS of all times, empty for a still picture.
func (f animation) style(groups []group) string {
	if f.length == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("g[class]{visibility:hidden}g.still{visibility:visible}\n")
	b.WriteString("@media (prefers-reduced-motion:no-preference){\n")
	// The shorthand would remove the names.
	fmt.Fprintf(&b, "g[class]{animation-duration:%gs;animation-timing-function:step-end;"+
		"animation-iteration-count:infinite}\n",
		f.length.Seconds())
	for i, s := range groups {
		if !s.always(f.length) {
			fmt.Fprintf(&b, ".m%d{animation-name:m%[1]d}@keyframes m%[1]d{%s}\n", i, f.keyframes(s.spans))
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// keyframes returns the moments at which something appears and disappears. At the end, the last one still applies.
func (f animation) keyframes(spans []interval) string {
	var b strings.Builder
	if spans[0].from > 0 {
		b.WriteString("0%{visibility:hidden}")
	}
	for _, s := range spans {
		fmt.Fprintf(&b, "%s%%{visibility:visible}", f.percent(s.from))
		if s.to < f.length {
			fmt.Fprintf(&b, "%s%%{visibility:hidden}", f.percent(s.to))
		}
	}
	return b.String()
}

// percent returns a time as a share of the length.
func (f animation) percent(t time.Duration) string {
	text := strconv.FormatFloat(100*float64(t)/float64(f.length), 'f', 3, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
