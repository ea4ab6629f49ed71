package ui

import (
	"context"
	"errors"
	"slices"
	"time"

	"pgtower/models"
	"pgtower/ui/apikeys"
	"pgtower/ui/operations"
	"pgtower/ui/projects"
)

// API is what the pages ask of the control API.
type API interface {
	operations.Service
	projects.Service
	apikeys.Service
}

// Connection is a way to the API with a key.
type Connection struct {
	API API
	// KeyStore tries new keys, and saves one in place of that which the API is asked with.
	KeyStore apikeys.KeyStore
	// KeyID is the id of that key, or 0 where it is not known.
	KeyID int64
	// ReadOnly says why nothing may be changed, or is empty.
	ReadOnly string
	// Source says where the key came from, such as "key of the keyring".
	Source string
	// BaseURL is the address that the API is asked at, and Host its name.
	BaseURL, Host string
	// Skew returns how far the service's clock is ahead, as far as that is known; it may be nil.
	Skew func() models.Opt[time.Duration]
	// Warning is something that the user should know, such as that the key could not be kept; or empty.
	Warning string
}

// ErrNoKey is what a [Authenticator] returns where no key was ever given.
var ErrNoKey = errors.New("no API key")

// Authenticator finds, tries and keeps API keys, and asks only the service at the address it is given.
type Authenticator interface {
	// Open connects with the key that is there already, untried. It returns ErrNoKey if there is none.
	Open(ctx context.Context, baseURL string) (Connection, error)
	// SignIn tries the key with a request to the service at baseURL, and keeps it if the service accepts it.
	SignIn(ctx context.Context, baseURL string, key models.Secret) (Connection, error)
	// Forget drops a refused key from memory, so that Open looks for one anew.
	Forget(baseURL string)
}

// isOf reports whether a connection is to the account of the projects and keys at an address: that has at least half
// of the projects that the service lists for the connection. A project that is shared is no proof, and one that was
// deleted meanwhile none against it. Where there are no projects, one of the keys has to be listed, if any were.
func (c *Connection) isOf(ctx context.Context, baseURL string, projects []models.Project, keys []int64) (bool, error) {
	const compared = 100 // projects tell accounts apart
	if c.BaseURL != baseURL {
		return false, nil
	}
	list, err := c.API.Projects(ctx, models.PageRequest{Limit: compared})
	if err != nil {
		return false, err
	}
	known := 0
	for _, listed := range list.Projects {
		if slices.ContainsFunc(projects, func(p models.Project) bool { return p.ID == listed.ID }) {
			known++
		}
	}
	if len(list.Projects)+len(projects) > 0 {
		return known > 0 && 2*known >= len(list.Projects), nil
	}
	if len(keys) == 0 {
		return true, nil
	}
	listed, err := c.API.APIKeys(ctx)
	return slices.ContainsFunc(listed, func(k models.APIKey) bool { return slices.Contains(keys, k.ID) }), err
}
