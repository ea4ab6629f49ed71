package client

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"pgtower/models"
)

const (
	// maxText is how much of a text from outside is kept in an error, in bytes.
	maxText = 500
	// minTelling is the length from which a key is looked for in addresses: a shorter one
	// is in many ids by chance.
	minTelling = 8
)

// safe is a text from outside, cleaned, without the key (a server may quote the
// header that it refuses), and of a length that fits a screen.
func (c *Client) safe(s string) string {
	return models.Shorten(models.Clean(c.Redact(s)), maxText)
}

// Redact puts dots in the place of every key that the client was given so far.
func (c *Client) Redact(s string) string {
	for _, key := range c.used() {
		s = redact(s, key)
	}
	return s
}

// redact puts dots in the place of the key, as it is and as quoting and addresses spell
// it.
func redact(s string, key models.Secret) string {
	if key.IsZero() {
		return s
	}
	plain := key.Reveal()
	quoted := strconv.Quote(plain)
	for _, spelt := range []string{plain, quoted[1 : len(quoted)-1], url.QueryEscape(plain), url.PathEscape(plain)} {
		s = strings.ReplaceAll(s, spelt, key.String())
	}
	return s
}

// tells says that a text would take the key along into an address, and with it into the
// logs of every server and proxy on the way. Ids and cursors come from the service.
func (c *Client) tells(s string) bool {
	return slices.ContainsFunc(c.used(), func(key models.Secret) bool {
		return len(key.Reveal()) >= minTelling && strings.Contains(s, key.Reveal())
	})
}
