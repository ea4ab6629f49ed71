package feed

import (
	"context"
	"time"

	"pgtower/models"
)

// Purpose is what a request is for.
type Purpose int

// The purposes.
const (
	Head   Purpose = iota // a project's newest page
	Join                  // a page that closes the gap between a head page and known rows
	Reread                // a page or an operation, for unfinished operations below the head page
	Gapped                // a page of a gap that the user opened
	Older                 // a page of the [Range]
)

// request asks for a page of a project's operations (section 4.5) or, if ID is set, for one operation (section 4.6).
type request struct {
	Project string
	ID      string
	models.PageRequest

	Purpose Purpose
	AsOf    time.Time // when the request was made: its response was true then or later

	pages   int       // how many pages may follow this one
	failed  bool      // it has failed, and is asked for once more
	changed time.Time // ChangedAt of the project
}

// Answer is what the service told of a project's operations: a page of them or, if ID is set, one operation.
type Answer struct {
	request

	Page      models.Page[models.Operation]
	Operation models.Operation
	Err       error
	Change    Change // what it changed in the feed of the project
}

// Service is the part of the control API that answers about operations.
type Service interface {
	// Operations returns a page of a project's operations (section 4.5).
	Operations(ctx context.Context, project string, r models.PageRequest) (models.Page[models.Operation], error)
	// Operation reads one operation (section 4.6).
	Operation(ctx context.Context, project, id string) (models.Operation, error)
}

// RequestTimeout is the timeout of a request. The project is retried later.
const RequestTimeout = 15 * time.Second

// ask makes a request, and gives up after [RequestTimeout].
func (r request) ask(ctx context.Context, s Service) Answer {
	ctx, cancel := context.WithTimeout(ctx, RequestTimeout)
	defer cancel()
	a := Answer{request: r}
	if r.ID != "" {
		a.Operation, a.Err = s.Operation(ctx, r.Project, r.ID)
	} else {
		a.Page, a.Err = s.Operations(ctx, r.Project, r.PageRequest)
	}
	a.Page.AsOf = r.AsOf // a request that was held back starts later
	return a
}

// target identifies a page or an operation of a project.
type target struct{ Project, ID, Cursor string }

func (r request) target() target { return target{r.Project, r.ID, r.Cursor} }

// is matches requests with a purpose.
func is(purpose Purpose) func(request) bool {
	return func(r request) bool { return r.Purpose == purpose }
}
