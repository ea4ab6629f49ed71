package account

import (
	"context"

	"pgtower/models"
)

// slow is a service that answers with projects only.
type slow struct{}

func (slow) Projects(context.Context, models.ListID, models.PageRequest) (models.Page[models.Project], error) {
	return models.Page[models.Project]{Items: []models.Project{{ID: "p1"}}}, nil
}

func (slow) Auth(ctx context.Context) (models.Auth, error) {
	<-ctx.Done()
	return models.Auth{}, ctx.Err()
}

func (slow) User(ctx context.Context) (models.User, error) {
	<-ctx.Done()
	return models.User{}, ctx.Err()
}

func (slow) Organizations(ctx context.Context) ([]models.Organization, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func (slow) Organization(ctx context.Context, _ string) (models.Organization, error) {
	<-ctx.Done()
	return models.Organization{}, ctx.Err()
}
