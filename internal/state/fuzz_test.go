package state

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"pgtower/models"
	"pgtower/models/query"
	"pgtower/models/settings"
)

// Another program, or a damaged disk, may have written anything: it is a state that can be written and read again, or an
// error.
func FuzzState(f *testing.F) {
	full, err := (&State{
		Layout: settings.Layout{Columns: map[string][]string{"operations": {"age"}}}, Views: []query.SavedView{{Name: "a", Filter: "is:failed"}},
		Profiles: map[string]settings.Profile{"work": {BaseURL: "https://x.example", OrgID: "org-a"}}, Keys: map[string]Key{"work": {}},
		Pins: map[string][]string{"work": {"a", "b"}}, Filters: map[string][]string{"operations": {"is:failed"}},
		Names: []Names{{Host: "a", Print: "0", Parts: []Part{{Project: "p", ID: "br-1", Name: "main", Default: true}}}},
	}).encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(full)
	for _, seed := range []string{
		"", "null", "[]", `{"version":1}`, `{"version":2}`, `{"version":-1}`, `{"version":1,"pins":{"":null}}`, `{"version":1,"views":[{}]}`,
		`{"version":1,"filters":{"a":["\ud800","\u0000"]}}`, `{"version":1,"layout":{"pane":null,"pane_width":-9}}`, `{"Version":1,"VERSION":3}`,
		`{"version":1,"profiles":{"a":{"base_url":"napi_s3cret0"}}}`,
		`{"version":1,"layout":{"operations":[]}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		s, err := decode(doc)
		if err != nil {
			if !reflect.DeepEqual(s, State{}) && !errors.Is(err, errNewer) {
				t.Errorf("%q: %v, and %+v", doc, err, s)
			}
			if len(s.Made)+len(s.Rotations) > 0 {
				t.Errorf("%q is %v, and tells of keys", doc, err)
			}
			return
		}
		if models.FindKey(string(doc)) >= 0 {
			t.Errorf("%q has a key", doc)
		}
		s.AddFilter("operations", "is:failed")
		if s.Pin("work", "p", true) != nil {
			return
		}
		written, err := s.encode()
		if err != nil {
			return // there is too much of something
		}
		again, err := decode(written)
		if err != nil {
			t.Fatalf("%q was written as %q: %v", doc, written, err)
		}
		if twice, err := again.encode(); err != nil || !bytes.Equal(written, twice) {
			t.Errorf("%q, then %q, %v", written, twice, err)
		}
		if !json.Valid(written) {
			t.Errorf("%q is no JSON", written)
		}
	})
}
