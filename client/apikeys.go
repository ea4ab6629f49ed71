package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"pgtower/models"
)

// keysPath is the path of a list of API keys.
func keysPath(id models.ListID) []string {
	if id.Org != "" {
		return []string{"organizations", id.Org, "api_keys"}
	}
	return []string{"api_keys"}
}

// ofList returns the words for a list of API keys in a sentence, or "" for the account's list.
func (c *Client) ofList(id models.ListID) string {
	if id.Org != "" {
		return " of " + c.safe(id.Org)
	}
	return ""
}

// APIKeys lists the API keys of the account (section 4.2) or of an organization, in the service's order.
func (c *Client) APIKeys(ctx context.Context, id models.ListID) ([]models.APIKey, error) {
	k := get("list API keys"+c.ofList(id), keysPath(id)...)
	var asOf models.Moment
	k.asOf = &asOf // it may decide whether a change was carried out
	keys, err := fetch(ctx, c, k, "it", decodeList[models.APIKey])
	if asOf.Late.IsZero() { // too few dates agree: then the newest time in the list is the bound
		asOf.Early = earlier(newest(keys), cmp.Or(asOf.Early, c.options.Clock()))
	}
	for i := range keys {
		keys[i].List, keys[i].AsOf = id, asOf
	}
	return keys, err
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// newest returns the latest time in a list. By the service's clock, the list was read then or later. This computer's clock
// alone is no bound, as it may be set at any time.
func newest(keys []models.APIKey) (last time.Time) {
	for i := range keys {
		for _, instant := range []time.Time{keys[i].CreatedAt, keys[i].LastUsedAt.Value} {
			if instant.After(last) {
				last = instant
			}
		}
	}
	return last
}

// CreateAPIKey creates an API key in the list of a reach (section 4.1). It is never retried: after an error, the key may
// exist nevertheless. The response has the key's actual reach, which may be another one.
func (c *Client) CreateAPIKey(ctx context.Context, name string, reach models.Reach) (models.CreatedAPIKey, error) {
	id := reach.List()
	sent := map[string]string{"key_name": name}
	if reach.Project != "" {
		sent["project_id"] = reach.Project
	}
	body, _ := json.Marshal(sent) // strings always marshal
	k := call{
		doing: "create an API key" + c.ofList(id), method: http.MethodPost, path: keysPath(id),
		body: body,
	}
	return fetch(ctx, c, k, models.APIKey{List: id, Name: name}, decodeCreated)
}

// decodeCreated decodes the response to the creation of a key with a list and a name.
func decodeCreated(doc []byte, wanted models.APIKey) (models.CreatedAPIKey, error) {
	made, err := decodeObject[models.CreatedAPIKey](doc, "it")
	made.List = wanted.List
	switch {
	case err != nil:
	case made.Name != "" && made.Name != models.Clean(wanted.Name):
		err = errors.New("it is about another key: " + made.Name)
	case made.ID == 0: // the list shows whether there is a key, and its id
		err = errors.New("it has no id")
	}
	return made, err
}

// RevokeAPIKey revokes an API key of a list (section 4.3). It is never retried: after an error, the key may be revoked
// nevertheless. An answer about another id or name, or without revoked, is an error of [models.KindMalformed].
func (c *Client) RevokeAPIKey(ctx context.Context, key models.APIKey) (models.APIKey, error) {
	number := strconv.FormatInt(key.ID, 10)
	k := call{
		doing: "revoke API key " + number + c.ofList(key.List), method: http.MethodDelete,
		path: append(keysPath(key.List), number),
	}
	return fetch(ctx, c, k, key, decodeRevoked)
}

// decodeRevoked decodes the response to the revocation of a key.
func decodeRevoked(doc []byte, key models.APIKey) (models.APIKey, error) {
	gone, err := decodeObject[models.APIKey](doc, "it")
	gone.List = key.List
	switch {
	case err != nil:
	case gone.ID != key.ID, gone.Name != "" && key.Name != "" && gone.Name != key.Name:
		err = fmt.Errorf("it is about another key: %d %s", gone.ID, gone.Name)
	case !gone.Revoked:
		err = errors.New("it does not confirm the revocation")
	}
	return gone, err
}
