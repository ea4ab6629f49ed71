package main

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"pgtower/internal/termtest"
)

// film is what a screen showed over a time, to be seen again and again.
type film struct {
	title  string
	frames []frame // the first is at 0
	length time.Duration
	// still is the time of the frame that is shown to those who want nothing to move, and by
	// what cannot move.
	still time.Duration
}

// frame is the screen from a time on, until the next one.
type frame struct {
	at      time.Duration
	screen  termtest.Screen
	title   string // of the window
	caption string
}

func (f frame) marks() []mark {
	marks := append(draw(f.screen), heading(f.screen, f.title))
	if f.caption != "" {
		marks = append(marks, caption(f.screen, f.caption))
	}
	return marks
}

// span is a time in which something is seen.
type span struct{ from, to time.Duration }

// scenery is the marks that are seen at the same times.
type scenery struct {
	spans []span
	marks []mark
}

// draw draws the film, or the picture that it is where it has no length.
func (f film) draw() []byte {
	if f.length == 0 {
		return drawSVG(f.frames[0].screen, f.frames[0].title)
	}
	return f.animate()
}

// animate draws an SVG that moves by itself. Nothing is drawn twice: what is seen over several
// frames is one thing with the times at which it is seen.
func (f film) animate() []byte {
	all := f.sceneries()
	names := make([]string, len(all))
	for i, s := range all {
		if !s.always(f.length) {
			names[i] = fmt.Sprintf("m%d", i)
		}
	}
	return drawWindow(f.frames[0].screen, f.title, f.style(all, names), func(b *bytes.Buffer, l layer) {
		for i, s := range all {
			marks := in(l, s.marks)
			switch {
			case len(marks) == 0:
			case names[i] == "":
				writeMarks(b, marks)
			default:
				class := names[i]
				if s.seenAt(f.still) {
					class += " still"
				}
				fmt.Fprintf(b, `<g class="%s">`+"\n", class)
				writeMarks(b, marks)
				b.WriteString("</g>\n")
			}
		}
	})
}

// sceneries sorts all marks by when they are seen, in the order in which they first are.
func (f film) sceneries() []scenery {
	var order []mark
	seen := map[mark][]span{}
	for i, fr := range f.frames {
		end := f.length
		if i+1 < len(f.frames) {
			end = f.frames[i+1].at
		}
		for _, m := range fr.marks() {
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
	var all []scenery
	index := map[string]int{}
	for _, m := range order {
		times := fmt.Sprint(seen[m])
		i, ok := index[times]
		if !ok {
			i = len(all)
			index[times] = i
			all = append(all, scenery{spans: seen[m]})
		}
		all[i].marks = append(all[i].marks, m)
	}
	return all
}

func (s scenery) always(length time.Duration) bool { return s.spans[0] == span{0, length} }

func (s scenery) seenAt(t time.Duration) bool {
	return slices.ContainsFunc(s.spans, func(s span) bool { return s.from <= t && t < s.to })
}

// style is the CSS that shows everything at its times.
func (f film) style(all []scenery, names []string) string {
	var b strings.Builder
	b.WriteString("g[class]{visibility:hidden}g.still{visibility:visible}\n")
	b.WriteString("@media (prefers-reduced-motion:no-preference){\n")
	// The shorthand would take the names away again.
	fmt.Fprintf(&b, "g[class]{animation-duration:%gs;animation-timing-function:step-end;animation-iteration-count:infinite}\n", f.length.Seconds())
	for i, name := range names {
		if name == "" {
			continue
		}
		fmt.Fprintf(&b, ".%s{animation-name:%[1]s}@keyframes %[1]s{%s}\n", name, f.keyframes(all[i].spans))
	}
	b.WriteString("}\n")
	return b.String()
}

// keyframes are the moments at which something appears and goes. What is not said of the end is
// as it was before it.
func (f film) keyframes(spans []span) string {
	var b strings.Builder
	if spans[0].from > 0 {
		b.WriteString("0%{visibility:hidden}")
	}
	for _, s := range spans {
		fmt.Fprintf(&b, "%s%%{visibility:visible}", f.share(s.from))
		if s.to < f.length {
			fmt.Fprintf(&b, "%s%%{visibility:hidden}", f.share(s.to))
		}
	}
	return b.String()
}

// share is a moment as a percentage of the length.
func (f film) share(t time.Duration) string {
	percent := big.NewRat(int64(t)*100, int64(f.length)).FloatString(3)
	if strings.Contains(percent, ".") {
		percent = strings.TrimRight(strings.TrimRight(percent, "0"), ".")
	}
	return percent
}
