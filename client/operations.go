package client

import (
	"context"
	"encoding/json"
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
	}, func(d *json.Decoder) (models.OperationPage, error) {
		operations, next, err := decodePage[models.Operation](d, "operations")
		return models.OperationPage{Operations: operations, Cursor: page.Cursor, Next: next, AsOf: asOf}, err
	})
}

// Operation reads one operation (section 4.6).
func (c *Client) Operation(ctx context.Context, project, id string) (models.Operation, error) {
	return fetch(ctx, c, call{
		doing:  "read operation " + c.safe(id),
		method: http.MethodGet,
		path:   []string{"projects", project, "operations", id},
	}, func(d *json.Decoder) (op models.Operation, err error) {
		found := false
		err = decodeMembers(d, "it", map[string]func() error{
			"operation": func() (err error) {
				found = true
				op, err = decodeObject[models.Operation](d, "operation")
				return err
			},
		})
		if err == nil && !found {
			err = errors.New("operation is missing")
		}
		return op, err
	})
}

// OperationJSON reads one operation as the service sends it (section 4.6). The bytes
// are valid JSON and otherwise untouched: they have to be cleaned before they are shown.
func (c *Client) OperationJSON(ctx context.Context, project, id string) ([]byte, error) {
	return fetch(ctx, c, call{
		doing:  "read operation " + c.safe(id),
		method: http.MethodGet,
		path:   []string{"projects", project, "operations", id},
	}, func(d *json.Decoder) ([]byte, error) {
		var raw json.RawMessage
		err := d.Decode(&raw)
		return raw, err
	})
}
