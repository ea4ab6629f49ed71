package apikeys

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// inUse is how recently a key must have been used for its loss to be likely to hurt.
const inUse = 7 * 24 * time.Hour

// irrevocable is what every question about a revocation says.
const irrevocable = "It stops working at once, for everything that uses it. This cannot be undone."

// askToRevoke asks about the marked keys, or else about the selected one.
func (p *Page) askToRevoke() {
	list := p.table.List()
	if list.CountMarked() > 0 {
		p.open(p.markedQuestion(list.Marked()))
		return
	}
	if k, ok := list.Selected(); ok {
		p.open(p.revokeQuestion(*k))
	}
}

// revokeQuestion asks whether to revoke a key, after the lines that are to be said
// first. The session's own, and a key that something seems to be using, needs its name
// typed.
func (p *Page) revokeQuestion(k models.APIKey, first ...dialog.Line) page.Dialog {
	now := p.session.ServiceNow()
	lines := append(first, dialog.Line{Tone: style.Muted, Text: p.use(&k)}, dialog.Line{})
	lines = append(lines, p.sharedWarning(k.ID)...)
	careful := perhapsInUse(&k, now)
	switch {
	case p.rows.isOwn(&k):
		careful = true
		lines = append(lines, dialog.Line{
			Tone: style.Bad,
			Text: "It is the key of this session: you will have to sign in with another one. R makes a new one first, and then revokes this.",
		})
	case k.ID == p.rows.perhapsKept.id:
		careful = true
		lines = append(lines, dialog.Line{
			Tone: style.Bad,
			Text: "It may have been kept as this profile's key: whether it was, the keyring did not say. The next start would then be refused.",
		})
	case careful:
		text := "Something still uses this key."
		if !k.LastUsedAt.Known {
			text = "Something may still use this key: the time of its last use could not be read."
		}
		if p.rows.own.id == 0 {
			text += " It may be this session's own: pgtower cannot know which key that is."
		}
		lines = append(lines, dialog.Line{Tone: style.Waiting, Text: text})
	}
	return question(k, append(lines, dialog.Line{Text: irrevocable}), careful || p.rows.shared[k.ID])
}

// sharedWarning is what has to be known before anything is done with an id that more than
// one key has.
func (p *Page) sharedWarning(id int64) []dialog.Line {
	if !p.rows.shared[id] {
		return nil
	}
	return []dialog.Line{{
		Tone: style.Bad,
		Text: fmt.Sprintf("More than one key has the id %d. Which of them the service would revoke is unknown: it may be another one.", id),
	}}
}

// question asks whether to revoke a key. careful wants its name typed.
func question(k models.APIKey, lines []dialog.Line, careful bool) page.Dialog {
	q := dialog.Question{
		Title: "Revoke " + k.Name + "?",
		Lines: lines,
		Verb:  "Revoke",
		Then:  page.To{Page: page.APIKeys, Msg: revokeWanted{target{k.ID, k.Name}}},
	}
	if careful {
		q.Type, q.What = k.Name, "the key's name"
	}
	return dialog.NewConfirm(q)
}

// perhapsInUse reports whether something may be using a key: it was used lately, or nobody
// knows when it was.
func perhapsInUse(k *models.APIKey, now time.Time) bool {
	idle := k.Idle(now)
	return !k.LastUsedAt.Known || idle.Known && idle.Value < inUse
}

// use is what is known about a key and its use.
func (p *Page) use(k *models.APIKey) string {
	now := p.session.ServiceNow()
	return fmt.Sprintf("%s · id %d · name %s · created %s · %s", p.account, k.ID, k.Name, p.session.Times.Date(k.CreatedAt, now), p.lastUse(k, now))
}

// lastUse is when and from where a key was last used.
func (p *Page) lastUse(k *models.APIKey, now time.Time) string {
	if k.NeverUsed() {
		return "never used"
	}
	s := "last use " + unknownUse
	if k.LastUsedAt.Known {
		s = "last used " + p.session.Times.Ago(k.LastUsedAt.Value, now)
	}
	if k.LastUsedFromAddr != "" {
		s += " from " + k.LastUsedFromAddr
	}
	return s
}

func (p *Page) tookRevoked(msg revoked) tea.Cmd {
	f := p.rows.settle(msg.target, msg.err)
	if msg.of != nil {
		return p.tookOneOfBatch(msg, f)
	}
	switch {
	case f.state == gone && msg.err != nil:
		return tea.Batch(p.load(), page.Say(page.Notice{Tone: style.Waiting, Text: msg.name + " was gone already"}))
	case f.state == gone && p.rows.shared[msg.id]:
		text := fmt.Sprintf("✓ revoked a key with the id %d: the list shows which one is left", msg.id)
		return tea.Batch(p.load(), page.Say(page.Notice{Tone: style.Waiting, Text: text}))
	case f.state == gone && msg.id == p.rows.own.id:
		p.session.Tell(page.SignedOut{Reason: "You revoked the key of this session, " + msg.name + "."})
		return nil
	case f.state == gone:
		p.changeErr = nil
		return page.Say(page.Notice{Tone: style.Good, Text: "✓ revoked " + msg.name})
	case f.state == unsure:
		p.changeFailed(msg.err)
		return p.load()
	}
	p.changeFailed(msg.err)
	return nil
}
