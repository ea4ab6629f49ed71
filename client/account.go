package client

import (
	"context"
	"errors"

	"pgtower/models"
)

// Auth reads the kind and the account of the key. Only the live service has this call and the others in this file.
func (c *Client) Auth(ctx context.Context) (models.Auth, error) {
	return fetch(ctx, c, get("identify the key", "auth"), "it", decodeObject[models.Auth])
}

// User reads the owner of a personal key.
func (c *Client) User(ctx context.Context) (models.User, error) {
	return fetch(ctx, c, get("read the user", "users", "me"), "it", decodeObject[models.User])
}

// Organizations lists all organizations of the user. For a key of an organization, it lists only that one.
func (c *Client) Organizations(ctx context.Context) ([]models.Organization, error) {
	k := get("list organizations", "users", "me", "organizations")
	return fetch(ctx, c, k, "organizations", decodeNamedList[models.Organization])
}

// Organization reads one organization.
func (c *Client) Organization(ctx context.Context, id string) (models.Organization, error) {
	k := get("read organization "+c.safe(id), "organizations", id)
	return fetch(ctx, c, k, "it", decodeObject[models.Organization])
}

// Project reads one project.
func (c *Client) Project(ctx context.Context, id string) (models.Project, error) {
	k := get("read project "+c.safe(id), "projects", id)
	return fetch(ctx, c, k, id, decodeProject)
}

// decodeProject decodes a project, and checks its id. If it has none, it is the project that was asked for.
func decodeProject(doc []byte, id string) (models.Project, error) {
	project, err := decodeNamed[models.Project](doc, "project")
	switch {
	case err != nil:
	case models.NoID(project.ID):
		project.ID = id
	case project.ID != id:
		err = errors.New("project has another id")
	}
	return project, err
}
