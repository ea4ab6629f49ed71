package keychange

import (
	"slices"

	"pgtower/models"
)

// Listed is a list of keys as it was answered.
type Listed struct {
	Of     models.ListID
	Keys   []models.APIKey
	Number int // of the request, from 1
}

// ID returns the list.
func (l *Listed) ID() models.ListID { return l.Of }

// Request returns the number of the request.
func (l *Listed) Request() int { return l.Number }

// Has reports whether a key is listed.
func (l *Listed) Has(id int64) bool {
	return slices.ContainsFunc(l.Keys, func(k models.APIKey) bool { return k.ID == id })
}

// Named returns the key of a name, or nil.
func (l *Listed) Named(name string) *models.APIKey {
	if i := slices.IndexFunc(l.Keys, func(k models.APIKey) bool { return k.Name == name }); i >= 0 {
		return &l.Keys[i]
	}
	return nil
}
