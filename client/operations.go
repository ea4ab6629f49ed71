package client

import (
	"context"
	"errors"
	"net/http"

	"pgtower/models"
)

// Operations lists a page of a project's operations, newest first (section 4.5).
// The page is dated by the client's clock as it was when the call began.
func (c *Client) Operations(ctx context.Context, project string, page models.PageRequest) (models.OperationPage, error) {
	asOf := c.clock()
	return fetch(ctx, c, call{
		doing:  "list operations of " + c.safe(project),
		method: http.MethodGet,
		path:   []string{"projects", project, "operations"},
		query:  pageQuery(page),
	}, func(r *reader) (models.OperationPage, error) {
		got, err := decodePage[models.Operation](r, "operations", maxOperations)
		return models.OperationPage{
			Operations: got.list, Limit: page.Limit, Cursor: page.Cursor, Next: got.next, AsOf: asOf, Damage: got.damage,
		}, err
	})
}

// Operation reads one operation (section 4.6).
func (c *Client) Operation(ctx context.Context, project, id string) (models.Operation, error) {
	return fetch(ctx, c, call{
		doing:  "read operation " + c.safe(id),
		method: http.MethodGet,
		path:   []string{"projects", project, "operations", id},
	}, func(r *reader) (op models.Operation, err error) {
		found := false
		err = decodeMembers(r, "it", map[string]func() error{
			"operation": func() (err error) {
				found = true
				op, err = decodeObject[models.Operation](r, "operation")
				return err
			},
		})
		if err == nil && !found {
			err = errors.New("operation is missing")
		}
		return op, err
	})
}

// OperationJSON reads one operation as the service sends it (section 4.6), but for the
// session's key where the service quotes that. The bytes are valid JSON and otherwise
// untouched: they have to be cleaned before they are shown.
func (c *Client) OperationJSON(ctx context.Context, project, id string) ([]byte, error) {
	return fetch(ctx, c, call{
		doing:  "read operation " + c.safe(id),
		method: http.MethodGet,
		path:   []string{"projects", project, "operations", id},
	}, func(r *reader) ([]byte, error) {
		raw, err := r.record(maxJSON)
		if err == nil && depth(raw) > maxDepth {
			err = errors.New("it is nested too deeply")
		}
		return raw, err
	})
}

// What is handed on as JSON grows when it is laid out for reading: by twice its depth for
// each of its values.
const (
	maxJSON  = 64 << 10 // in bytes
	maxDepth = 100
)

// depth is how deeply a valid document is nested.
func depth(doc []byte) (most int) {
	now, quoted := 0, false
	for i := 0; i < len(doc); i++ {
		switch c := doc[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{', c == '[':
			now++
			most = max(most, now)
		case c == '}', c == ']':
			now--
		}
	}
	return most
}
