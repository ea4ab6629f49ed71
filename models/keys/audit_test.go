package keys

import (
	"slices"
	"testing"
	"time"

	"pgtower/models"
)

func noon() time.Time { return time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC) }

// keyOf returns a key of an organization that was created and last used so long before noon; -1: it never was.
func oldKeyOf(id int64, name string, age, used time.Duration) models.APIKey {
	k := models.APIKey{List: models.ListID{Org: "acme"}, ID: id, Name: name, CreatedAt: noon().Add(-age), AsOf: models.At(noon())}
	if k.LastUsedAt.Known = true; used >= 0 {
		k.LastUsedAt.Value = noon().Add(-used)
	}
	return k
}

func revoked(id int64, state State) map[models.KeyRef]Revocation {
	return map[models.KeyRef]Revocation{{List: models.ListID{Org: "acme"}, ID: id}: {State: state}}
}

func TestFindings(t *testing.T) {
	t.Parallel()
	ofAccount := oldKeyOf(1, "wide", day, 0)
	ofAccount.List.Org = ""
	unread := oldKeyOf(1, "unread", 2*day, 0)
	unread.LastUsedAt = models.Opt[time.Time]{}
	undated := oldKeyOf(1, "undated", 0, 0)
	undated.CreatedAt = time.Time{}
	for name, c := range map[string]struct {
		keys []models.APIKey // the first one is audited
		one  bool            // all keys reach the same
		own  int64
		// revoked are keys that may be revoked.
		revoked map[models.KeyRef]Revocation
		want    []string
	}{
		"in order":                {keys: []models.APIKey{oldKeyOf(1, "ci", 2*day, 0)}},
		"never used":              {keys: []models.APIKey{oldKeyOf(1, "ci", models.KeyNewFor, -1)}, want: []string{"never used"}},
		"new":                     {keys: []models.APIKey{oldKeyOf(1, "ci", models.KeyNewFor-1, -1)}},
		"use unknown":             {keys: []models.APIKey{unread}},
		"idle":                    {keys: []models.APIKey{oldKeyOf(1, "ci", 95*day, 90*day)}, want: []string{"idle 90 days"}},
		"not quite idle":          {keys: []models.APIKey{oldKeyOf(1, "ci", 95*day, 90*day-1)}},
		"old":                     {keys: []models.APIKey{oldKeyOf(1, "ci", 365*day, 0)}, want: []string{"365 days old"}},
		"not quite old":           {keys: []models.APIKey{oldKeyOf(1, "ci", 365*day-1, 0)}},
		"of unknown age":          {keys: []models.APIKey{undated}},
		"old and never used":      {keys: []models.APIKey{oldKeyOf(1, "ci", 400*day, -1)}, want: []string{"never used", "400 days old"}},
		"everything":              {keys: []models.APIKey{ofAccount}, want: []string{"reaches everything"}},
		"everything, as all do":   {keys: []models.APIKey{ofAccount}, one: true},
		"a name twice":            {keys: []models.APIKey{oldKeyOf(1, "ci", 2*day, 0), oldKeyOf(2, "ci", day, 0)}, want: []string{"2 keys of this name"}},
		"a name of another list":  {keys: []models.APIKey{oldKeyOf(1, "wide", 2*day, 0), ofAccount}},
		"being replaced":          {keys: []models.APIKey{oldKeyOf(1, "ci", 99*day, 0), oldKeyOf(2, "ci-20261120", 3*day, 0)}},
		"being replaced too long": {keys: []models.APIKey{oldKeyOf(1, "ci", 99*day, 0), oldKeyOf(2, "ci-20261020", 34*day, 0)}, want: []string{"being replaced for 34 days"}},
		"can go":                  {keys: []models.APIKey{oldKeyOf(1, "ci", 99*day, 2*day), oldKeyOf(2, "ci-20261120", 3*day, 0)}, want: []string{"can go: quiet for 2 days"}},
		"the session's":           {keys: []models.APIKey{oldKeyOf(1, "ci", 99*day, 2*day), oldKeyOf(2, "ci-20261120", 3*day, 0)}, own: 1},
		"revoked": {
			keys:    []models.APIKey{oldKeyOf(1, "ci", 99*day, 2*day), oldKeyOf(2, "ci-20261120", 3*day, 0)},
			revoked: revoked(1, Revoked),
		},
		"the successor is revoked": {
			keys:    []models.APIKey{oldKeyOf(1, "ci", 99*day, 2*day), oldKeyOf(2, "ci-20261120", 3*day, 0)},
			revoked: revoked(2, Revoked),
		},
		"the successor may be revoked": {
			keys:    []models.APIKey{oldKeyOf(1, "ci", 99*day, 2*day), oldKeyOf(2, "ci-20261120", 3*day, 0)},
			revoked: revoked(2, Unknown),
		},
	} {
		acme := models.ListID{Org: "acme"}
		of := func(list models.ListID) *Together {
			other := func(k models.APIKey) bool { return k.List != list }
			return ReadTogether(list, slices.DeleteFunc(slices.Clone(c.keys), other), nil, QuietFor)
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
func TestReplacesWhatIsRemembered(t *testing.T) {
	t.Parallel()
	keys := []models.APIKey{
		oldKeyOf(1, "ci", 99*day, day), oldKeyOf(2, "other", 99*day, day), oldKeyOf(3, "ci-20261120", 3*day, 0), oldKeyOf(4, "ci-20261110", 13*day, 0),
	}
	remembered := Memory{
		Old: keys[1].Ref(), OldCreated: keys[1].CreatedAt, Successor: keys[2].Ref(), Began: noon().Add(-3 * day),
	}
	read := ReadTogether(keys[0].List, keys, []Memory{remembered}, QuietFor)
	pair, _, ok := NewAudit([]*Together{read}, AuditOptions{}).Replaces(&keys[2])
	if !ok || pair.Old.ID != 2 || len(read.Pairs) != 3 {
		t.Errorf("it replaces %+v", pair.Old)
	}
}
