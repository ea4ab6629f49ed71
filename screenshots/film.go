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

// film is what a screen showed over a time, to be seen again and again. One without a length is a picture that does not
// move.
type film struct {
	title  string
	frames []frame // the first is at 0
	length time.Duration
	// still is the time of the frame that is shown to those who want nothing to move, and by what cannot move.
	still time.Duration
}

// frame is the screen from a time on, until the next one.
type frame struct {
	at     time.Duration
	screen termtest.Screen
	// title is of the window, and pressed is what was just pressed.
	title, pressed string
}

// span is a time in which something is seen.
type span struct{ from, to time.Duration }

// scene is the marks that are seen at the same times.
type scene struct {
	spans []span
	marks []mark
}

// draw draws an SVG that moves by itself. Nothing is drawn twice: what is seen over several frames is one thing with
// the times at which it is seen.
func (f film) draw() []byte {
	all := f.scenes()
	return window(f.frames[0].screen, f.title, f.style(all), func(b *bytes.Buffer, l layer) {
		for i, s := range all {
			var group bytes.Buffer
			writeMarks(&group, l, s.marks)
			switch {
			case group.Len() == 0:
			case s.always(f.length):
				b.Write(group.Bytes())
			default:
				still := ""
				if s.seenAt(f.still) {
					still = " still"
				}
				fmt.Fprintf(b, `<g class="m%d%s">`+"\n%s</g>\n", i, still, group.Bytes())
			}
		}
	})
}

// scenes sorts all marks by when they are seen, in the order in which they first are.
func (f film) scenes() []scene {
	var order []mark
	seen := map[mark][]span{}
	for i, fr := range f.frames {
		end := f.length
		if i+1 < len(f.frames) {
			end = f.frames[i+1].at
		}
		for _, m := range draw(fr.screen, fr.title, fr.pressed) {
			spans := seen[m]
			switch last := len(spans) - 1; {
			case last < 0:
				order = append(order, m)
				seen[m] = []span{{fr.at, end}}
			case spans[last].to == fr.at:
				spans[last].to = end
			case spans[last].to < fr.at:
				seen[m] = append(spans, span{fr.at, end})
			}
		}
	}
	var all []scene
	index := map[string]int{}
	for _, m := range order {
		times := fmt.Sprint(seen[m])
		i, ok := index[times]
		if !ok {
			i = len(all)
			index[times] = i
			all = append(all, scene{spans: seen[m]})
		}
		all[i].marks = append(all[i].marks, m)
	}
	return all
}

func (s scene) always(length time.Duration) bool { return s.spans[0] == span{0, length} }

func (s scene) seenAt(t time.Duration) bool {
	return slices.ContainsFunc(s.spans, func(s span) bool { return s.from <= t && t < s.to })
}

// style is the CSS that shows everything at its times, empty for what does not move.
func (f film) style(all []scene) string {
	if f.length == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("g[class]{visibility:hidden}g.still{visibility:visible}\n")
	b.WriteString("@media (prefers-reduced-motion:no-preference){\n")
	// The shorthand would take the names away again.
	fmt.Fprintf(&b, "g[class]{animation-duration:%gs;animation-timing-function:step-end;"+
		"animation-iteration-count:infinite}\n",
		f.length.Seconds())
	for i, s := range all {
		if !s.always(f.length) {
			fmt.Fprintf(&b, ".m%d{animation-name:m%[1]d}@keyframes m%[1]d{%s}\n", i, f.keyframes(s.spans))
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// keyframes are the moments at which something appears and goes. What is not said of the end is as it was before it.
func (f film) keyframes(spans []span) string {
	var b strings.Builder
	share := func(t time.Duration) string {
		percent := strconv.FormatFloat(100*float64(t)/float64(f.length), 'f', 3, 64)
		return strings.TrimSuffix(strings.TrimRight(percent, "0"), ".")
	}
	if spans[0].from > 0 {
		b.WriteString("0%{visibility:hidden}")
	}
	for _, s := range spans {
		fmt.Fprintf(&b, "%s%%{visibility:visible}", share(s.from))
		if s.to < f.length {
			fmt.Fprintf(&b, "%s%%{visibility:hidden}", share(s.to))
		}
	}
	return b.String()
}
