package script

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pgtower/internal/cli/exit"
	"pgtower/models"
	"pgtower/models/keys"
)

// An audit, and a list with that filter, have the keys whose creator is gone. Members that are refused give no finding and are
// reported; nothing is missing of a server without such lists.
func TestAuditTellsWhoseOwnerIsGone(t *testing.T) {
	t.Parallel()
	refused := &models.Error{Kind: models.KindForbidden, Status: 403, Message: "only members"}
	unknown := &models.Error{Kind: models.KindNotFound, Status: 404, Message: "no such path"}
	for name, c := range map[string]struct {
		err          error
		gone, listed string // what is printed
		audit, list  error
		stderr       string
	}{
		"read":    {nil, `"owner-gone"`, "left", exit.ErrSaid, nil, ""},
		"refused": {refused, "", "", exit.ErrIncomplete, refused, "cannot read the members of A (403): only members"},
		"absent":  {unknown, "", "", nil, nil, ""},
	} {
		used := models.Opt[time.Time]{Value: time.Now(), Known: true}
		v := newVault()
		v.keys, v.membersOf = nil, c.err
		for id, user := range map[int64]string{1: "u1", 2: "u2"} {
			v.keys = append(v.keys, models.APIKey{
				List: models.ListID{Org: "org-a"}, ID: id, Name: map[string]string{"u1": "kept", "u2": "left"}[user], CreatedByID: user,
				CreatedAt: time.Now().Add(-48 * time.Hour), LastUsedAt: used,
			})
		}
		v.members = []models.Member{{UserID: "u1", DeactivatedAt: models.Opt[time.Time]{Known: true}}}
		audit := &Options{JSON: true}
		o := v.runWith(t, audit, "", func() (Run, error) { return Audit(audit, AuditOptions{Limits: keys.DefaultLimits()}) })
		if !errors.Is(o.err, c.audit) || strings.Contains(o.stdout, "owner-gone") != (c.gone != "") {
			t.Errorf("%s: %v\n%s", name, o.err, o.stdout)
		}
		if c.stderr != "" && !strings.Contains(o.err.Error(), c.stderr) {
			t.Errorf("%s: %v", name, o.err)
		}
		filter := &Options{Filter: "is:owner-gone"}
		o = v.runWith(t, filter, "", func() (Run, error) { return APIKeys(filter) })
		if !errors.Is(o.err, c.list) || strings.Contains(o.stdout, "left") != (c.listed != "") || strings.Contains(o.stdout, "kept") {
			t.Errorf("%s, filtered: %v\n%s", name, o.err, o.stdout)
		}
	}
}

// auditing returns a vault with an idle key whose creator is gone, and a key of another user with a date that could not be read.
func auditing(t *testing.T, unreadable bool, members error) *vault {
	t.Helper()
	used := models.Opt[time.Time]{Value: time.Now().Add(-200 * 24 * time.Hour), Known: true}
	v := newVault()
	v.membersOf = members
	v.keys = []models.APIKey{{
		List: models.ListID{Org: "org-a"}, ID: 1, Name: "left", CreatedByID: "u2", CreatedAt: time.Now().Add(-300 * 24 * time.Hour), LastUsedAt: used,
	}}
	if unreadable {
		v.keys = append(v.keys, models.APIKey{List: models.ListID{Org: "org-a"}, ID: 2, Name: "broken", CreatedByID: "u1"})
	}
	v.members = []models.Member{{UserID: "u1", DeactivatedAt: models.Opt[time.Time]{Known: true}}}
	return v
}

// A policy decides with which findings an audit fails. All are printed, and what could not be read is never fine.
func TestAuditFailsByItsPolicy(t *testing.T) {
	t.Parallel()
	refused := &models.Error{Kind: models.KindForbidden, Status: 403, Message: "only members"}
	for name, c := range map[string]struct {
		failOn, ignore, filter string
		unreadable             bool
		members                error
		want                   error
		hidden, said           string
	}{
		"all":                         {want: exit.ErrSaid},
		"one that is found":           {failOn: "idle", want: exit.ErrSaid},
		"one that is not":             {failOn: "never-used can-go"},
		"but those that are found":    {ignore: "idle owner-gone"},
		"but one of those":            {ignore: "idle", want: exit.ErrSaid},
		"a date":                      {failOn: "can-go", unreadable: true, want: exit.ErrIncomplete},
		"a date that is ignored":      {failOn: "can-go", ignore: "unreadable", unreadable: true},
		"a date that may be filtered": {failOn: "can-go", filter: "age:>1d", unreadable: true, want: exit.ErrIncomplete, hidden: "broken"},
		"a date of another key":       {failOn: "can-go", filter: "name:left age:>1d", unreadable: true, hidden: "broken"},
		"a filter without it":         {filter: "name:other", hidden: "left"},
		"members":                     {members: refused, want: exit.ErrIncomplete, said: ""},
		"members that are not needed": {failOn: "never-used", members: refused, said: "cannot read the members of A (403): only members"},
		"members that are ignored":    {ignore: "owner-gone idle", members: refused, said: "cannot read the members of A (403): only members"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := &Options{JSON: true, Filter: c.filter}
			policy := AuditOptions{Limits: keys.DefaultLimits(), FailOn: strings.Fields(c.failOn), Ignore: strings.Fields(c.ignore)}
			got := auditing(t, c.unreadable, c.members).runWith(t, o, "", func() (Run, error) { return Audit(o, policy) })
			if !errors.Is(got.err, c.want) || c.want == nil && got.err != nil {
				t.Errorf("%v, not %v", got.err, c.want)
			}
			for _, key := range []string{"left", "broken"} {
				if strings.Contains(got.stdout, key) == (key == c.hidden || key == "broken" && !c.unreadable) {
					t.Errorf("%s in\n%s", key, got.stdout)
				}
			}
			if c.hidden != "left" && !strings.Contains(got.stdout, `"idle"`) {
				t.Errorf("what it does not fail on is not printed:\n%s", got.stdout)
			}
			if !strings.Contains(got.stderr, c.said) || c.said == "" && got.stderr != "" {
				t.Errorf("%q", got.stderr)
			}
		})
	}
}

// A finding that does not exist, and a policy that nothing can break, are refused.
func TestAuditRefusesAPolicy(t *testing.T) {
	t.Parallel()
	for want, o := range map[string]AuditOptions{
		`unknown finding; did you mean idle?`:    {FailOn: []string{"can-go", "idel"}},
		`unknown finding; must be one of can-go`: {Ignore: []string{"x"}},
		"leave no finding to fail on":            {FailOn: []string{"idle"}, Ignore: []string{"idle"}},
		"must be longer than 0":                  {Limits: keys.Limits{Age: -1}},
	} {
		if o.Limits == (keys.Limits{}) {
			o.Limits = keys.DefaultLimits()
		}
		_, err := Audit(&Options{}, o)
		if _, usage := errors.AsType[exit.UsageError](err); !usage || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, not %s", err, want)
		}
	}
}
