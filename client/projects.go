package client

import (
	"context"
	"encoding/json"
	"net/http"

	"pgtower/models"
)

// Projects lists a page of the account's projects (section 4.4), or of those of the
// client's organisation. The specification names no query parameters; limit, cursor
// and org_id are the live service's.
func (c *Client) Projects(ctx context.Context, page models.PageRequest) (models.ProjectPage, error) {
	query := pageQuery(page)
	if c.orgID != "" {
		query.Set("org_id", c.orgID)
	}
	return fetch(ctx, c, call{
		doing:  "list projects",
		method: http.MethodGet,
		path:   []string{"projects"},
		query:  query,
	}, func(d *json.Decoder) (models.ProjectPage, error) {
		projects, next, err := decodePage[models.Project](d, "projects")
		return models.ProjectPage{Projects: projects, Cursor: page.Cursor, Next: next}, err
	})
}
