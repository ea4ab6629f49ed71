package models

import (
	"fmt"
	"slices"
	"strings"
)

// maxName is the longest name that is looked for, in bytes: far longer than those of the service.
const maxName = 1000

// MayName reports whether a text can be the id or the name of a record.
func MayName(text string) bool {
	return text != "" && len(text) <= maxName && strings.TrimSpace(text) == text && Clean(text) == text
}

// ReadsAsID reports whether a text has the form of the service's own ids, such as floral-king-961888. A name can have it, too.
func ReadsAsID(text string) bool {
	last := strings.LastIndexByte(text, '-')
	return last > 0 && last < len(text)-1 && strings.Trim(text[last+1:], digits) == "" && strings.Trim(text, idCharacters) == ""
}

// IsBranchID reports whether a text is the id of a branch for certain, by its form. No name needs to be looked up then.
func IsBranchID(text string) bool {
	return strings.HasPrefix(text, "br-") && strings.Trim(text, idCharacters) == ""
}

// NotOneError is the error of a text that is the id or the name of no record of a list, or the name of several.
type NotOneError struct {
	Kind  string   // of the records, such as project
	Kinds string   // several of them
	Text  string   // the text
	IDs   []string // of the records with this name
	Near  string   // the nearest record, such as billing (floral-king-961888), or empty
}

func (e *NotOneError) Error() string {
	switch {
	case len(e.IDs) > 0:
		return fmt.Sprintf("%d %s have the name %q: %s; use the id", len(e.IDs), e.Kinds, e.Text, strings.Join(e.IDs, ", "))
	case e.Near != "":
		return fmt.Sprintf("no listed %s has the id or the name %q; did you mean %s?", e.Kind, e.Text, e.Near)
	}
	return fmt.Sprintf("no listed %s has the id or the name %q", e.Kind, e.Text)
}

// FindProject returns the project of a list that has a text as its id, or else the only one that has it as its name. The
// error is a [*NotOneError].
func FindProject(list []Project, text string) (Project, error) {
	return findOne(NotOneError{Kind: "project", Kinds: "projects", Text: text}, list, (*Project).names)
}

// FindBranch is [FindProject] for branches.
func FindBranch(list []Branch, text string) (Branch, error) {
	return findOne(NotOneError{Kind: "branch", Kinds: "branches", Text: text}, list, (*Branch).names)
}

func (p *Project) names() (id, name string) { return p.ID, p.Name }
func (b *Branch) names() (id, name string)  { return b.ID, b.Name }

// findOne is [FindProject] for records of a kind. wrong names the kind and the text.
func findOne[T any](wrong NotOneError, list []T, names func(*T) (id, name string)) (found T, err error) {
	text := wrong.Text
	for i := range list {
		id, name := names(&list[i])
		switch {
		case NoID(id):
		case id == text:
			return list[i], nil
		case name == text && !slices.Contains(wrong.IDs, id):
			found, wrong.IDs = list[i], append(wrong.IDs, id)
		}
	}
	if len(wrong.IDs) == 1 {
		return found, nil
	}
	if len(wrong.IDs) == 0 {
		wrong.Near = nearestOf(list, text, names)
	}
	return *new(T), &wrong
}

// nearestOf returns the record whose name or id is nearest to a text, or "".
func nearestOf[T any](list []T, text string, names func(*T) (id, name string)) string {
	var texts []string
	labels := map[string]string{}
	for i := range list {
		id, name := names(&list[i])
		if NoID(id) {
			continue
		}
		label := id
		if name != "" {
			label = name + " (" + id + ")"
			texts, labels[name] = append(texts, name), label
		}
		texts, labels[id] = append(texts, id), label
	}
	return labels[Nearest(text, texts)]
}
