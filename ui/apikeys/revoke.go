package apikeys

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/confirm"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/theme"
	"pgtower/ui/when"
)

// inUse is how recently a key must have been used for its loss to be likely to hurt.
const inUse = 7 * 24 * time.Hour

// irrevocable is what every question about a revocation says.
const irrevocable = "It stops working at once, for everything that uses it. This cannot be undone."

// askToRevoke asks about the marked keys, or else about the selected one.
func (p *Page) askToRevoke() {
	if marked := p.table.List().Marked(); len(marked) > 0 {
		p.open(p.batchQuestion(marked))
		return
	}
	if k, ok := p.table.List().Selected(); ok {
		p.open(p.revokeQuestion(*k))
	}
}

// revokeQuestion asks whether to revoke a key. The session's own, and a key that
// something seems to be using, needs its name typed.
func (p *Page) revokeQuestion(k models.APIKey) page.Dialog {
	now := p.session.Now()
	own := k.ID == p.rows.own
	lines := []dialog.Line{{Tone: theme.Muted, Text: use(&k, now)}, {}}
	switch {
	case own:
		lines = append(lines, dialog.Line{
			Tone: theme.Bad,
			Text: "It is the key of this session: you will have to sign in with another one. R makes a new one first, and then revokes this.",
		})
	case usedLately(&k, now):
		text := "Something still uses this key."
		if p.rows.own == 0 {
			text += " It may be this session's own: pgtower cannot know which key that is."
		}
		lines = append(lines, dialog.Line{Tone: theme.Waiting, Text: text})
	}
	return p.question(k, append(lines, dialog.Line{Text: irrevocable}), own)
}

// revokeOldQuestion asks whether to revoke the key that another one took the place of,
// after what was done.
func (p *Page) revokeOldQuestion(old models.APIKey, done []dialog.Line) page.Dialog {
	return p.question(old, append(done, dialog.Line{},
		dialog.Line{Tone: theme.Muted, Text: use(&old, p.session.Now())},
		dialog.Line{Text: "Revoke the old key? Nothing else must be using it. " + irrevocable}), true)
}

func (p *Page) question(k models.APIKey, lines []dialog.Line, typed bool) page.Dialog {
	q := confirm.Question{
		Title: "Revoke " + k.Name + "?",
		Lines: lines,
		Verb:  "Revoke",
		Then:  page.To{Page: page.APIKeys, Msg: revokeWanted{target{k.ID, k.Name}}},
	}
	if typed || usedLately(&k, p.session.Now()) {
		q.Type, q.What = k.Name, "the key's name"
	}
	return confirm.New(q)
}

func usedLately(k *models.APIKey, now time.Time) bool {
	return !k.LastUsedAt.IsZero() && now.Sub(k.LastUsedAt) < inUse
}

// use is what is known about a key and its use.
func use(k *models.APIKey, now time.Time) string {
	return fmt.Sprintf("id %d · name %s · %s", k.ID, k.Name, lastUse(k, now))
}

// lastUse is when and from where a key was last used.
func lastUse(k *models.APIKey, now time.Time) string {
	if k.LastUsedAt.IsZero() {
		return "never used"
	}
	s := "last used " + when.Ago(k.LastUsedAt, now)
	if k.LastUsedFromAddr != "" {
		s += " from " + k.LastUsedFromAddr
	}
	return s
}

func (p *Page) tookRevoked(msg revoked) tea.Cmd {
	f := p.rows.settle(msg.id, msg.err)
	if p.batch != nil {
		return p.tookOneOfBatch(msg, f)
	}
	switch {
	case f.state == gone && msg.err != nil:
		return tea.Batch(p.load(), page.Say(page.Notice{Tone: theme.Waiting, Text: msg.name + " was gone already"}))
	case f.state == gone:
		p.err = nil
		if msg.id == p.rows.own {
			p.session.Tell(page.SignedOut{Reason: "You revoked the key of this session, " + msg.name + "."})
			return nil
		}
		return page.Say(page.Notice{Tone: theme.Good, Text: "✓ revoked " + msg.name})
	case f.state == unsure:
		return tea.Batch(p.failed(msg.err), p.load())
	}
	return p.failed(msg.err)
}
