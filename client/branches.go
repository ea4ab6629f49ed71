package client

import (
	"context"
	"net/url"

	"pgtower/models"
)

// maxBranches is a good length of a page of branches: most projects have fewer.
const maxBranches = 1000

// Branches lists a page of a project's branches, newest first. Only the live service has it, as the other calls of this
// file; its pages go on at pagination.next. They are in the order of creation, which no change of a branch moves: by
// default it is that of their last change, and a branch that changed between two pages could be missed.
func (c *Client) Branches(
	ctx context.Context, project string, r models.PageRequest,
) (models.Page[models.Branch], error) {
	k := get("list branches of "+c.safe(project), "projects", project, "branches")
	k.query = url.Values{"sort_by": {"created_at"}}
	return fetchPage(ctx, c, k, r, decodePageBy[models.Branch]("branches", nextPage))
}

// Endpoints lists the computes of all branches of a project. The service sends them in one page.
func (c *Client) Endpoints(ctx context.Context, project string) (models.Page[models.Endpoint], error) {
	k := get("list computes of "+c.safe(project), "projects", project, "endpoints")
	return fetchPage(ctx, c, k, models.PageRequest{}, decodePageBy[models.Endpoint]("endpoints", nextPage))
}

// Members lists a page of the members of an organization. Its pages go on at pagination.next.
func (c *Client) Members(ctx context.Context, org string, r models.PageRequest) (models.Page[models.Member], error) {
	k := get("list members of "+c.safe(org), "organizations", org, "members")
	return fetchPage(ctx, c, k, r, decodePageBy[models.Member]("members", nextPage))
}

// nextPage is the field of the pagination object that has the cursor.
const nextPage = "next"
