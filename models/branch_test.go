package models

import (
	"testing"
	"time"
)

// Every field of a branch is read; what cannot be read is damage.
func TestDecodeBranch(t *testing.T) {
	t.Parallel()
	yes, no := Opt[bool]{Value: true, Known: true}, Opt[bool]{Known: true}
	created, updated := at(t, "2026-11-09T20:47:27Z"), at(t, "2026-11-09T21:00:00Z")
	expires := Opt[time.Time]{Value: at(t, "2026-11-20T00:00:00Z"), Known: true}
	for doc, want := range map[string]Branch{
		`{"id":"br-a-1","project_id":"p","name":"preview/pr-481","parent_id":"br-main-1","default":false,"protected":true,` +
			`"current_state":"init","pending_state":"ready","created_at":"2026-11-09T20:47:27Z","updated_at":"2026-11-09T21:00:00Z",` +
			`"expires_at":"2026-11-20T00:00:00Z","created_by":{"name":"Ada","image":""}}`: {
			ID: "br-a-1", Name: "preview/pr-481", ParentID: "br-main-1", Default: no, Protected: yes, State: "init", PendingState: "ready",
			CreatedAt: created, UpdatedAt: updated, ExpiresAt: expires, CreatedBy: "Ada",
		},
		`{"id":"br-a-1","name":"m\u202e","default":true}`: {
			ID: "br-a-1", Name: "m\uFFFD", Default: yes, ExpiresAt: Opt[time.Time]{Known: true},
		},
		`{"id":"br-a-1","name":7,"default":"yes","expires_at":"soon"}`: {
			ID: "br-a-1", Damage: "name is not text; default is not true or false; expires_at is not a timestamp",
		},
	} {
		if got := decode[Branch](t, doc); got != want {
			t.Errorf("%s\ngave %+v\nwant %+v", doc, got, want)
		}
	}
	if b := decode[Branch](t, `{"name":"main"}`); !NoID(b.ID) || b.Damage != "id is not there" {
		t.Errorf("a branch without an id: %+v", b)
	}
}

// Every field of a compute is read; what cannot be read is damage.
func TestDecodeEndpoint(t *testing.T) {
	t.Parallel()
	for doc, want := range map[string]Endpoint{
		`{"id":"ep-a-1","name":"primary","branch_id":"br-a-1","type":"read_write","current_state":"idle","pending_state":"active",` +
			`"disabled":false,"last_active":"2026-11-09T20:47:27Z","started_at":"2026-11-09T20:40:00Z","suspended_at":"2026-11-09T20:47:27Z"}`: {
			ID: "ep-a-1", Name: "primary", BranchID: "br-a-1", Type: "read_write", State: "idle", PendingState: "active",
			Disabled: Opt[bool]{Known: true}, LastActive: at(t, "2026-11-09T20:47:27Z"), StartedAt: at(t, "2026-11-09T20:40:00Z"),
			SuspendedAt: at(t, "2026-11-09T20:47:27Z"),
		},
		`{"id":"ep-a-1"}`:               {ID: "ep-a-1"},
		`{"id":"ep-a-1","branch_id":7}`: {ID: "ep-a-1", Damage: "branch_id is not text"},
	} {
		if got := decode[Endpoint](t, doc); got != want {
			t.Errorf("%s\ngave %+v\nwant %+v", doc, got, want)
		}
	}
}

// A user whose deactivation cannot be read is neither active nor deactivated: that is unknown.
func TestDecodeMember(t *testing.T) {
	t.Parallel()
	active := Opt[time.Time]{Known: true}
	for doc, want := range map[string]Member{
		`{"member":{"id":"m1","user_id":"u1","org_id":"o","role":"admin","joined_at":"2026-11-09T20:47:27Z"},` +
			`"user":{"email":"ada@example.com","has_mfa":true}}`: {
			ID: "m1", UserID: "u1", Role: "admin", Email: "ada@example.com", JoinedAt: at(t, "2026-11-09T20:47:27Z"),
			HasMFA: Opt[bool]{Value: true, Known: true}, DeactivatedAt: active,
		},
		`{"member":{"user_id":"u1"},"user":{"deactivated_at":"2026-11-09T20:47:27Z"}}`: {
			UserID: "u1", DeactivatedAt: Opt[time.Time]{Value: at(t, "2026-11-09T20:47:27Z"), Known: true},
		},
		`{"member":{"user_id":"u1"},"user":{"deactivated_at":7}}`: {UserID: "u1", Damage: "deactivated_at is not a timestamp"},
		`{"member":{"user_id":"u1"}}`:                             {UserID: "u1"},
		`{"member":{},"user":{}}`:                                 {DeactivatedAt: active, Damage: "user_id is not there"},
		`{"user":{}}`:                                             {DeactivatedAt: active, Damage: "member is not there"},
		`{"member":[],"user":"u1"}`:                               {Damage: "member is not an object; user is not an object"},
		`[]`:                                                      {Damage: "the record is not an object"},
	} {
		if got := decode[Member](t, doc); got != want {
			t.Errorf("%s\ngave %+v\nwant %+v", doc, got, want)
		}
	}
}
