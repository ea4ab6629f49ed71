package client

import (
	"context"
	"encoding/json"
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
	}, func(d *json.Decoder) ([]models.APIKey, error) {
		return decodeList[models.APIKey](d, "it")
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
	}, func(d *json.Decoder) (models.CreatedAPIKey, error) {
		return decodeObject[models.CreatedAPIKey](d, "it")
	})
}

// RevokeAPIKey revokes an API key, at once and for good (section 4.3). It is never
// repeated: after an error such as a timeout, the key may be revoked all the same.
func (c *Client) RevokeAPIKey(ctx context.Context, id int64) (models.APIKey, error) {
	return fetch(ctx, c, call{
		doing:  fmt.Sprintf("revoke API key %d", id),
		method: http.MethodDelete,
		path:   []string{"api_keys", strconv.FormatInt(id, 10)},
	}, func(d *json.Decoder) (models.APIKey, error) {
		return decodeObject[models.APIKey](d, "it")
	})
}
