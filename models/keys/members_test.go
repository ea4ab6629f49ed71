package keys

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pgtower/models"
)

// memberPages answers with pages of members, or an error in the place of one.
type memberPages struct {
	pages []models.Page[models.Member]
	err   error
	asked []models.PageRequest
}

func (m *memberPages) Members(_ context.Context, _ string, r models.PageRequest) (models.Page[models.Member], error) {
	m.asked = append(m.asked, r)
	if n := len(m.asked) - 1; n < len(m.pages) {
		return m.pages[n], nil
	}
	return models.Page[models.Member]{}, m.err
}

// readMembers reads the members of an organization.
func readMembers(ctx context.Context, s MemberService) (Members, error) {
	var list MemberList
	for !list.Done() {
		page, err := s.Members(ctx, "acme", list.Next())
		if err != nil {
			return Members{}, err
		}
		list.Add(page)
	}
	return list.Members()
}

func active(id string) models.Member {
	return models.Member{UserID: id, DeactivatedAt: models.Opt[time.Time]{Known: true}}
}

func deactivated(id string) models.Member {
	return models.Member{UserID: id, DeactivatedAt: models.Opt[time.Time]{Value: noon(), Known: true}}
}

func page(next string, members ...models.Member) models.Page[models.Member] {
	return models.Page[models.Member]{Items: members, Next: next, ServiceTime: noon()}
}

// createdBy returns a key of an organization that a user created a day ago.
func createdBy(id string) models.APIKey {
	k := orgKey(1, "ci", day, 0)
	k.CreatedBy, k.CreatedByID = "Ada", id
	return k
}

// A key whose creator is gone is found only if the members prove it: if the list is cut, a missing user is unknown.
func TestOwnerGone(t *testing.T) {
	t.Parallel()
	unread := models.Member{UserID: "u1"}
	young := createdBy("u9")
	young.CreatedAt = noon().Add(-settled + 1)
	undated := createdBy("u9")
	undated.CreatedAt = time.Time{}
	ofAccount := createdBy("u9")
	ofAccount.List = models.ListID{}
	for name, c := range map[string]struct {
		service memberPages
		key     models.APIKey
		want    string
		cut     bool // it is told that the list is not complete
	}{
		"a member":           {service: memberPages{pages: []models.Page[models.Member]{page("", active("u1"))}}, key: createdBy("u1")},
		"of the second page": {service: memberPages{pages: []models.Page[models.Member]{page("n", active("u2")), page("", active("u1"))}}, key: createdBy("u1")},
		"deactivated":        {service: memberPages{pages: []models.Page[models.Member]{page("", deactivated("u1"))}}, key: createdBy("u1"), want: "deactivated"},
		"not a member": {
			service: memberPages{pages: []models.Page[models.Member]{page("n", active("u2")), page("", active("u3"))}},
			key:     createdBy("u1"), want: "no member",
		},
		"deactivation unknown":      {service: memberPages{pages: []models.Page[models.Member]{page("", unread)}}, key: createdBy("u1")},
		"created just now":          {service: memberPages{pages: []models.Page[models.Member]{page("", active("u1"))}}, key: young},
		"created nobody knows when": {service: memberPages{pages: []models.Page[models.Member]{page("", active("u1"))}}, key: undated},
		"creator unknown":           {service: memberPages{pages: []models.Page[models.Member]{page("", active("u1"))}}, key: createdBy("")},
		"of the account":            {service: memberPages{pages: []models.Page[models.Member]{page("", active("u1"))}}, key: ofAccount},
		"nobody at all":             {service: memberPages{pages: []models.Page[models.Member]{page("")}}, key: createdBy("u9"), cut: true},
		"refused":                   {service: memberPages{err: errors.New("no")}, key: createdBy("u9"), cut: true},
		"refused later": {
			service: memberPages{pages: []models.Page[models.Member]{page("n", deactivated("u1"))}, err: errors.New("no")},
			key:     createdBy("u9"), cut: true,
		},
		"a member without an id": {
			service: memberPages{pages: []models.Page[models.Member]{page("", active("u1"), active(""))}}, key: createdBy("u9"), cut: true,
		},
		"deactivated in a list that is cut": {
			service: memberPages{pages: []models.Page[models.Member]{page("", deactivated("u1"), active(""))}}, key: createdBy("u1"),
			want: "deactivated", cut: true,
		},
		"a page that is damaged": {
			service: memberPages{pages: []models.Page[models.Member]{{Items: []models.Member{active("u1")}, ServiceTime: noon(), Damage: "x"}}},
			key:     createdBy("u9"), cut: true,
		},
		"without an end": {
			service: memberPages{pages: slices.Repeat([]models.Page[models.Member]{page("n", active("u1")), page("m", active("u1"))}, maxMemberPages)},
			key:     createdBy("u9"), cut: true,
		},
	} {
		members, err := readMembers(t.Context(), &c.service)
		if (err != nil) != c.cut || len(c.service.asked) > maxMemberPages {
			t.Errorf("%s: %v after %d requests", name, err, len(c.service.asked))
		}
		audit := NewAudit(nil, AuditOptions{Limits: DefaultLimits(), Members: map[string]Members{"acme": members}})
		if got := audit.OwnerGone(&c.key); got != c.want || audit.Is(FoundOwnerGone, &c.key, noon()) != (c.want != "") {
			t.Errorf("%s: %q", name, got)
		}
		if c.want != "" {
			if all := audit.Findings(&c.key, noon()); len(all) == 0 || all[0].Text != "owner "+c.want+": Ada" || all[0].Kind.String() != "owner-gone" {
				t.Errorf("%s: %+v", name, all)
			}
		}
	}
}

// However the members come in pages, a key is found exactly if its creator is none of them, or deactivated.
func TestOwnerGoneProperty(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		is := map[string]bool{} // members, with whether they are active
		for range rapid.IntRange(0, 12).Draw(t, "members") {
			is["u"+strconv.Itoa(rapid.IntRange(0, 9).Draw(t, "user"))] = rapid.Bool().Draw(t, "active")
		}
		service, pages := memberPages{}, rapid.IntRange(1, 4).Draw(t, "pages")
		users := slices.Sorted(maps.Keys(is))
		for i := range pages {
			var list []models.Member
			for _, id := range users[i*len(users)/pages : (i+1)*len(users)/pages] {
				member := deactivated(id)
				if is[id] {
					member = active(id)
				}
				list = append(list, member)
			}
			if len(list) > 0 { // an empty page is the last one
				service.pages = append(service.pages, page(strconv.Itoa(i), list...))
			}
		}
		service.pages = append(service.pages, page(""))
		members, err := readMembers(context.Background(), &service)
		if (err != nil) != (len(is) == 0) {
			t.Fatalf("%d members: %v", len(is), err)
		}
		audit := NewAudit(nil, AuditOptions{Members: map[string]Members{"acme": members}})
		id := "u" + strconv.Itoa(rapid.IntRange(0, 9).Draw(t, "creator"))
		key := createdBy(id)
		if gone := audit.OwnerGone(&key) != ""; gone != (len(is) > 0 && !is[id]) {
			t.Fatalf("%s of %v: gone %t", id, is, gone)
		}
	})
}
