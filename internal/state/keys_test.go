package state

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/keys"
)

// What is remembered of keys is read as it was written, and that of other services stays.
func TestKeysAreReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	f := fileIn(t)
	at := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	list := models.ListID{Org: "acme"}
	m := keys.Memory{
		Salt: "salt",
		Made: []keys.Made{{
			Key: models.KeyRef{List: list, ID: 2}, Created: at, Print: "0123456789abcdef", First: at, Took: 1500 * time.Millisecond,
			Until: at, Handover: keys.Handover{Stage: keys.Handing, To: keys.ToCommand}, Own: true, Moved: at,
		}, {Key: models.KeyRef{ID: 2}, Took: keys.Killed}},
		Rotations: []keys.Rotation{{
			Old: models.KeyRef{List: list, ID: 1}, New: models.KeyRef{List: list, ID: 2}, OldCreated: at, Began: at,
			Quiet: 8 * 24 * time.Hour,
		}},
	}
	f.change(t, func(s *State) { s.Remember("b", &m); s.Remember("a", &m) })
	f.change(t, func(s *State) { s.Remember("b", &keys.Memory{Salt: "salt"}) })
	s, err := f.Read()
	if got := s.Remembered("a"); err != nil || !reflect.DeepEqual(got, m) {
		t.Errorf("%+v, %v", got, err)
	}
	if got := s.Remembered("b"); len(got.Made)+len(got.Rotations) > 0 {
		t.Errorf("%+v", got)
	}
}

// The oldest keys make room.
func TestKeysMakeRoom(t *testing.T) {
	t.Parallel()
	var s State
	var m keys.Memory
	for i := range int64(2 * maxMade) {
		m.Made = append(m.Made, keys.Made{Key: models.KeyRef{ID: i + 1}})
		m.Rotations = append(m.Rotations, keys.Rotation{Old: models.KeyRef{ID: i + 1}})
	}
	s.Remember("a", &m)
	if _, err := s.encode(); err != nil || len(s.Made) != maxMade || s.Made[0].ID != maxMade+1 || len(s.Rotations) != maxRotations {
		t.Errorf("%v, %d keys, %d rotations", err, len(s.Made), len(s.Rotations))
	}
}

// versionOne is a file as the last release wrote it.
const versionOne = `{"version":1,
	"layout":{"pane_width":44},
	"views":[{"name":"mine","filter":"is:failed"}],
	"pins":{"work":["calm-lake-1"]},
	"key_lists":{"work@host":{"id":9,"org_id":"acme"}},
	"rotations":[
		{"host":"host","old":{"id":1},"old_created":"2026-01-01T00:00:00Z","successor":{"id":2},
			"began":"2026-11-23T12:00:00Z","quiet_for":"192h0m0s","mark":"2026-11-23T12:00:07Z"},
		{"host":"host","old":{"id":3},"old_created":"2026-01-01T00:00:00Z","successor":{"id":9,"org_id":"acme"},
			"began":"2026-11-23T12:00:00Z","kept":true,"moved":true}]}`

// A file of version 1 loses nothing, and proves nothing that it did not know: which uses of a successor were pgtower's own
// is what lists show from now on.
func TestVersionOneIsRead(t *testing.T) {
	t.Parallel()
	f := fileIn(t)
	f.write(t, versionOne)
	f.change(t, func(*State) {})
	s, err := f.Read()
	if err != nil || s.Version != currentVersion || s.Layout.PaneWidth != 0 || len(s.Views) != 1 || len(s.Pins["work"]) != 1 {
		t.Fatalf("%+v, %v", s, err)
	}
	if doc := f.content(t); strings.Contains(doc, "key_lists") || strings.Contains(doc, "mark") || strings.Contains(doc, "kept") {
		t.Errorf("it still has\n%s", doc)
	}
	m := s.Remembered("host")
	began := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	kept := m.Of(models.KeyRef{List: models.ListID{Org: "acme"}, ID: 9}, time.Time{})
	if len(m.Rotations) != 2 || m.Rotations[0].Quiet != 8*24*time.Hour || m.Rotations[1].Quiet != keys.QuietFor {
		t.Errorf("%+v", m.Rotations)
	}
	if len(m.Made) != 2 || kept == nil || !kept.Own || !kept.Moved.Equal(began) {
		t.Errorf("%+v", m.Made)
	}
	noon := models.At(began.Add(100 * 24 * time.Hour))
	used := func(ago time.Duration) models.Opt[time.Time] {
		return models.Opt[time.Time]{Value: noon.Early.Add(-ago), Known: true}
	}
	listed := []models.APIKey{
		{ID: 1, Name: "ci", AsOf: noon, CreatedAt: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), LastUsedAt: used(99 * 24 * time.Hour)},
		{ID: 2, Name: "next", AsOf: noon, CreatedAt: began, LastUsedAt: used(time.Hour)},
	}
	if got := keys.FindPairs(listed, &m, 0)[0].Phase(models.KeyRef{}); got != keys.Unused {
		t.Errorf("by the first list, phase %d", got)
	}
	m.Learn(listed)
	listed[1].LastUsedAt = used(time.Minute)
	if got := keys.FindPairs(listed, &m, 0)[0].Phase(models.KeyRef{}); got != keys.CanGo {
		t.Errorf("used again later: phase %d", got)
	}
}

// Times of the file are those of JSON.
func TestMadeWithoutTimes(t *testing.T) {
	t.Parallel()
	doc, err := json.Marshal(Made{Host: "h", KeyID: KeyID{ID: 1}, Handed: "nobody"})
	if err != nil || string(doc) != `{"host":"h","id":1,"handed":"nobody"}` {
		t.Errorf("%s, %v", doc, err)
	}
}
