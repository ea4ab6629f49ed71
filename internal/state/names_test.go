package state

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/naming"
)

// Names are found by the same key at the same host.
func TestNamesAreOfOneKey(t *testing.T) {
	t.Parallel()
	f := fileIn(t)
	key, other := models.NewSecret("napi_one"), models.NewSecret("napi_other")
	want := []naming.Kept{
		{Project: "p", ID: "br-1", Name: naming.Name{Name: "main", Default: true, Protected: true}},
		{
			Project: "p", ID: "br-2", Name: naming.Name{Name: "preview/pr-481", Gone: true},
			Lacked: time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC),
		},
		{Project: "p", ID: "ep-1", Compute: true},
	}
	f.change(t, func(s *State) { s.KeepNames("a", key, want[:1]) })
	f.change(t, func(s *State) { s.KeepNames("a", other, want[1:]) })
	f.change(t, func(s *State) { s.KeepNames("a", key, want) })
	s, err := f.Read()
	if err != nil || len(s.Ignored) > 0 {
		t.Fatalf("%v, %q", err, s.Ignored)
	}
	for name, c := range map[string]struct {
		host string
		key  models.Secret
		want []naming.Kept
	}{
		"the same":     {"a", key, want},
		"another key":  {"a", other, want[1:]},
		"no key":       {"a", models.Secret{}, nil},
		"another host": {"b", key, nil},
	} {
		if got := s.NamesOf(c.host, c.key); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// The names of the oldest keys make room, and a name that the state cannot hold is left out.
func TestNamesMakeRoom(t *testing.T) {
	t.Parallel()
	names := func(n int) (names []naming.Kept) {
		for i := range n {
			names = append(names, naming.Kept{Project: "p", ID: fmt.Sprint("br-", i), Name: naming.Name{Name: strings.Repeat("n", 60)}})
		}
		return names
	}
	for each, want := range map[int]int{1: maxAccounts, 500: 2, maxParts + 1: 0} {
		var s State
		for n := range 2 * maxAccounts {
			s.KeepNames(fmt.Sprint("host-", n), models.NewSecret("napi_one"), names(each))
		}
		doc, err := s.encode()
		if err != nil || len(s.Names) != want || len(doc) > maxFile/2 {
			t.Errorf("%d names: %d keys, %d bytes, %v", each, len(s.Names), len(doc), err)
		}
	}
	var s State
	s.KeepNames("a", models.NewSecret("napi_one"), append(
		names(1), naming.Kept{Project: "p", ID: "br-9", Name: naming.Name{Name: "napi_" + strings.Repeat("a1", 30)}},
		naming.Kept{Project: "p", ID: "br-8", Name: naming.Name{Name: "\u001b[31m"}}, naming.Kept{ID: "br-7"},
	))
	if _, err := s.encode(); err != nil || len(s.Names[0].Parts) != 1 {
		t.Errorf("%+v, %v", s.Names, err)
	}
}

// What the program would not have written is ignored and named.
func TestNamesAreChecked(t *testing.T) {
	t.Parallel()
	const part = `{"project_id":"p","id":"br-1","name":"main"}`
	for doc, wrong := range map[string]string{
		`"host":"a","print":"0","parts":[` + part + `]`:                                       "",
		`"print":"0","parts":[` + part + `]`:                                                  "host",
		`"host":"a","parts":[` + part + `]`:                                                   "print",
		`"host":"a","print":"0","parts":[{"project_id":"p","name":"main"}]`:                   "parts",
		`"host":"a","print":"0","parts":[{"id":"br-1","name":"main"}]`:                        "parts",
		`"host":"a","print":"0","parts":[{"project_id":"p","id":"br-1","name":"\u001b[31m"}]`: "parts",
		`"host":"a","print":"0","parts":[` + strings.Repeat(part+",", maxParts) + part + `]`:  "parts",
	} {
		s, err := decode([]byte(`{"version":2,"salt":"s","names":[{` + doc + `}]}`))
		ignored := strings.Join(s.Ignored, "")
		if err != nil || (len(s.Names) == 1) != (wrong == "") || !strings.Contains(ignored, wrong) {
			t.Errorf("%.100s: %v, %q", doc, err, ignored)
		}
	}
}
