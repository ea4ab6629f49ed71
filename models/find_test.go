package models

import (
	"errors"
	"testing"

	"pgregory.net/rapid"
)

// A text stands for the record with that id, or else for the only one with that name, or else for none.
func TestFindProject(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"a-1", "b-2", "billing", "Billing", "store front", noID + "1"})
		var list []Project
		for range rapid.IntRange(0, 5).Draw(t, "projects") {
			list = append(list, Project{ID: word.Draw(t, "id"), Name: word.Draw(t, "name")})
		}
		text := rapid.SampledFrom([]string{"a-1", "b-2", "billing", "Billing", "store front"}).Draw(t, "text")
		ids, isID := map[string]bool{}, false
		for _, p := range list {
			if NoID(p.ID) {
				continue
			}
			isID = isID || p.ID == text
			if p.Name == text {
				ids[p.ID] = true
			}
		}
		found, err := FindProject(list, text)
		wrong, _ := errors.AsType[*NotOneError](err)
		switch {
		case isID:
			if err != nil || found.ID != text {
				t.Fatalf("%v, %v", found, err)
			}
		case len(ids) == 1:
			if err != nil || !ids[found.ID] || found.Name != text {
				t.Fatalf("%v, %v", found, err)
			}
		case wrong == nil || len(wrong.IDs) != len(ids) || found.ID != "" || len(ids) > 0 && wrong.Near != "":
			t.Fatalf("%v, %v", found, err)
		}
	})
}

// Ids of the service end in a hyphen and digits.
func TestReadsAsID(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"floral-king-961888": true, "p-1": true, "billing": false, "store front-2": false, "-1": false, "a-": false, "": false, "pr-12a": false,
	} {
		if ReadsAsID(text) != want {
			t.Errorf("%q", text)
		}
	}
}

// A name is not empty, and has no space around it and nothing that is not shown.
func TestMayName(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"a": true, "store front": true, "a,b": true, "": false, " a": false, "a\n": false, "a\x1bb": false} {
		if MayName(text) != want {
			t.Errorf("%q", text)
		}
	}
}
