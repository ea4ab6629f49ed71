package models

import "time"

// MaxAPIKeyName is the longest name, in characters, that the service takes for a key.
const MaxAPIKeyName = 64

// RecommendedMaxAPIKeys is the number of keys that an account should stay below (section 8).
const RecommendedMaxAPIKeys = 10_000

// APIKey is an account-wide API key (section 2.1), without its secret.
type APIKey struct {
	ID        int64
	Name      string
	CreatedAt time.Time
	// LastUsedAt is a known zero before the first request, and unknown where it could not be read.
	LastUsedAt       Opt[time.Time]
	LastUsedFromAddr string // the network address of the last caller
	Revoked          bool   // true in the answer to a revocation (section 4.3)
	Damage           string // what of the record could not be read, or empty
}

// UnmarshalJSON decodes a record of the list or of a revoke response (sections 4.2, 4.3).
func (k *APIKey) UnmarshalJSON(b []byte) error {
	r := readRecord(b, make([]field, 0, usualFields))
	*k = APIKey{
		ID:               r.integer("id").Value,
		Name:             r.text("name"),
		CreatedAt:        r.time("created_at"),
		LastUsedAt:       r.timeOrNone("last_used_at"),
		LastUsedFromAddr: r.text("last_used_from_addr"),
		Revoked:          r.flag("revoked").Value,
	}
	if k.NeverUsed() && k.LastUsedFromAddr != "" {
		k.LastUsedAt.Known = false // it was used from there
	}
	r.required("id")
	k.Damage = r.damaged()
	return nil
}

// NeverUsed reports whether it is known that no request was made with the key.
func (k *APIKey) NeverUsed() bool { return k.LastUsedAt.Known && k.LastUsedAt.Value.IsZero() }

// Idle returns how long the key has not been used at now, which is unknown for one that was never used, too.
func (k *APIKey) Idle(now time.Time) Opt[time.Duration] {
	if !k.LastUsedAt.Known || k.NeverUsed() {
		return Opt[time.Duration]{}
	}
	return Opt[time.Duration]{now.Sub(k.LastUsedAt.Value), true}
}

// CreatedAPIKey is the answer to a creation (section 4.1). Its Key passes [Secret.Check] or is zero.
type CreatedAPIKey struct {
	ID     int64
	Key    Secret
	Damage string // what of the record could not be read, or empty
}

// UnmarshalJSON decodes a create response. A secret that cannot be used is damage: its id is needed to revoke it.
func (k *CreatedAPIKey) UnmarshalJSON(b []byte) error {
	r := readRecord(b, make([]field, 0, usualFields))
	secret := string(r.unquoted("key"))
	*k = CreatedAPIKey{ID: r.integer("id").Value, Key: NewSecret(secret)}
	r.required("id")
	r.required("key")
	if err := k.Key.Check(); err != nil {
		// With a line break in it, pasting it would run what follows as a command.
		k.Key = Secret{}
		if secret != "" {
			r.note("key is " + err.Error())
		}
	}
	k.Damage = r.damaged()
	return nil
}
