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

// Projects lists a page of a list of projects (section 4.4). Only the live service has the query parameters and the
// organizations. A key of one project cannot list projects: its list is the record of that project.
func (c *Client) Projects(
	ctx context.Context, id models.ListID, r models.PageRequest,
) (models.Page[models.Project], error) {
	if id.Project != "" {
		project, err := c.Project(ctx, id.Project)
		if err != nil {
			return models.Page[models.Project]{}, err
		}
		return models.Page[models.Project]{Items: []models.Project{project}}, nil
	}
	k := get("list projects", "projects")
	switch {
	case id.Shared:
		k = get("list shared projects", "projects", "shared")
	case id.Org != "":
		k = get("list projects of "+c.safe(id.Org), "projects")
		k.query = url.Values{"org_id": {id.Org}}
	}
	return fetchPage(ctx, c, k, r, "projects", decodePage[models.Project])
}

// Operations lists a page of a project's operations, newest first (section 4.5).
func (c *Client) Operations(
	ctx context.Context, project string, r models.PageRequest,
) (models.Page[models.Operation], error) {
	k := get("list operations of "+c.safe(project), "projects", project, "operations")
	return fetchPage(ctx, c, k, r, "operations", decodePage[models.Operation])
}

// fetchPage reads a page of a list with a name (section 4.5). Its AsOf is the time of the call.
func fetchPage[T any](
	ctx context.Context, c *Client, k call, r models.PageRequest,
	name string, decode func(doc []byte, name string) (models.Page[T], error),
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
	page, err := fetch(ctx, c, k, name, decode)
	page.Limit, page.Cursor, page.AsOf, page.ServiceTime = r.Limit, r.Cursor, asOf, asOf.Add(c.Skew().Value)
	return page, err
}

// Operation reads one operation (section 4.6).
func (c *Client) Operation(ctx context.Context, project, id string) (models.Operation, error) {
	return fetch(ctx, c, operation(c, project, id), id, decodeOperation)
}

// decodeOperation decodes an operation, and checks its id. If it has none, it is the operation that was asked for.
func decodeOperation(doc []byte, id string) (models.Operation, error) {
	op, err := decodeNamed[models.Operation](doc, "operation")
	switch {
	case err != nil:
	case models.NoID(op.ID):
		op.ID = id
	case !strings.EqualFold(op.ID, id):
		err = errors.New("operation has another id")
	}
	return op, err
}

// OperationJSON returns an operation's valid JSON as the service sends it: not cleaned, but without the session's key.
func (c *Client) OperationJSON(ctx context.Context, project, id string) ([]byte, error) {
	return fetch(ctx, c, operation(c, project, id), maxJSON, checkJSON)
}

// checkJSON returns a document that is valid JSON, has at most a number of bytes, and is not nested too deeply.
func checkJSON(doc []byte, limit int) ([]byte, error) {
	switch {
	case len(doc) > limit:
		return nil, errTooLong
	case depth(doc) > maxDepth:
		return nil, errors.New("nested too deeply")
	}
	return bytes.TrimSpace(doc), parse(doc, new(any), nil)
}

func operation(c *Client, project, id string) call {
	return get("read operation "+c.safe(id), "projects", project, "operations", id)
}

// The limits of JSON that is shown. Indentation adds twice the depth for each value.
const (
	maxJSON  = 64 << 10 // in bytes
	maxDepth = 100
)

// depth returns how deeply objects and arrays are nested in a document.
func depth(doc []byte) (deepest int) {
	level := 0
	for d := json.NewDecoder(bytes.NewReader(doc)); ; {
		token, err := d.Token()
		if err != nil {
			return deepest
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			level++
			deepest = max(deepest, level)
		case json.Delim('}'), json.Delim(']'):
			level--
		}
	}
}
