// Package apikeys lists the API keys of the account and its organizations, creates, rotates and revokes them.
package apikeys

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/control"
	"pgtower/models/keys"
	"pgtower/models/poll"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// New returns the page of a session.
func New(session *page.Session, service Service, key *account.Account, o Options) *Page {
	p := &Page{session: session, keys: &shownKeys{Changes: keys.NewChanges()}, rotations: newRotations()}
	p.names.Store(&models.Names{})
	p.fields = slices.Concat(
		models.APIKeyFields(func() models.Names { return *p.names.Load() }), keys.UseFields(p.audited, p.zone),
	)
	p.listPage = p.newListPage()
	p.connect(service, key, o)
	return p
}

// Reconnect continues with another connection, and reads the lists again.
func (p *Page) Reconnect(c *control.Connection) { p.reconnect(c.API, c.Account, p.options.With(c)) }

func (p *Page) reconnect(service Service, key *account.Account, o Options) {
	p.connect(service, key, o)
	if p.shown {
		p.load()
	}
}

// Shown reads the lists unless they are recent.
func (p *Page) Shown() tea.Cmd {
	p.shown = true
	p.learn()
	for _, list := range p.keys.all {
		list.wanted = list.wanted || p.session.Now().Sub(list.good) > staleAfter
	}
	reader{p}.put()
	return nil
}

// Update handles a message.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case page.Answered:
		return p.answered(msg)
	case page.ShowKey:
		p.Restore(rowOf(msg.Ref), false)
		return p.Refresh()
	case page.ProjectList:
		added := p.learn()
		p.reaudit()
		switch {
		case p.shown:
			p.read(added...)
			return p.Refresh()
		case len(added) > 0:
			return reader{p}.readRemembered()
		}
		return nil
	}
	return p.listPage.Update(msg)
}

// answered handles the answers that are lists of keys or of members.
func (p *Page) answered(answers page.Answered) tea.Cmd {
	var cmds []tea.Cmd
	for _, a := range answers {
		if a.Kind == membersKind {
			p.membersAnswered(a)
			cmds = append(cmds, p.Refresh())
			continue
		}
		list := p.keys.get(models.ListID{Org: a.Of})
		if a.Kind != listKind || a.Late || list == nil || models.KindOf(a.Err) == models.KindCanceled {
			continue
		}
		cmds = append(cmds, p.loaded(list, a))
	}
	return tea.Batch(cmds...)
}

// loaded handles the answer to the request for a list.
func (p *Page) loaded(asked *keyList, a poll.Answer) tea.Cmd {
	asked.err = a.Err
	p.asked = p.asked && reader{p}.reading().Busy
	list, ok := a.Value.(listing)
	if !ok {
		p.session.Emit(page.Failed{Err: a.Err})
		p.follow() // the list that proves that a key can go may be too old by now
		return p.checkJournal()
	}
	first := asked.good.IsZero()
	decided := p.keys.takeList(asked, list, p.session.Now())
	p.rotations.takeList(asked, p.session.ServiceNow())
	p.lost(decided.Left)
	p.reaudit()
	p.tell(asked, &decided)
	p.tellEvents(list)
	p.follow()
	reader{p}.put()
	cmd := tea.Batch(p.decided(decided.Records), p.checkJournal(), p.Refresh())
	_, restoring := p.List().Restoring()
	if first && !restoring && !p.List().Touched() {
		// The lists come in any order, and nothing was chosen yet.
		cmd = tea.Batch(cmd, p.Top())
	}
	return cmd
}

// tell shows what a list decided of open changes.
func (p *Page) tell(list *keyList, decided *keys.Decided) {
	if decided.Err != nil || p.failed.list == list.id {
		p.failed = failedChange{list.id, decided.Err}
	}
	if len(decided.Gone) > 0 {
		p.session.Notify(style.Good, "✓ revoked (no longer listed): "+strings.Join(decided.Gone, ", "))
	}
	if p.report != nil {
		p.report.compare(list)
	}
	if p.unanswered != nil && p.unanswered.Key.List == list.id && p.unanswered.decide(list) {
		p.unanswered = nil
	}
	if len(decided.Found) > 0 {
		p.Restore(rowOf(decided.Found[0]), false)
	}
}

// lost warns about keys of a process that was killed after it had created them, and before it handed over the secret.
func (p *Page) lost(left []models.APIKey) {
	for i := range left {
		k := &left[i]
		p.session.Notify(style.Bad, k.Name+" exists (id "+idOf(k)+"), and its secret is lost: revoke it")
	}
}

// Refs returns the references of all keys.
func (p *Page) Refs() (refs []models.KeyRef) {
	for _, list := range p.keys.all {
		for i := range list.All {
			refs = append(refs, list.All[i].Ref())
		}
	}
	return refs
}

// Status returns the age of the oldest list, and its name if others are newer.
func (p *Page) Status(now time.Time) page.Status {
	r := reader{p}.reading()
	status, oldest := r.Status(now), p.keys.oldest()
	if oldest != nil && !r.Loading() && r.Err == nil && r.Limited.IsZero() {
		status.Long = status.Text + " (" + p.account.KeyListName(oldest.id) + ")"
	}
	return status
}

// CanGo returns how many keys were replaced and can go, as of the last lists.
func (p *Page) CanGo() int {
	_, n := p.audited().Rotations()
	return n
}

// ExitWarning names the keys that may have been revoked or created, for the end of the session; or "".
func (p *Page) ExitWarning() string {
	created := mayHaveBeen("created, with the secret lost", p.keys.OpenNames())
	return strings.TrimSpace(mayHaveBeen("revoked", p.keys.openNames()) + " " + created)
}

// mayHaveBeen warns about the keys with the names, if there are any.
func mayHaveBeen(done string, names []string) string {
	switch len(names) {
	case 0:
		return ""
	case 1:
		return "The API key " + names[0] + " may have been " + done + "."
	}
	return "These API keys may have been " + done + ": " + strings.Join(names, ", ") + "."
}

// membersAnswered makes the audit anew, with the members of an answer.
func (p *Page) membersAnswered(a poll.Answer) {
	if models.KindOf(a.Err) == models.KindUnauthorized {
		p.session.Emit(page.Failed{Err: a.Err})
	}
	p.reaudit()
}
