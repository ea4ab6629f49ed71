package client

import (
	"pgtower/models"
)

// maxText is how much of a text from outside is kept in an error, in bytes.
const maxText = 500

// safe is a text from outside, cleaned, without the key (a server may quote the
// header that it refuses), and of a length that fits a screen.
func (c *Client) safe(s string) string {
	return models.Shorten(models.Clean(c.Redact(s)), maxText)
}

// Redact puts dots in the place of every key that the client was given so far.
func (c *Client) Redact(s string) string { return c.redactor().Text(s) }

// tells reports whether a text would take the key along into an address, and with it into
// the logs of every server and proxy on the way. Ids and cursors come from the service.
func (c *Client) tells(s string) bool { return c.Redact(s) != s }
