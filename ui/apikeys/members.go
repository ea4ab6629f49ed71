package apikeys

import (
	"context"
	"time"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/models/poll"
)

// membersKind is the kind of the subjects, see [poll.Subject]: each is the next page of the members of an organization.
const membersKind = "members"

// membersFor is how long the members of an organization, or the refusal to list them, stay valid: they change rarely.
const membersFor = time.Hour

// members are the known members of the organizations of the lists, by the ids of these.
type members map[string]*orgMembers

type orgMembers struct {
	keys.Members

	reading *keys.MemberList // the pages so far, if more are to be read; or nil
	asked   time.Time        // when the last list was complete or refused, by the session's clock; or zero
}

func (m members) get(org string) *orgMembers {
	if m[org] == nil {
		m[org] = &orgMembers{}
	}
	return m[org]
}

// known returns a copy for an audit.
func (m members) known() map[string]keys.Members {
	organizations := map[string]keys.Members{}
	for id, org := range m {
		organizations[id] = org.Members
	}
	return organizations
}

func membersOf(org string) poll.Subject { return poll.Subject{Kind: membersKind, Of: org} }

// areDue reports whether the members of the organization of a list are to be read. They are if the list has keys, whose creators
// may be gone, and was read at least [membersFor] after the members. An organization without keys is not asked.
func (m members) areDue(list *keyList) bool {
	if list.id.Org == "" || list.Len() == 0 {
		return false
	}
	asked := m.get(list.id.Org).asked
	return asked.IsZero() || list.good.Sub(asked) >= membersFor
}

// call returns the request for the next page of the members of the organization of a list, or nil if they are not due.
func (m members) call(service keys.MemberService, list *keyList) poll.Call {
	if !m.areDue(list) {
		return nil
	}
	id := list.id.Org
	org := m.get(id)
	if org.reading == nil {
		org.reading = &keys.MemberList{}
	}
	request := org.reading.Next()
	return func(ctx context.Context) (any, error) { return service.Members(ctx, id, request) }
}

// receive adds a page of the members of an organization. If the server has no such list or refuses it, the members are
// unknown for as long as they would have been valid. After any other failure, the poller asks again.
func (m members) receive(a poll.Answer, now time.Time) {
	org := m.get(a.Of)
	got, read := a.Value.(models.Page[models.Member])
	switch {
	case a.Late || models.KindOf(a.Err) == models.KindCanceled:
	case a.Err == nil && read && org.reading != nil && org.reading.Next().Cursor == got.Cursor:
		org.reading.Add(got)
		if org.reading.Done() {
			org.Members, _ = org.reading.Members() // members that it lacks are unknown
			org.reading, org.asked = nil, now
		}
	case a.Err != nil:
		org.reading = nil
		if !models.Passing(a.Err) {
			org.Members, org.asked = keys.Members{}, now
		}
	}
}
