package apikeys

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/control"
	"pgtower/models/keys"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// creation is a key that is being created. It becomes the profile's key if the user asks for that, or if it replaces the
// session's key.
type creation struct {
	keys.Flow

	page   *Page
	queue  queue // of the keys to rotate; this one replaces its first key
	dialog *dialog.Secret
	store  control.KeyStore // verifies and saves the key
	// file and command are what the user typed last.
	file, command string
}

// newCreation returns the creation of a key that was not requested yet.
func (p *Page) newCreation(c keys.Change) *creation {
	return &creation{Flow: keys.Flow{Change: c}, page: p}
}

// anyway performs the next task even if the session ends meanwhile, as only this answer has the secret. Then it calls done, or
// late if the session has ended.
func (c *creation) anyway(performer *keys.Performer, done func() tea.Cmd, late func()) tea.Cmd {
	flow := c.Flow
	return c.page.session.DoAnyway(page.APIKeys, func(ctx context.Context) (tea.Msg, func()) {
		return c.after(performer.Perform(ctx, flow), done, late)
	})
}

// after returns a message that takes over the flow and calls done, and a function that calls late instead.
func (c *creation) after(next keys.Flow, done func() tea.Cmd, late func()) (tea.Msg, func()) {
	return page.Result(func() tea.Cmd {
			c.Flow = next
			return done()
		}), func() {
			c.Flow = next
			late()
		}
}

// tell shows that there is no usable key. old is set if the old key is still in use.
func (c *creation) tell(tone style.Tone, problem, next string, old bool) {
	lines := []dialog.Line{line(tone, problem), {}, line(style.Plain, next)}
	if old {
		lines = append(lines, line(style.Plain, stillInUse))
	}
	c.dialog.Created(c.Made, "", lines...)
}

// made returns the new key, as far as it is known.
func (c *creation) made() models.APIKey {
	return models.APIKey{List: c.Made.List, ID: c.Made.ID, Name: c.Key.Name, ProjectID: c.Made.ProjectID}
}

// successor reports whether the key replaces a known one.
func (c *creation) successor() bool { return c.Old.ID != 0 }

const (
	stillInUse = "The old key is still in use."
	triesAgain = stillInUse + " k: try again, or leave and revoke this one."
)
