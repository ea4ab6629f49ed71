package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"pgtower/models"
)

func get(doing string, path ...string) call {
	return call{doing: doing, method: http.MethodGet, path: path}
}

// APIKeys lists the API keys of the account, in the service's order (section 4.2).
func (c *Client) APIKeys(ctx context.Context) ([]models.APIKey, error) {
	return fetch(ctx, c, get("list API keys", "api_keys"), decodeList[models.APIKey]("it", maxKeys))
}

// CreateAPIKey creates an API key (section 4.1). It is never retried: after an error, the key may exist nevertheless.
func (c *Client) CreateAPIKey(ctx context.Context, name string) (models.CreatedAPIKey, error) {
	body, _ := json.Marshal(map[string]string{"key_name": name}) // strings always marshal
	k := call{doing: "create an API key", method: http.MethodPost, path: []string{"api_keys"}, body: body}
	return fetch(ctx, c, k, decodeObject[models.CreatedAPIKey]("it"))
}

// RevokeAPIKey revokes an API key (section 4.3). It is never retried: after an error, it may be revoked nevertheless.
func (c *Client) RevokeAPIKey(ctx context.Context, id int64) (models.APIKey, error) {
	number := strconv.FormatInt(id, 10)
	k := call{doing: "revoke API key " + number, method: http.MethodDelete, path: []string{"api_keys", number}}
	return fetch(ctx, c, k, decodeObject[models.APIKey]("it"))
}

// Projects lists a page of the projects (section 4.4). The query parameters are the live service's.
func (c *Client) Projects(ctx context.Context, r models.PageRequest) (models.Page[models.Project], error) {
	k := get("list projects", "projects")
	if c.options.OrgID != "" {
		k.query = url.Values{"org_id": {c.options.OrgID}}
	}
	return fetchPage(ctx, c, k, r, decodePage[models.Project]("projects", maxProjects))
}

// Operations lists a page of a project's operations, newest first (section 4.5).
func (c *Client) Operations(
	ctx context.Context, project string, r models.PageRequest,
) (models.Page[models.Operation], error) {
	k := get("list operations of "+c.safe(project), "projects", project, "operations")
	return fetchPage(ctx, c, k, r, decodePage[models.Operation]("operations", maxOperations))
}

// fetchPage reads a page of a list (section 4.5). Its AsOf is the time of the call.
func fetchPage[T any](
	ctx context.Context, c *Client, k call, r models.PageRequest, decode func(*reader) (models.Page[T], error),
) (models.Page[T], error) {
	asOf := c.options.Clock()
	if k.query == nil {
		k.query = url.Values{}
	}
	if r.Limit > 0 {
		k.query.Set("limit", strconv.Itoa(r.Limit))
	}
	if r.Cursor != "" {
		k.query.Set("cursor", r.Cursor)
	}
	page, err := fetch(ctx, c, k, decode)
	page.Limit, page.Cursor, page.AsOf, page.ServiceTime = r.Limit, r.Cursor, asOf, asOf.Add(c.Skew().Value)
	return page, err
}

// Operation reads one operation (section 4.6). Without an id, the response is about the one that was asked for.
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
		switch {
		case err != nil:
		case !found:
			err = errors.New("operation is missing")
		case models.NoID(op.ID):
			op.ID = id
		case !strings.EqualFold(op.ID, id):
			err = errors.New("operation has another id")
		}
		return op, err
	})
}

// OperationJSON returns an operation's valid JSON as the service sends it, not cleaned, without the session's key.
func (c *Client) OperationJSON(ctx context.Context, project, id string) ([]byte, error) {
	return fetch(ctx, c, operation(c, project, id), func(r *reader) ([]byte, error) {
		raw, err := r.record()
		switch {
		case err != nil:
			return nil, err
		case len(raw) > maxJSON:
			return nil, errLongValue
		case depth(raw) > maxDepth:
			return nil, errors.New("nested too deeply")
		}
		return raw, nil
	})
}

func operation(c *Client, project, id string) call {
	return get("read operation "+c.safe(id), "projects", project, "operations", id)
}

// Indenting JSON for reading adds twice the depth for each value.
const (
	maxJSON  = 64 << 10 // in bytes
	maxDepth = 100
)

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
