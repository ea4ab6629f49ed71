// Package announce turns what the program shows into lines of words, for those who hear
// the screen instead of seeing it.
//
// A screen reader reads what is newly printed. So nothing is painted over: pages and dialogs
// describe themselves as a [Description], and a [Speaker] tells when to speak, and what is new in it
// since it last spoke, as one line for each change. The lines are printed above the one line that
// stays, the prompt.
package announce

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Description is all there is to say of what gets the keys now.
type Description struct {
	// ID tells what is described from other things. A new one is introduced as a whole.
	ID any
	// Name says where the user is.
	Name string
	// Text is said only when it is introduced.
	Text []string
	// Parts may change afterwards, News are things that happened.
	Parts []Part
	News  []Event
	// Field is the line of text that is being typed, or nil.
	Field *Field
	// Shown is a secret that is to be seen but must not stay behind: it is never said.
	Shown string
	// Hint says what can be pressed.
	Hint string
	// Over reports that it lies over something else, to which it leads back.
	Over bool
}

// Part is a piece of a description, said when it appears and when it changes.
type Part struct {
	Name, Text string
	// Key is what has to change for the part to be said again: Text if it is empty. It
	// leaves out what changes by itself, such as ages.
	Key string
	// Quiet parts are said only when they appear, and when the user asks.
	Quiet bool
	// Current parts are said again by a key that changed nothing.
	Current bool
}

func (p Part) key() string {
	if p.Key != "" && p.Text != "" {
		return p.Key
	}
	return p.Text
}

// Event is something that happened. Key tells it from others, and Kind is the word by
// which many of them are counted.
type Event struct{ Key, Kind, Text string }

// Field is a line of text that is being typed, with the cursor between its two halves.
type Field struct {
	Label         string
	Before, After string
	// Masked fields keep what is typed to themselves.
	Masked bool
}

func (f *Field) part() Part {
	p := Part{Name: "field", Key: f.Label, Text: "Text field: " + f.Label}
	if typed := f.Before + f.After; typed != "" && !f.Masked {
		p.Text += ", now " + typed
	}
	return p
}

// maxEvents is how many events are said one by one: of more, only how many there were.
const maxEvents = 5

// whole is everything that there is to say. What already happened is past.
func (d *Description) whole() []string {
	lines := append([]string{d.Name}, d.Text...)
	for _, p := range d.Parts {
		lines = append(lines, p.Text)
	}
	return append(lines, d.Hint)
}

func (d *Description) current() (lines []string) {
	for _, p := range d.Parts {
		if p.Current {
			lines = append(lines, p.Text)
		}
	}
	return lines
}

// changes are the parts that are not as they were in before. back has the current ones said as well.
func (d *Description) changes(before *Description, back bool) (lines []string) {
	said := make(map[string]string, len(before.Parts))
	for _, p := range before.Parts {
		said[p.Name] = p.key()
	}
	for _, p := range d.Parts {
		was := said[p.Name]
		if p.Text != "" && (back && p.Current || was == "" || !p.Quiet && was != p.key()) {
			lines = append(lines, p.Text)
		}
	}
	return lines
}

// news are the events that were not there before, or how many of which kind there are.
func (d *Description) news(before *Description) (lines []string) {
	heard := make(map[string]bool, len(before.News))
	for _, e := range before.News {
		heard[e.Key] = true
	}
	kinds := map[string]int{}
	var order []string
	for _, e := range d.News {
		if heard[e.Key] {
			continue
		}
		lines = append(lines, e.Text)
		if kinds[e.Kind]++; kinds[e.Kind] == 1 {
			order = append(order, e.Kind)
		}
	}
	if len(lines) <= maxEvents {
		return lines
	}
	slices.SortStableFunc(order, func(a, b string) int { return kinds[b] - kinds[a] })
	counts := make([]string, len(order))
	for i, kind := range order {
		counts[i] = strconv.Itoa(kinds[kind]) + " " + kind
	}
	return []string{fmt.Sprintf("%d changes: %s.", len(lines), strings.Join(counts, ", "))}
}

// clean makes lines of words of texts, and leaves out the empty ones.
func clean(texts []string) (lines []string) {
	for _, t := range texts {
		for line := range strings.SplitSeq(t, "\n") {
			if line = Plain(line); line != "" {
				lines = append(lines, line)
			}
		}
	}
	return lines
}
