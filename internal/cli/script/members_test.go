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

// An audit, and a list that is filtered so, tell whose creator is gone. Members that are refused give no finding and are
// named; a server without such lists has nothing that is missing.
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
