package client

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"pgtower/models"
)

// APIKeys lists the API keys of the account, in the service's order (section 4.2).
func (c *Client) APIKeys(ctx context.Context) ([]models.APIKey, error) {
	return fetch(ctx, c, call{
		doing:  "list API keys",
		method: http.MethodGet,
		path:   []string{"api_keys"},
	}, func(r *reader) ([]models.APIKey, error) {
		return decodeList[models.APIKey](r, "it", maxKeys)
	})
}

// CreateAPIKey creates an API key (section 4.1). The secret in the answer cannot be
// asked for again. It is never repeated: after an error such as a timeout, the key may
// exist all the same.
func (c *Client) CreateAPIKey(ctx context.Context, name string) (models.CreatedAPIKey, error) {
	return fetch(ctx, c, call{
		doing:  "create an API key",
		method: http.MethodPost,
		path:   []string{"api_keys"},
		body: struct {
			Name string `json:"key_name"`
		}{name},
	}, func(r *reader) (models.CreatedAPIKey, error) {
		return decodeObject[models.CreatedAPIKey](r, "it")
	})
}

// RevokeAPIKey revokes an API key, at once and for good (section 4.3). It is never
// repeated: after an error such as a timeout, the key may be revoked all the same.
func (c *Client) RevokeAPIKey(ctx context.Context, id int64) (models.APIKey, error) {
	return fetch(ctx, c, call{
		doing:  fmt.Sprintf("revoke API key %d", id),
		method: http.MethodDelete,
		path:   []string{"api_keys", strconv.FormatInt(id, 10)},
	}, func(r *reader) (models.APIKey, error) {
		return decodeObject[models.APIKey](r, "it")
	})
}
