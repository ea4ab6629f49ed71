package models

import "time"

// Member is a record of GET /organizations/{id}/members, which only the live service has: a user in an organization.
type Member struct {
	ID            string // of the membership
	UserID        string
	Role          string // such as admin, editor, viewer and collaborator
	Email         string
	JoinedAt      time.Time
	HasMFA        Opt[bool]
	DeactivatedAt Opt[time.Time] // a known zero for an active user
	Damage        string         // which parts of the record could not be read, or empty
}

// UnmarshalJSON decodes a record of the list: an object of the membership, and one of its user.
func (m *Member) UnmarshalJSON(doc []byte) error {
	r := readObject(doc, make([]field, 0, 2))
	member, user := r.part("member"), r.part("user")
	*m = Member{
		ID:            shown(member.id("id")),
		UserID:        shown(member.id("user_id")),
		Role:          member.word("role"),
		JoinedAt:      member.time("joined_at"),
		Email:         user.text("email"),
		HasMFA:        user.flag("has_mfa"),
		DeactivatedAt: user.timeOrNone("deactivated_at"),
	}
	r.required("member")
	member.required("user_id")
	for _, damage := range []string{member.damage, user.damage} {
		if damage != "" {
			r.note(damage)
		}
	}
	m.Damage = r.damaged()
	return nil
}
