package keys

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/models"
)

func noon() time.Time { return time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC) }

// orgKey returns a key of an organization that was created and last used so long before noon; -1: it never was.
func orgKey(id int64, name string, age, used time.Duration) models.APIKey {
	k := models.APIKey{List: models.ListID{Org: "acme"}, ID: id, Name: name, CreatedAt: noon().Add(-age), AsOf: models.At(noon())}
	if k.LastUsedAt.Known = true; used >= 0 {
		k.LastUsedAt.Value = noon().Add(-used)
	}
	return k
}

func revoked(id int64, state State) map[models.KeyRef]Revocation {
	return map[models.KeyRef]Revocation{{List: models.ListID{Org: "acme"}, ID: id}: {State: state}}
}

// Each finding has its condition, and the findings of a key come in their order, the worst first.
func TestFindings(t *testing.T) {
	t.Parallel()
	ofAccount := orgKey(1, "wide", day, 0)
	ofAccount.List.Org = ""
	unread := orgKey(1, "unread", 2*day, 0)
	unread.LastUsedAt = models.Opt[time.Time]{}
	undated := orgKey(1, "undated", 0, 0)
	undated.CreatedAt = time.Time{}
	for name, c := range map[string]struct {
		keys []models.APIKey // the first one is audited
		one  bool            // all keys reach the same
		own  int64
		// memory is as of [remembered], with so long a time since the rotation began.
		memory bool
		since  time.Duration
		// revoked are keys that may be revoked.
		revoked map[models.KeyRef]Revocation
		want    []string
	}{
		"in order":                         {keys: []models.APIKey{orgKey(1, "ci", 2*day, 0)}},
		"never used":                       {keys: []models.APIKey{orgKey(1, "ci", models.KeyNewFor, -1)}, want: []string{"never used"}},
		"new":                              {keys: []models.APIKey{orgKey(1, "ci", models.KeyNewFor-1, -1)}},
		"use unknown":                      {keys: []models.APIKey{unread}, want: []string{"a date could not be read"}},
		"idle":                             {keys: []models.APIKey{orgKey(1, "ci", 95*day, 90*day)}, want: []string{"idle 90 days"}},
		"not quite idle":                   {keys: []models.APIKey{orgKey(1, "ci", 95*day, 90*day-1)}},
		"old":                              {keys: []models.APIKey{orgKey(1, "ci", 365*day, 0)}, want: []string{"365 days old"}},
		"not quite old":                    {keys: []models.APIKey{orgKey(1, "ci", 365*day-1, 0)}},
		"of unknown age":                   {keys: []models.APIKey{undated}, want: []string{"a date could not be read"}},
		"old and never used":               {keys: []models.APIKey{orgKey(1, "ci", 400*day, -1)}, want: []string{"never used", "400 days old"}},
		"everything":                       {keys: []models.APIKey{ofAccount}, want: []string{"reaches everything"}},
		"everything, as all do":            {keys: []models.APIKey{ofAccount}, one: true},
		"a name twice":                     {keys: []models.APIKey{orgKey(1, "ci", 2*day, 0), orgKey(2, "ci", day, 0)}, want: []string{"2 keys of this name"}},
		"a name of another list":           {keys: []models.APIKey{orgKey(1, "wide", 2*day, 0), ofAccount}},
		"being replaced":                   {memory: true, keys: []models.APIKey{orgKey(1, "ci", 99*day, 0), orgKey(2, "next", 3*day, 0)}},
		"being replaced too long":          {memory: true, since: 34 * day, keys: []models.APIKey{orgKey(1, "ci", 99*day, 0), orgKey(2, "next", 34*day, 0)}, want: []string{"being replaced for 34 days"}},
		"can go":                           {memory: true, keys: []models.APIKey{orgKey(1, "ci", 99*day, 2*day), orgKey(2, "next", 3*day, 0)}, want: []string{"can go: quiet 2 days"}},
		"the session's":                    {memory: true, own: 1, keys: []models.APIKey{orgKey(1, "ci", 99*day, 2*day), orgKey(2, "next", 3*day, 0)}},
		"may be replaced":                  {keys: []models.APIKey{orgKey(1, "ci", 99*day, 2*day), orgKey(2, "ci-20261120", 3*day, 0)}, want: []string{"may be replaced by ci-20261120"}},
		"revoked":                          {memory: true, keys: []models.APIKey{orgKey(1, "ci", 99*day, 2*day), orgKey(2, "next", 3*day, 0)}, revoked: revoked(1, Revoked)},
		"may be revoked":                   {memory: true, keys: []models.APIKey{orgKey(1, "ci", 99*day, 2*day), orgKey(2, "next", 3*day, 0)}, revoked: revoked(1, Unknown)},
		"being revoked":                    {memory: true, keys: []models.APIKey{orgKey(1, "ci", 99*day, 2*day), orgKey(2, "next", 3*day, 0)}, revoked: revoked(1, Revoking)},
		"the successor is revoked":         {memory: true, keys: []models.APIKey{orgKey(1, "ci", 99*day, 2*day), orgKey(2, "next", 3*day, 0)}, revoked: revoked(2, Revoked)},
		"the successor may be revoked":     {memory: true, keys: []models.APIKey{orgKey(1, "ci", 99*day, 2*day), orgKey(2, "next", 3*day, 0)}, revoked: revoked(2, Unknown)},
		"its successor by name is revoked": {keys: []models.APIKey{orgKey(1, "ci", 99*day, 2*day), orgKey(2, "ci-20261120", 3*day, 0)}, revoked: revoked(2, Revoked)},
		"verified only":                    {memory: true, keys: []models.APIKey{orgKey(2, "next", 3*day, 3*day-time.Minute)}, want: []string{"never used"}},
		"verified only, long ago":          {memory: true, keys: []models.APIKey{orgKey(2, "next", 100*day, 100*day-time.Minute)}, want: []string{"never used"}},
	} {
		acme := models.ListID{Org: "acme"}
		memory := &Memory{}
		if c.memory {
			memory = remembered([]models.APIKey{c.keys[0], c.keys[len(c.keys)-1]}, day)
			memory.Rotations[0].Began = noon().Add(-max(c.since, 3*day))
		}
		of := func(list models.ListID) *Together {
			other := func(k models.APIKey) bool { return k.List != list }
			return ReadTogether(list, slices.DeleteFunc(slices.Clone(c.keys), other), memory, 0)
		}
		a := NewAudit([]*Together{of(acme), of(models.ListID{})}, AuditOptions{
			Limits: DefaultLimits(), Reaches: !c.one, Own: models.KeyRef{List: acme, ID: c.own}, Revocations: c.revoked,
		})
		var got []string
		found := a.Findings(&c.keys[0], noon())
		for _, f := range found {
			got = append(got, f.Text)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, not %q", name, got, c.want)
		}
		if worst := a.Worst(&c.keys[0], noon()); len(found) > 0 && worst != found[0].Kind || len(found) == 0 && worst <= FoundEverything {
			t.Errorf("%s: the worst is %d", name, worst)
		}
	}
}

// A successor replaces the key that is remembered, also where its name fits another one.
func TestAuditReplacesTheRememberedKey(t *testing.T) {
	t.Parallel()
	keys := []models.APIKey{
		orgKey(1, "ci", 99*day, day), orgKey(2, "other", 99*day, day), orgKey(3, "ci-20261120", 3*day, 0), orgKey(4, "ci-20261110", 13*day, 0),
	}
	memory := remembered(keys[1:3], day)
	read := ReadTogether(keys[0].List, keys, memory, 0)
	pair, _, ok := NewAudit([]*Together{read}, AuditOptions{}).Replaces(&keys[2])
	if !ok || pair.Old.ID != 2 || len(read.Pairs) != 3 {
		t.Errorf("it replaces %+v", pair.Old)
	}
}

// The names of findings are read back, and a wrong one is not repeated: it comes from a file that may have a secret.
func TestKindsOfFindings(t *testing.T) {
	t.Parallel()
	kinds, err := ParseKinds(KindNames())
	if err != nil || !slices.Equal(kinds, Kinds()) {
		t.Errorf("%v, %v", kinds, err)
	}
	if _, err := ParseKinds([]string{"idle", "s3cret"}); err == nil || strings.Contains(err.Error(), "s3cret") {
		t.Error(err)
	}
}
