package ui

import (
	"context"

	"pgtower/models"
	"pgtower/models/control"
)

// noKinds is a service that knows one kind of key only.
type noKinds struct{ control.API }

func (noKinds) unknown() error { return &models.Error{Kind: models.KindNotFound, Status: 404} }

func (n noKinds) Auth(context.Context) (models.Auth, error) { return models.Auth{}, n.unknown() }
func (n noKinds) User(context.Context) (models.User, error) { return models.User{}, n.unknown() }

func (n noKinds) Organizations(context.Context) ([]models.Organization, error) {
	return nil, n.unknown()
}

func (n noKinds) Organization(context.Context, string) (models.Organization, error) {
	return models.Organization{}, n.unknown()
}
