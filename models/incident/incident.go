// Package incident finds what failed operations have in common: the same error, action, project, organization or region.
//
// It claims no cause. All that it returns are numbers of operations that were read, and which operations these are.
package incident

import (
	"strings"
	"unicode"

	"pgtower/models"
)

// Operation is an operation and where it is.
type Operation struct {
	*models.Operation

	Project      string // its id
	Name         string // of the project: in errors, it stands for itself only
	Organization string // the id of the owning one, or empty
	Region       string // of the project, or empty if that is unknown
}

// Dimension is what operations of a group have in common.
type Dimension int

// The dimensions, in the order in which the screen offers them.
const (
	Errors Dimension = iota
	Actions
	Projects
	Organizations
	Regions
)

// Dimensions are all dimensions.
func Dimensions() []Dimension { return []Dimension{Errors, Actions, Projects, Organizations, Regions} }

var names = [...]string{"error", "action", "project", "organization", "region"}

// String returns the name of the dimension: error, action, project, organization or region.
func (d Dimension) String() string { return names[d] }

// Of returns the value of an operation: a text that is the same for operations of a group, and an id for projects and
// organizations. It is empty if the operation has none.
func (d Dimension) Of(o Operation) string {
	switch d {
	case Errors:
		return Error(o.Operation, o.Name)
	case Actions:
		return string(o.Action)
	case Projects:
		return o.Project
	case Organizations:
		return o.Organization
	default:
		return o.Region
	}
}

// NoReason stands for the error of a failed operation for which the service gave none.
const NoReason = "no reason given"

// Error returns the error of a failed operation without what differs between operations, or "" if it has not failed.
func Error(o *models.Operation, project string) string {
	switch {
	case !o.Status.Failed():
		return ""
	case o.Error == "":
		return NoReason
	}
	return Signature(o.Error, project)
}

// Blank stands for what a signature leaves out.
const Blank = "…"

// Signature returns an error text without what differs between operations: a word with a digit, such as an id, a number
// or a time, a text in quotes, and these names become [Blank]. Blanks that follow each other are one.
func Signature(text string, names ...string) string {
	for _, name := range names {
		text = blankName(text, name)
	}
	var out []string
	for word := range strings.FieldsSeq(blankQuoted(text)) {
		word = blankWord(word)
		if word == Blank && len(out) > 0 && out[len(out)-1] == Blank {
			continue
		}
		out = append(out, word)
	}
	return strings.ReplaceAll(strings.Join(out, " "), `"`, "'") // a filter can have it in quotes
}

// blankWord replaces a word that has a digit or a blank, except for the punctuation around it.
func blankWord(word string) string {
	inside := strings.TrimFunc(word, punctuation)
	if !strings.ContainsFunc(inside, unicode.IsDigit) && !strings.Contains(inside, Blank) {
		return word
	}
	before, after, _ := strings.Cut(word, inside)
	return before + Blank + after
}

func punctuation(r rune) bool { return strings.ContainsRune("()[]{}<>,;:.!?", r) }

// blankName replaces a name where it is not a part of a longer word.
func blankName(text, name string) string {
	if name == "" {
		return text
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, name)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if inWord(lastOf(b.String())) || inWord(firstOf(after)) {
			b.WriteString(name)
		} else {
			b.WriteString(Blank)
		}
		text = after
	}
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_", r)
}

func firstOf(s string) rune {
	for _, r := range s {
		return r
	}
	return ' '
}

func lastOf(s string) rune {
	last := ' '
	for _, r := range s {
		last = r
	}
	return last
}

// blankQuoted replaces what is in quotes. An apostrophe within a word is none, nor is a quote that nothing closes.
func blankQuoted(text string) string {
	var b strings.Builder
	for text != "" {
		at := strings.IndexAny(text, "\"'`“")
		if at < 0 {
			break
		}
		opening := firstOf(text[at:])
		rest := text[at+len(string(opening)):]
		size := -1
		if !inWord(lastOf(text[:at])) {
			size = strings.IndexRune(rest, closing(opening))
		}
		b.WriteString(text[:at])
		if size < 0 {
			b.WriteRune(opening)
			text = rest
			continue
		}
		b.WriteString(Blank)
		text = rest[size+len(string(closing(opening))):]
	}
	return b.String() + text
}

func closing(quote rune) rune {
	if quote == '“' {
		return '”'
	}
	return quote
}
