package models

import "time"

// MaxAPIKeyName is the maximum length of a key's name, in characters.
const MaxAPIKeyName = 64

// RecommendedMaxAPIKeys is the recommended maximum number of keys of an account (section 8).
const RecommendedMaxAPIKeys = 10_000

// APIKey is an account-wide API key (section 2.1), without its secret.
type APIKey struct {
	ID        int64
	Name      string
	CreatedAt time.Time
	// LastUsedAt is a known zero before the first request, and unknown if it could not be read.
	LastUsedAt       Opt[time.Time]
	LastUsedFromAddr string // the network address of the last caller
	Revoked          bool   // true in the response to a revocation (section 4.3)
	Damage           string // which parts of the record could not be read, or empty
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

// NeverUsed reports whether the key is known never to have been used.
func (k *APIKey) NeverUsed() bool { return k.LastUsedAt.Known && k.LastUsedAt.Value.IsZero() }

// Idle returns how long the key has been unused at now. It is unknown for a key that was never used.
func (k *APIKey) Idle(now time.Time) Opt[time.Duration] {
	if !k.LastUsedAt.Known || k.NeverUsed() {
		return Opt[time.Duration]{}
	}
	return Opt[time.Duration]{now.Sub(k.LastUsedAt.Value), true}
}

// CreatedAPIKey is the response to a creation (section 4.1). Its Key passes [Secret.Check] or is zero.
type CreatedAPIKey struct {
	ID     int64
	Key    Secret
	Damage string // which parts of the record could not be read, or empty
}

// UnmarshalJSON decodes a create response. An unusable secret is damage: the id is still needed to revoke the key.
func (k *CreatedAPIKey) UnmarshalJSON(b []byte) error {
	r := readRecord(b, make([]field, 0, usualFields))
	secret := string(r.unquoted("key"))
	*k = CreatedAPIKey{ID: r.integer("id").Value, Key: NewSecret(secret)}
	r.required("id")
	r.required("key")
	if err := k.Key.Check(); err != nil {
		// Pasting a secret with a line break would run the rest as a command.
		k.Key = Secret{}
		if secret != "" {
			r.note(err.Error())
		}
	}
	k.Damage = r.damaged()
	return nil
}
