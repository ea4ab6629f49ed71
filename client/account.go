package client

import (
	"context"
	"errors"

	"pgtower/models"
)

// Auth reads what the key is. Only the live service has it, as the other calls of this file.
func (c *Client) Auth(ctx context.Context) (models.Auth, error) {
	return fetch(ctx, c, get("identify the key", "auth"), decodeObject[models.Auth]("it"))
}

// User reads the user whom a personal key belongs to.
func (c *Client) User(ctx context.Context) (models.User, error) {
	return fetch(ctx, c, get("read the user", "users", "me"), decodeObject[models.User]("it"))
}

// Organizations lists all organizations of the user or, for a key of an organization, the one that it belongs to.
func (c *Client) Organizations(ctx context.Context) ([]models.Organization, error) {
	k := get("list organizations", "users", "me", "organizations")
	return fetch(ctx, c, k, func(doc []byte) ([]models.Organization, error) {
		parts, err := members(doc, "it", "organizations")
		if err != nil {
			return nil, err
		}
		return decodeList[models.Organization]("organizations")(parts["organizations"])
	})
}

// Organization reads one organization.
func (c *Client) Organization(ctx context.Context, id string) (models.Organization, error) {
	k := get("read organization "+c.safe(id), "organizations", id)
	return fetch(ctx, c, k, decodeObject[models.Organization]("it"))
}

// Project reads one project.
func (c *Client) Project(ctx context.Context, id string) (models.Project, error) {
	k := get("read project "+c.safe(id), "projects", id)
	return fetch(ctx, c, k, func(doc []byte) (models.Project, error) {
		project, err := decodeNamed[models.Project]("project")(doc)
		switch {
		case err != nil:
		case models.NoID(project.ID):
			project.ID = id
		case project.ID != id:
			err = errors.New("project has another id")
		}
		return project, err
	})
}
