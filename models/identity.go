package models

import (
	"cmp"
	"strings"
)

// KeyKind is the kind of an API key: it decides which lists there are for it.
type KeyKind int

// The kinds of keys. control-api.md knows AccountKey alone, the live service the others.
const (
	UnknownKey      KeyKind = iota // not known yet
	AccountKey                     // of a service that knows one kind: it reaches all projects of the account (section 5)
	PersonalKey                    // reaches all projects of all organizations of its user
	OrganizationKey                // reaches all projects of its organization
	ProjectKey                     // reaches its project alone
)

var keyKinds = [...]string{"key", "account key", "personal key", "organization key", "project key"}

// String returns the kind in a sentence, such as "personal key".
func (k KeyKind) String() string { return keyKinds[k] }

// ListID identifies a list of projects or of API keys. The zero ListID is the account's own list, and the projects of an
// organization key.
type ListID struct {
	Org     string // the id of the organization that has the list, or empty
	Shared  bool   // the projects that others share with the user
	Project string // not a list, but the one project of a [ProjectKey]
}

// maxOrgID is the length of the longest id of an organization that a user may enter.
const maxOrgID = 64

// IsID reports whether a text can be an id of the service.
func IsID(text string) bool { return text != "" && !strings.ContainsAny(text, ",/?# \t\r\n") }

// IsOrgID reports whether a text can be the id of an organization: a flag accepts it, and it is one word of a command.
func IsOrgID(id string) bool {
	return id != "" && len(id) <= maxOrgID && id[0] != '-' && strings.Trim(id, idCharacters) == ""
}

const idCharacters = "-_" + digits + "abcdefghijklmnopqrstuvwxyz" + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// Auth is the answer of GET /auth, which only the live service has.
type Auth struct {
	AccountID string // the id of the user or, for a key of an organization or a project, of the organization
	Method    string // such as api_key_user and api_key_org
}

// UnmarshalJSON decodes the answer.
func (a *Auth) UnmarshalJSON(b []byte) error {
	r := readObject(b, make([]field, 0, usualFields))
	*a = Auth{AccountID: shown(r.id("account_id")), Method: r.word("auth_method")}
	return nil
}

// User is the answer of GET /users/me, which only the live service has.
type User struct{ ID, Login, Name, Email string }

// UnmarshalJSON decodes the answer.
func (u *User) UnmarshalJSON(b []byte) error {
	r := readObject(b, make([]field, 0, usualFields))
	*u = User{ID: shown(r.id("id")), Login: r.text("login"), Name: r.text("name"), Email: r.text("email")}
	return nil
}

// Organization is a record of GET /users/me/organizations, which only the live service has.
type Organization struct{ ID, Name string }

// Label returns the name, or the id without one.
func (o *Organization) Label() string { return cmp.Or(o.Name, o.ID) }

// UnmarshalJSON decodes a record of the list.
func (o *Organization) UnmarshalJSON(b []byte) error {
	r := readObject(b, make([]field, 0, usualFields))
	*o = Organization{ID: r.sharedID("id"), Name: r.text("name")}
	return nil
}

// NoSuchEndpoint reports whether an error proves that the server does not know an endpoint: a 404 or 405 in words other
// than the live service's. A web page comes from something between, and proves nothing.
func NoSuchEndpoint(err error) bool {
	e := find(err)
	return (e.Status == 404 || e.Status == 405) && e.Body != WebPage && RefusalOf(err) == NoRefusal
}
