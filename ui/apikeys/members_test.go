package apikeys

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/ui/page"
)

// who returns a member of an organization, active unless the user is deactivated.
func who(id string, deactivated bool) models.Member {
	m := models.Member{UserID: id, DeactivatedAt: models.Opt[time.Time]{Known: true}}
	if deactivated {
		m.DeactivatedAt.Value = time.Now()
	}
	return m
}

// madeBy returns a key of an organization that a user created a month ago.
func madeBy(id int64, name, user string) models.APIKey {
	return models.APIKey{
		List: acme(), ID: id, Name: name, CreatedBy: "name of " + user, CreatedByID: user, CreatedAt: time.Now().AddDate(0, -1, 0),
		LastUsedAt: models.Opt[time.Time]{Value: time.Now(), Known: true},
	}
}

// gone returns the names of the keys whose creators are gone.
func (b *bench) gone() (names []string) {
	for i := range b.keys.Len() {
		if k := b.keys.Row(i); b.audited().Is(keys.FoundOwnerGone, k, time.Now()) {
			names = append(names, k.Name)
		}
	}
	return names
}

// benchOfMembers returns a page that has read keys of an organization with some members, or with why they cannot be read.
func benchOfMembers(t *testing.T, err error, list ...models.Member) *bench {
	t.Helper()
	b := benchOf(t, personal(t), Options{}, []models.APIKey{
		madeBy(1, "kept", "u1"), madeBy(2, "left", "u2"), madeBy(3, "deactivated", "u3"),
	})
	b.service.members = models.Page[models.Member]{Items: list, ServiceTime: time.Now()}
	b.service.membersErr = err
	b.members, b.service.askedMembers = members{}, nil
	b.reload()
	return b
}

// The members of an organization are read after its list, once an hour, and show whose creators are gone. If they are refused, nothing
// is claimed.
func TestMembersShowGoneOwners(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err  error
		want []string
	}{
		"read":    {nil, []string{"left", "deactivated"}},
		"refused": {failure(models.KindForbidden), nil},
		"absent":  {failure(models.KindNotFound), nil},
	} {
		b := benchOfMembers(t, c.err, who("u1", false), who("u3", true))
		b.reload()
		if gone, asked := b.gone(), b.service.askedMembers; !slices.Equal(gone, c.want) || !slices.Equal(asked, []string{acme().Org}) {
			t.Errorf("%s: the creators of %q are gone, after requests for %q", name, gone, asked)
		}
		b.service.membersErr, b.service.members.Items = nil, []models.Member{who("u2", false)}
		b.ahead += membersFor
		b.Do(nil)
		if n := len(b.service.askedMembers); n != 1 {
			t.Errorf("%s: asked %d times before its keys were read again", name, n)
		}
		b.reload()
		if gone, n := b.gone(), len(b.service.askedMembers); !slices.Equal(gone, []string{"kept", "deactivated"}) || n != 2 {
			t.Errorf("%s: an hour later, the creators of %q are gone, after %d requests", name, gone, n)
		}
	}
}

// After a failure that may pass, the members are read again from the first page on. Meanwhile nothing is claimed.
func TestMembersAreReadAgainAfterAFailure(t *testing.T) {
	t.Parallel()
	b := benchOfMembers(t, failure(models.KindServer))
	if gone := b.gone(); len(gone) > 0 || len(b.service.askedMembers) == 0 {
		t.Errorf("the creators of %q are gone, after requests for %q", gone, b.service.askedMembers)
	}
	b.service.membersErr, b.service.members.Items = nil, []models.Member{who("u1", false)}
	b.ahead += time.Minute
	b.Do(nil)
	if gone := b.gone(); !slices.Equal(gone, []string{"left", "deactivated"}) {
		t.Errorf("the creators of %q are gone", gone)
	}
}

// Members of several pages are read one page at a time. Nothing is claimed before the last page.
func TestMembersOfSeveralPages(t *testing.T) {
	t.Parallel()
	b := benchOfMembers(t, failure(models.KindServer))
	b.service.membersErr, b.service.oneByOne = nil, true
	b.service.members.Items = []models.Member{who("u9", false), who("u3", true), who("u1", false)}
	b.service.askedMembers = nil
	b.ahead += time.Minute
	for read := range 3 {
		if gone := b.gone(); len(gone) > 0 || len(b.service.askedMembers) != read {
			t.Errorf("after %d pages and %d requests, the creators of %q are gone", read, len(b.service.askedMembers), gone)
		}
		requests, _ := b.session.Polls.Next(b.session.Now())
		for _, r := range requests {
			answer := b.session.Polls.Receive(r.Do(t.Context()), b.session.Now())
			b.Update(page.Answered{answer})
		}
	}
	if gone := b.gone(); !slices.Equal(gone, []string{"left", "deactivated"}) {
		t.Errorf("the creators of %q are gone", gone)
	}
}

// A change that an organization refuses names the role of the user, if it was read.
func TestMembersNameTheRoleOfARefusal(t *testing.T) {
	t.Parallel()
	refused := &models.Error{Kind: models.KindForbidden, Status: 403, Body: models.APIBody, Message: "only administrators can do this"}
	for role, want := range map[string]string{"viewer": "your role in Acme is viewer", "": ""} {
		b := benchOf(t, personal(t), Options{}, []models.APIKey{madeBy(1, "ci", "u1")})
		me := who(b.account.Identity().ID, false)
		me.Role = role
		b.service.members = models.Page[models.Member]{Items: []models.Member{me}, ServiceTime: time.Now()}
		b.members = members{}
		b.reload()
		got := b.words().notRevoked(b.keys.Row(0), refused).Error()
		if !strings.Contains(got, "(403): only administrators can do this") || strings.Contains(got, "your role") != (want != "") || !strings.HasSuffix(got, want) {
			t.Errorf("%q: %s", role, got)
		}
		b.service.createErr = refused
		b.Do(b.newCreation(keys.Change{Key: keys.Wanted("next", models.Reach{Org: "acme"})}).create())
		text := b.Opened().Text()
		contains(t, text, "No key was created: permission denied (status 403): only administrators can do this.")
		if strings.Contains(text, "Your role in Acme is viewer.") != (want != "") {
			t.Errorf("%q:\n%s", role, text)
		}
	}
}
