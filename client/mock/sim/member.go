package sim

import (
	"hash/crc32"
	"slices"
	"strings"
	"time"
)

// Member is a user in an organization, as the live service lists it.
type Member struct {
	Member Membership `json:"member"`
	User   MemberUser `json:"user"`
}

// Membership is the membership of a user in an organization.
type Membership struct {
	ID       string `json:"id"`
	UserID   string `json:"user_id"`
	OrgID    string `json:"org_id"`
	Role     string `json:"role"`
	JoinedAt string `json:"joined_at"`
}

// MemberUser is the user of a member.
type MemberUser struct {
	Email         string  `json:"email"`
	HasMFA        bool    `json:"has_mfa"`
	DeactivatedAt *string `json:"deactivated_at,omitempty"`
}

// people are the users of organizations besides the account's own, each with a role. One has left the organizations.
const people = "Alice editor,Bob viewer,Carol admin,Dave gone"

// deactivated is the one whose user is deactivated.
const deactivated = "Bob"

// person returns one of the people, who are the same in all organizations. The names begin with different letters.
func (org *organization) person(name string) Creator {
	return Creator{ID: UUID(org.key, int64(name[0])), Name: name}
}

// Members returns up to limit members of an organization, and whether more follow. It begins after the member with the id
// tail, or with the first if tail is empty. The user of the account is the first. The error is [ErrCursor] for an unknown id.
func (p *Platform) Members(orgID, tail string, limit int) (page []Member, rest bool, err error) {
	org := p.organization(orgID)
	list := []Member{org.member(p.start, Creator{ID: demoUser, Name: demoName}, "admin")}
	for text := range strings.SplitSeq(people, ",") {
		if name, role, _ := strings.Cut(text, " "); role != "gone" {
			list = append(list, org.member(p.start, org.person(name), role))
		}
	}
	if tail != "" {
		i := slices.IndexFunc(list, func(m Member) bool { return m.Member.ID == tail })
		if i < 0 {
			return nil, false, ErrCursor
		}
		list = list[i+1:]
	}
	return list[:min(limit, len(list))], len(list) > limit, nil
}

// member returns a member of the organization.
func (org *organization) member(start time.Time, who Creator, role string) Member {
	key := draw(org.key, int64(crc32.ChecksumIEEE([]byte(org.ID+who.ID))))
	rng := newRand(key, 0)
	m := Member{
		Membership{
			ID: UUID(key, 0), UserID: who.ID, OrgID: org.ID, Role: role,
			JoinedAt: stamp(start.Add(-between(rng, 300*day, 500*day))),
		},
		MemberUser{Email: strings.ToLower(strings.Fields(who.Name)[0]) + "@example.com", HasMFA: true},
	}
	if who.Name == deactivated {
		m.User.DeactivatedAt = new(stamp(start.Add(-between(rng, day, 90*day))))
	}
	return m
}
