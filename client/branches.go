package client

import (
	"context"
	"net/url"

	"pgtower/models"
)

// maxBranches is a good length of a page of branches: most projects have fewer branches.
const maxBranches = 1000

// Branches lists a page of a project's branches, newest first. Only the live service has this call and the others in this
// file. It sorts by creation, because that never changes. By default the service sorts by the last change: a branch that
// changes between the reads of two pages could then be missed.
func (c *Client) Branches(
	ctx context.Context, project string, r models.PageRequest,
) (models.Page[models.Branch], error) {
	k := get("list branches of "+c.safe(project), "projects", project, "branches")
	k.query = url.Values{"sort_by": {"created_at"}}
	return fetchPage(ctx, c, k, r, "branches", decodeNextPage[models.Branch])
}

// Endpoints lists the computes of all branches of a project. The service sends them in one page.
func (c *Client) Endpoints(ctx context.Context, project string) (models.Page[models.Endpoint], error) {
	k := get("list computes of "+c.safe(project), "projects", project, "endpoints")
	return fetchPage(ctx, c, k, models.PageRequest{}, "endpoints", decodeNextPage[models.Endpoint])
}

// Members lists a page of the members of an organization.
func (c *Client) Members(ctx context.Context, org string, r models.PageRequest) (models.Page[models.Member], error) {
	k := get("list members of "+c.safe(org), "organizations", org, "members")
	return fetchPage(ctx, c, k, r, "members", decodeNextPage[models.Member])
}
