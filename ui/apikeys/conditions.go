package apikeys

import (
	"cmp"

	"pgtower/models"
)

// conditions decide whether keys can be changed now. Their methods return why not, or "".
type conditions struct {
	keys     *shownKeys
	selected *models.APIKey // or nil
	marked   int            // number of keys
	unread   bool           // the lists were not read, so the names in use are unknown
	readOnly string         // why keys cannot be changed, or empty
	fixed    string         // why this key cannot create others, or empty
	unsaved  bool           // there is nowhere to save a key
}

const noneSelected = "no key is selected"

func (c conditions) create() string {
	unread := ""
	if c.unread {
		unread = "the keys have not been loaded"
	}
	return cmp.Or(c.readOnly, c.fixed, unread)
}

func (c conditions) rotate() string {
	why := c.create()
	switch {
	case why != "":
		return why
	case c.selected == nil:
		return noneSelected
	case c.marked > 0:
		return ""
	case c.keys.isOwn(c.selected):
		return c.rotateOwn()
	}
	return c.keys.notRevocable(c.selected)
}

func (c conditions) rotateOwn() string {
	if c.unsaved {
		return "there is nowhere to save a key"
	}
	return c.create()
}

func (c conditions) revoke() string {
	switch {
	case c.readOnly != "":
		return c.readOnly
	case c.selected == nil:
		return noneSelected
	case c.marked > 0:
		return ""
	}
	return c.keys.notRevocable(c.selected)
}

func (c conditions) copy() string {
	switch {
	case c.selected == nil:
		return noneSelected
	case c.selected.ID == 0:
		return noID
	}
	return ""
}
