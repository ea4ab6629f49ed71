package client

import (
	"context"
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
	}, func(r *reader) (models.ProjectPage, error) {
		got, err := decodePage[models.Project](r, "projects", maxProjects)
		return models.ProjectPage{Projects: got.list, Cursor: page.Cursor, Next: got.next, Damage: got.damage}, err
	})
}
