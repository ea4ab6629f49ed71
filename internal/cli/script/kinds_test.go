package script

import (
	"context"

	"pgtower/models"
	"pgtower/ui"
)

// noKinds is a service that knows one kind of key only.
type noKinds struct{ ui.API }

func (noKinds) unknown() error { return &models.Error{Kind: models.KindNotFound, Status: 404} }

func (n noKinds) Auth(context.Context) (models.Auth, error) { return models.Auth{}, n.unknown() }

func (n noKinds) Organizations(context.Context) ([]models.Organization, error) {
	return nil, n.unknown()
}

func (n noKinds) Project(context.Context, string) (models.Project, error) {
	return models.Project{}, n.unknown()
}
