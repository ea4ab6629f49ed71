package apikeys

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// askFile asks for a file, and saves the secret to it.
func (c *creation) askFile() {
	c.askText(dialog.FormSpec{
		Title: "Save the secret to a file", Label: "File", Text: c.file, Verb: "Save",
		About:  "Saves the secret to a new file that only you can read. The folder must exist; ~ is your home.",
		Submit: c.toFile,
	})
}

func (c *creation) toFile(name string) tea.Cmd {
	c.file = name
	files, secret := c.page.session.Files, []byte(c.Made.Key.Reveal())
	return c.give(keys.ToFile, "Writing the file…", "The secret was not saved. ", func(context.Context) (string, error) {
		return savedTo(files.WriteNew(name, secret))
	})
}

// savedTo returns the message about a file with the secret, and the error of writing it.
func savedTo(path string, err error) (done string, _ error) {
	return "Saved the secret to " + models.Clean(path) + ", which only you can read.", err
}

// askCommand asks for a command, and pipes the secret to it.
func (c *creation) askCommand() {
	c.askText(dialog.FormSpec{
		Title: "Pipe the secret to a command", Label: "Command", Text: c.command, Verb: "Run",
		About: "Runs the line in your shell, with the secret as its standard input. " +
			"An example: pass insert -m pgtower/key. It has 30 seconds, and no terminal.",
		Submit: c.toCommand,
	})
}

func (c *creation) toCommand(line string) tea.Cmd {
	c.command = line
	store, secret := c.page.options.KeyStore, c.Made.Key
	return c.give(keys.ToCommand, "Waiting for the command…", "", func(ctx context.Context) (string, error) {
		return "The command read the secret and succeeded (exit status 0).", store.Pipe(ctx, line, secret)
	})
}

func (c *creation) askText(f dialog.FormSpec) {
	f.Check = func(text string) string { return emptyProblem(f.Label, text) }
	c.page.session.Open(dialog.NewForm(f))
}

// emptyProblem returns that a text is missing, or "".
func emptyProblem(label, text string) string {
	if text != "" {
		return ""
	}
	return "The " + strings.ToLower(label) + " must not be empty."
}

// give calls save, even if the session ends meanwhile, as the secret cannot be shown again. Then it reads the list: the row of
// the key shows where the secret is. failed is the beginning of an error.
func (c *creation) give(receiver, doing, failed string, save func(context.Context) (done string, err error)) tea.Cmd {
	c.dialog.Doing(doing)
	c.Deliver(receiver)
	done, performer := "", c.page.performer()
	performer.HandOver = func(ctx context.Context, _ *models.CreatedAPIKey) (maybe bool, err error) {
		done, err = save(ctx)
		return false, err
	}
	previous := c.Flow
	show := func() { c.given(&previous, failed, done) }
	return c.anyway(performer, action.Do(func() {
		show()
		c.page.read(c.Key.List)
	}), show)
}

// given shows whether the secret was handed over. previous is the flow before it was.
func (c *creation) given(previous *keys.Flow, failed, done string) {
	c.page.handed(previous, &c.Flow)
	if c.Undelivered != nil {
		c.dialog.NotKept(failed + style.Sentence(sentence(c.Undelivered)))
		return
	}
	c.dialog.Given(done)
}

// taking records that the user takes the secret from the screen or copies it: whether it arrived is unknown. Meanwhile the flow
// may continue.
func (c *creation) taking(receiver string) tea.Cmd {
	p, flow, performer := c.page, c.Flow, c.page.performer()
	flow.Take(receiver)
	return p.session.DoAnyway(page.APIKeys, func(ctx context.Context) (tea.Msg, func()) {
		return p.taken(&flow, performer.Perform(ctx, flow)), nil
	})
}

// taken returns a message that records that a secret was taken, and reads the list of its key.
func (p *Page) taken(previous *keys.Flow, f keys.Flow) page.Result {
	return page.Result(action.Do(func() {
		p.handed(previous, &f)
		p.read(f.Key.List)
	}))
}
