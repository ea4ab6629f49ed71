package keys

import (
	"context"
	"errors"
	"time"

	"pgtower/models"
)

// MemberService is the part of the control API that lists the members of an organization: only the live service's does.
type MemberService interface {
	Members(ctx context.Context, org string, r models.PageRequest) (models.Page[models.Member], error)
}

// Members is who belongs to an organization. The zero value is unknown.
type Members struct {
	users map[string]models.Member // by the users' ids
	asOf  time.Time                // when they were read, by the service's clock
	whole bool                     // nobody is missing
}

// maxMemberPages is the longest list that is read, in pages: more is not worth a finding.
const maxMemberPages = 20

// MemberList reads the members of an organization, a page at a time. The zero value has read none.
type MemberList struct {
	members Members
	next    models.PageRequest
	pages   int
	damaged bool
	ended   bool
}

// Next returns the request for the next page.
func (l *MemberList) Next() models.PageRequest { return l.next }

// Done reports whether no page follows, or none that is worth reading.
func (l *MemberList) Done() bool { return l.ended || l.pages >= maxMemberPages }

// Add adds the next page.
func (l *MemberList) Add(page models.Page[models.Member]) {
	m := &l.members
	if m.users == nil {
		m.users, m.asOf = map[string]models.Member{}, page.ServiceTime
	}
	l.damaged = m.add(page.Items) || l.damaged || page.Damage != ""
	l.pages, l.ended, l.next.Cursor = l.pages+1, page.Last(), page.Next
	m.whole = l.ended && !l.damaged && len(m.users) > 0 // every organization has one
}

// Members returns the members that were read. With an error, not all of them are known.
func (l *MemberList) Members() (Members, error) {
	if !l.members.whole {
		return l.members, errors.New("the list of its members is not complete")
	}
	return l.members, nil
}

// add adds members, and reports whether one of them could not be read.
func (m *Members) add(list []models.Member) (damaged bool) {
	for _, member := range list {
		m.users[member.UserID] = member
		damaged = damaged || member.UserID == ""
	}
	return damaged
}

// settled is how old a key must be when the members are read: its creator may have become a member just before.
const settled = time.Minute

// gone returns why the creator of a key is gone, or "" if nothing shows that.
func (m *Members) gone(k *models.APIKey) string {
	owner, isMember := m.users[k.CreatedByID]
	switch {
	case k.CreatedByID == "":
	case isMember && owner.DeactivatedAt.Known && !owner.DeactivatedAt.Value.IsZero():
		return "deactivated"
	case !isMember && m.whole && !k.CreatedAt.IsZero() && m.asOf.Sub(k.CreatedAt) >= settled:
		return "no member"
	}
	return ""
}

// Role returns the role of a user in an organization, or "" if that was not read.
func (a *Audit) Role(org, user string) string {
	members := a.members[org]
	return members.users[user].Role
}

// OwnerGone returns why the creator of a key is gone, as the members of its organization tell, or "".
func (a *Audit) OwnerGone(k *models.APIKey) string {
	members := a.members[k.List.Org]
	return members.gone(k)
}
