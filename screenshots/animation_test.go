package screenshots

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/internal/termtest"
)

func sample() animation {
	at := func(t time.Duration, caption string, lines ...string) frame {
		return frame{at: t, screen: screenOf(termtest.Cell{}, lines...), title: "pgtower", pressed: caption}
	}
	return animation{
		title: "two lines", length: 4 * time.Second, poster: 1500 * time.Millisecond,
		frames: []frame{
			at(0, "", "one", "───"),
			at(time.Second, "x  change", "two", "───"),
			at(3*time.Second, "", "one", "─ ─"),
		},
	}
}

// At the time of a frame, all of its marks are visible, and no others.
func TestAnimationShowsEveryFrameAtItsTime(t *testing.T) {
	t.Parallel()
	f := sample()
	all := f.groups()
	for _, fr := range f.frames {
		got := map[mark]bool{}
		for _, s := range all {
			if !s.seenAt(fr.at) {
				continue
			}
			for _, m := range s.marks {
				got[m] = true
			}
		}
		want := draw(fr.screen, fr.title, fr.pressed)
		for _, m := range want {
			if !got[m] {
				t.Errorf("at %v %+v is missing", fr.at, m)
			}
			delete(got, m)
		}
		if len(got) > 0 {
			t.Errorf("at %v there are %v besides", fr.at, got)
		}
	}
}

// A mark that several frames share is drawn once.
func TestAnimationDrawsNothingTwice(t *testing.T) {
	t.Parallel()
	seen := map[mark]bool{}
	for _, s := range sample().groups() {
		for _, m := range s.marks {
			if seen[m] {
				t.Errorf("%+v is drawn twice", m)
			}
			seen[m] = true
		}
	}
}

// The animation needs no script, and does not move where users prefer reduced motion.
func TestAnimationMovesByItself(t *testing.T) {
	t.Parallel()
	svg := string(sample().draw())
	for _, want := range []string{
		"{0%{visibility:visible}25%{visibility:hidden}75%{visibility:visible}}",   // one
		"{0%{visibility:hidden}25%{visibility:visible}75%{visibility:hidden}}",    // two
		"{0%{visibility:visible}75%{visibility:hidden}}",                          // the whole line
		"{0%{visibility:hidden}75%{visibility:visible}}",                          // its parts
		"@media (prefers-reduced-motion:no-preference){", "animation-duration:4s", // and nothing with reduced motion
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in\n%s", want, svg)
		}
	}
	checkXML(t, svg)
}

// Without motion, the picture is the frame of the poster.
func TestAnimationPosterIsOneFrame(t *testing.T) {
	t.Parallel()
	f := sample()
	var still []string
	for line := range strings.Lines(string(f.draw())) {
		if strings.HasPrefix(line, "<g class=") && strings.Contains(line, " still") {
			still = append(still, line)
		}
	}
	var want int
	for _, s := range f.groups() {
		if s.always(f.length) || !s.seenAt(f.poster) {
			continue
		}
		for l := fills; l <= headings; l++ {
			if slices.ContainsFunc(s.marks, func(m mark) bool { return m.layer == l }) {
				want++
			}
		}
	}
	if len(still) != want || want == 0 {
		t.Errorf("%d groups are still, want %d: %v", len(still), want, still)
	}
}
