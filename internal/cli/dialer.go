package cli

import (
	"context"
	"time"

	"pgtower/client"
	"pgtower/models"
	"pgtower/ui/apikeys"
)

// dialer makes clients of a service, as the person set them.
type dialer struct {
	base     string
	clock    func() time.Time
	budget   int // requests a second
	readOnly bool
}

func (d dialer) client(key models.Secret) (*client.Client, error) {
	return client.New(client.Options{
		BaseURL: d.base, Key: key, UserAgent: "pgtower/" + version(), Clock: d.clock, Budget: d.budget, ReadOnly: d.readOnly,
	})
}

// prove tries a key by reading one project.
func (d dialer) prove(ctx context.Context, key models.Secret) error {
	c, err := d.client(key)
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.Projects(ctx, models.PageRequest{Limit: 1})
	return err
}

func (d dialer) whyReadOnly() string {
	if d.readOnly {
		return "pgtower was started with --read-only"
	}
	return ""
}

// holder holds the key of a session.
type holder struct {
	dial dialer
	// ready says why no key could be kept, and keep puts one where it is found the next
	// time.
	ready func(context.Context) error
	keep  func(context.Context, models.CreatedAPIKey) (source, warning string, err error)
	api   *client.Client
}

// Prove tries a key.
func (h *holder) Prove(ctx context.Context, key models.Secret) error { return h.dial.prove(ctx, key) }

// Ready says why no key could be kept.
func (h *holder) Ready(ctx context.Context) error { return h.ready(ctx) }

// Keep keeps a key, and makes the session's requests with it from then on.
func (h *holder) Keep(ctx context.Context, key models.CreatedAPIKey) (apikeys.Kept, error) {
	source, warning, err := h.keep(ctx, key)
	if err != nil {
		return apikeys.Kept{}, err
	}
	return apikeys.Kept{Source: source, Warning: warning}, h.api.UseKey(key.Key)
}
