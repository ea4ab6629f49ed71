package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"pgtower/models"
)

// get is the call that reads what is at a path.
func get(doing string, path ...string) call {
	return call{doing: doing, method: http.MethodGet, path: path}
}

// APIKeys lists the API keys of the account, in the service's order (section 4.2).
func (c *Client) APIKeys(ctx context.Context) ([]models.APIKey, error) {
	return fetch(ctx, c, get("list API keys", "api_keys"), decodeList[models.APIKey]("it", maxKeys))
}

// CreateAPIKey creates an API key (section 4.1). The secret in the answer cannot be asked for again. It is never
// repeated: after an error such as a timeout, the key may exist all the same.
func (c *Client) CreateAPIKey(ctx context.Context, name string) (models.CreatedAPIKey, error) {
	body, _ := json.Marshal(map[string]string{"key_name": name}) // text marshals always
	k := call{doing: "create an API key", method: http.MethodPost, path: []string{"api_keys"}, body: body}
	return fetch(ctx, c, k, decodeObject[models.CreatedAPIKey]("it"))
}

// RevokeAPIKey revokes an API key, at once and for good (section 4.3). It is never
// repeated: after an error such as a timeout, the key may be revoked all the same.
func (c *Client) RevokeAPIKey(ctx context.Context, id int64) (models.APIKey, error) {
	number := strconv.FormatInt(id, 10)
	k := call{doing: "revoke API key " + number, method: http.MethodDelete, path: []string{"api_keys", number}}
	return fetch(ctx, c, k, decodeObject[models.APIKey]("it"))
}

// Projects lists a page of the account's projects (section 4.4), or of those of the client's organisation. The
// specification names no query parameters; limit, cursor and org_id are the live service's.
func (c *Client) Projects(ctx context.Context, page models.PageRequest) (models.ProjectPage, error) {
	k := get("list projects", "projects")
	k.query = pageQuery(page)
	if c.options.OrgID != "" {
		k.query.Set("org_id", c.options.OrgID)
	}
	got, err := fetch(ctx, c, k, decodePage[models.Project]("projects", maxProjects))
	return models.ProjectPage{Projects: got.list, Cursor: page.Cursor, Next: got.next, Damage: got.damage}, err
}

// Operations lists a page of a project's operations, newest first (section 4.5).
// The page is dated by the client's clock as it was when the call began.
func (c *Client) Operations(ctx context.Context, project string, page models.PageRequest) (models.OperationPage, error) {
	asOf := c.options.Clock()
	k := get("list operations of "+c.safe(project), "projects", project, "operations")
	k.query = pageQuery(page)
	got, err := fetch(ctx, c, k, decodePage[models.Operation]("operations", maxOperations))
	return models.OperationPage{
		Operations: got.list, Limit: page.Limit, Cursor: page.Cursor, Next: got.next, AsOf: asOf, Damage: got.damage,
	}, err
}

// Operation reads one operation (section 4.6).
func (c *Client) Operation(ctx context.Context, project, id string) (models.Operation, error) {
	return fetch(ctx, c, operation(c, project, id), func(r *reader) (op models.Operation, err error) {
		found := false
		err = decodeMembers(r, "it", map[string]func() error{
			"operation": func() (err error) {
				found = true
				op, err = decodeObject[models.Operation]("operation")(r)
				return err
			},
		})
		if err == nil && !found {
			err = errors.New("operation is missing")
		}
		return op, err
	})
}

// OperationJSON reads one operation as the service sends it (section 4.6), but for the session's key where the service
// quotes that. The bytes are valid JSON and otherwise untouched: they have to be cleaned before they are shown.
func (c *Client) OperationJSON(ctx context.Context, project, id string) ([]byte, error) {
	return fetch(ctx, c, operation(c, project, id), func(r *reader) ([]byte, error) {
		raw, err := r.record(maxJSON)
		if err == nil && depth(raw) > maxDepth {
			err = errors.New("it is nested too deeply")
		}
		return raw, err
	})
}

func operation(c *Client, project, id string) call {
	return get("read operation "+c.safe(id), "projects", project, "operations", id)
}

// What is handed on as JSON grows when it is laid out for reading: by twice its depth for each of its values.
const (
	maxJSON  = 64 << 10 // in bytes
	maxDepth = 100
)

// depth is how deeply a valid document is nested.
func depth(doc []byte) (most int) {
	now := 0
	for d := json.NewDecoder(bytes.NewReader(doc)); ; {
		token, err := d.Token()
		if err != nil {
			return most
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			now++
			most = max(most, now)
		case json.Delim('}'), json.Delim(']'):
			now--
		}
	}
}

// pageQuery is the query of a list that is read page by page (section 4.5).
func pageQuery(page models.PageRequest) url.Values {
	query := url.Values{}
	if page.Limit > 0 {
		query.Set("limit", fmt.Sprint(page.Limit))
	}
	if page.Cursor != "" {
		query.Set("cursor", page.Cursor)
	}
	return query
}
