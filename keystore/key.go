package keystore

import (
	"strconv"
	"strings"

	"pgtower/models"
)

// Key is an API key as the keyring holds it.
type Key struct {
	// Secret is the key itself.
	Secret models.Secret
	// ID is the service's id of the key, or 0 where it is not known.
	ID int64
}

// item is the text that the keyring holds for the key: the secret, after the id and a
// space where the id is known. No secret contains a space, so that neither form can be
// taken for the other.
func (k Key) item() string {
	if k.ID <= 0 {
		return k.Secret.Reveal()
	}
	return strconv.FormatInt(k.ID, 10) + " " + k.Secret.Reveal()
}

// parseItem reads both forms. What is neither is taken for a secret: whoever uses it
// checks it, and says what is wrong with it.
func parseItem(item string) Key {
	item = strings.TrimSpace(item)
	if id, secret, ok := strings.Cut(item, " "); ok {
		if n, err := strconv.ParseInt(id, 10, 64); err == nil && n > 0 {
			return Key{Secret: models.NewSecret(secret), ID: n}
		}
	}
	return Key{Secret: models.NewSecret(item)}
}
