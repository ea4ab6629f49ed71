package keys

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"pgtower/models"

	"pgregory.net/rapid"
)

// lossy is a service that carries out changes or not, and answers or not.
type lossy struct {
	t    *rapid.T
	keys []string // the names of the keys that were created
	ids  []string // of the requests
}

func (s *lossy) CreateAPIKey(ctx context.Context, name string, _ models.Reach) (models.CreatedAPIKey, error) {
	s.ids = append(s.ids, models.RequestIDOf(ctx))
	err := []error{
		nil, &models.Error{Kind: models.KindTimeout}, failed(403, models.APIBody), &models.Error{Kind: models.KindServer},
	}[rapid.IntRange(0, 3).Draw(s.t, "answer")]
	if err == nil || !Refused(err) && rapid.Bool().Draw(s.t, "carried out") {
		s.keys = append(s.keys, name)
	}
	return models.CreatedAPIKey{ID: int64(len(s.keys))}, err
}

func (s *lossy) RevokeAPIKey(context.Context, models.APIKey) (models.APIKey, error) {
	return models.APIKey{}, nil
}

// full is a journal on a disk that is sometimes full.
type full struct {
	t       *rapid.T
	records []Record
}

func (j *full) Check() error { return nil }

func (j *full) Open() ([]Record, error) { return nil, nil }

func (j *full) Write(r Record) error {
	if rapid.IntRange(0, 4).Draw(j.t, "room") == 0 {
		return errors.New("disk full")
	}
	j.records = append(j.records, r)
	return nil
}

// The journal has every key that was created, whatever was answered, and says of none of them that it was not created.
func TestJournalHasEveryCreatedKey(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		service, journal := &lossy{t: t}, &full{t: t}
		for i := range rapid.IntRange(1, 8).Draw(t, "changes") {
			name := string(rune('a' + i))
			p := Performer{Service: service, Journal: journal, Store: &Volatile{}, Clock: time.Now}
			f := p.Perform(t.Context(), p.Begin(Change{Key: models.APIKey{Name: name}}))
			if _, unrecorded := errors.AsType[*ErrJournal](f.Err); unrecorded && !Refused(f.Err) {
				t.Fatal("what was not requested may have been done")
			}
		}
		for _, name := range service.keys {
			known := func(r Record) bool { return r.Name == name && r.Outcome != Failed }
			denied := func(r Record) bool { return r.Name == name && r.Outcome == Failed }
			if !slices.ContainsFunc(journal.records, known) || slices.ContainsFunc(journal.records, denied) {
				t.Fatalf("%s was created, and the journal has %+v", name, journal.records)
			}
		}
		for _, r := range journal.records {
			if r.RequestID == "" || r.Outcome != Trying && !slices.Contains(service.ids, r.RequestID) {
				t.Fatalf("the service did not get the request id of %+v", r)
			}
		}
	})
}

// A change has one record: its outcome, or that it is unknown.
func TestJournalJoinsRecords(t *testing.T) {
	t.Parallel()
	records := []Record{
		{RequestID: "1", Outcome: Trying},
		{RequestID: "2", Outcome: Trying},
		{RequestID: "1", Outcome: Undecided},
		{RequestID: "1", Outcome: Done, ID: 7},
	}
	all := Joined(records)
	if len(all) != 2 || all[0].Outcome != Done || all[1].Outcome != Undecided {
		t.Errorf("%+v", all)
	}
	if f := all[0].Fields(); f["id"] != int64(7) || f["replaces"] != nil || f["outcome"] != Done {
		t.Errorf("%v", f)
	}
}
