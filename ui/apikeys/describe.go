package apikeys

import (
	"cmp"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/audit"
	"pgtower/models/keychange"
	"pgtower/models/query"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// View draws the list.
func (p *Page) View(f page.Frame) []string { return p.Draw(f, p.description(f)) }

// Describe returns the list in words.
func (p *Page) Describe(f page.Frame) announce.Description {
	return p.list.Describe(f, p.description(f))
}

func (p *Page) description(f page.Frame) table.Description[*models.APIKey] {
	return table.Description[*models.APIKey]{
		ID: page.APIKeys, Name: page.APIKeys.Title(),
		Summary: p.summary(), Trouble: append(p.unread(), p.failed.err),
		Empty: p.reading().Empty(f, "API keys", p.none(f)),
	}
}

// unread returns an error for each list that could not be read.
func (p *Page) unread() (all []error) {
	for _, of := range p.keys.all {
		if of.err != nil {
			all = append(all, models.About("cannot read "+p.account.KeyListName(of.id), 0, of.err))
		}
	}
	return all
}

// none is the empty state without any key.
func (p *Page) none(f page.Frame) table.EmptyState {
	if p.shown && len(p.keys.all) == 0 {
		return table.EmptyState{
			Title: "There is no list of keys for this key.", Body: "It is a " + p.account.Describe() + ": sign in with a personal key.",
		}
	}
	return table.EmptyState{Title: "This account has no API keys.", Body: f.Key("new") + ": create one."}
}

func (p *Page) summary() []table.Part {
	n := p.keys.Len()
	if n == 0 {
		return nil
	}
	var count [models.KeyInOrder + 1]int
	for _, of := range p.keys.all {
		for state, n := range of.states {
			count[state] += n
		}
	}
	const most = models.RecommendedMaxAPIKeys
	const nearMaximum = most * 9 / 10
	limit := table.Part{Tone: style.Bad, Text: style.Count(n-most) + " over the recommended " + style.Count(most)}
	switch {
	case n < nearMaximum:
		limit = table.Part{}
	case n <= most:
		limit = table.Part{Tone: style.Muted, Text: "recommended maximum " + style.Count(most), ScreenOnly: true, Right: true}
	}
	parts := []table.Part{{Tone: style.Strong, Text: style.Plural(n, "key")}, limit}
	gone := 0
	for _, r := range p.keys.Revocations {
		if r.State == keychange.Revoked {
			gone++
		}
	}
	replaced, canGo := p.audited().Rotations()
	for _, of := range []struct {
		n          int
		tone       style.Tone
		text, said string
	}{
		{canGo, style.Good, " can go", " replaced, and can go"},
		{replaced - canGo, style.Accent, " being replaced", " being replaced"},
		{gone, style.Muted, " of them revoked", " of them revoked"},
		{count[models.KeyNeverUsed], style.Waiting, " never used", " never used"},
		{count[models.KeyStale], style.Waiting, " stale > 1 year", " stale, not used for more than a year"},
		{count[models.KeyIdle], style.Muted, " idle > 90 days", " not used for more than 90 days"},
	} {
		if n := style.Count(of.n); of.n > 0 {
			parts = append(parts, table.Part{Tone: of.tone, Text: n + of.text, Announced: n + of.said})
		}
	}
	return parts
}

func (p *Page) namesNow() models.Names { return *p.names.Load() }

// reach returns what a key reaches in a word or two.
func (p *Page) reach(k *models.APIKey) string { return p.namesNow().Reach(k.Reach()) }

// oneReach reports whether all keys reach the same, as those of a service without organizations.
func (p *Page) oneReach() bool {
	kind := p.account.Kind()
	return kind == models.AccountKey || kind == models.UnknownKey
}

func (p *Page) newTable() *list {
	return table.New(table.Config[*models.APIKey]{
		Source: p.keys, Order: "order of the service", Fields: query.APIKeys(p.namesNow, p.audited),
		Examples: []string{"ci", "never", "idle:>30d", "is:idle or never:used", "from:203.0.113", "before:2026-01-01"},
		Say:      p.say, Values: (*models.APIKey).Fields, Detail: p.record,
		Markable: func(*models.APIKey) bool { return true }, Session: p.session, Page: page.APIKeys,
		Columns: []table.Column[*models.APIKey]{
			{
				Title: "NAME", Width: 18, Least: 12, Grow: 2,
				Cell: func(k *models.APIKey, _ time.Time) (string, style.Tone) { return k.Name, style.Plain },
				Compare: func(a, b *models.APIKey, _ time.Time) int {
					return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
				},
			},
			{
				Title: "REACHES", Width: 16, Least: 10, Grow: 1, Priority: 1, Hidden: p.oneReach,
				Cell:    func(k *models.APIKey, _ time.Time) (string, style.Tone) { return p.reach(k), style.Plain },
				Compare: func(a, b *models.APIKey, _ time.Time) int { return strings.Compare(p.reach(a), p.reach(b)) },
			},
			{
				Title: "ID", Width: 10, Grow: 1, Priority: 2,
				Cell:    func(k *models.APIKey, _ time.Time) (string, style.Tone) { return idOf(k), style.Muted },
				Compare: func(a, b *models.APIKey, _ time.Time) int { return cmp.Compare(a.ID, b.ID) },
			},
			{
				Title: "CREATED", Moment: "CREATED", Width: 8, Priority: 3,
				Cell: func(k *models.APIKey, now time.Time) (string, style.Tone) {
					return p.session.Times.Cell(k.CreatedAt, now), style.Muted
				},
				Compare: func(a, b *models.APIKey, _ time.Time) int { return a.CreatedAt.Compare(b.CreatedAt) },
			},
			{Title: "LAST USED", Moment: "LAST USED", Width: 10, Least: 9, Cell: p.lastUsedCell, Compare: byUse},
			{
				Title: "FROM", Width: 15, Priority: 4,
				Cell:    func(k *models.APIKey, _ time.Time) (string, style.Tone) { return from(k), style.Muted },
				Compare: func(a, b *models.APIKey, _ time.Time) int { return addr(a).Compare(addr(b)) },
			},
			{
				Title: "CREATED BY", Width: 12, Priority: 5, Hidden: p.oneReach,
				Cell: func(k *models.APIKey, _ time.Time) (string, style.Tone) {
					return cmp.Or(k.CreatedBy, style.None), style.Muted
				},
				Compare: func(a, b *models.APIKey, _ time.Time) int { return strings.Compare(a.CreatedBy, b.CreatedBy) },
			},
			{
				Title: "NOTE", Width: 18, Least: 14, Grow: 3, Cell: p.note,
				Compare: func(a, b *models.APIKey, now time.Time) int {
					return cmp.Or(int(a.State(now))-int(b.State(now)), int(p.audited().Worst(a, now)-p.audited().Worst(b, now)))
				},
			},
		},
	})
}

func idOf(k *models.APIKey) string { return cmp.Or(indexOf(k.Ref()).ID, style.None) }

func from(k *models.APIKey) string { return cmp.Or(k.LastUsedFromAddr, style.None) }

// addr returns the address of the last use, for sorting; keys without one come first.
func addr(k *models.APIKey) netip.Addr {
	a, _ := netip.ParseAddr(k.LastUsedFromAddr)
	return a
}

const unknownUse = "unknown" // shown if the time of the last use cannot be read

func (p *Page) lastUsedCell(k *models.APIKey, now time.Time) (string, style.Tone) {
	switch {
	case !k.LastUsedAt.Known:
		return unknownUse, style.Bad
	case k.NeverUsed():
		return "never", style.Muted
	}
	return p.session.Times.Cell(k.LastUsedAt.Value, now), style.Muted
}

// note returns what is worth knowing of a key: what happens to it, then its rotation, then what is wrong with it.
func (p *Page) note(k *models.APIKey, now time.Time) (string, style.Tone) {
	text, tone := p.keys.note(k, now)
	switch rotating, toneOf := p.rotationNote(k, now); {
	case text != "":
		return text, tone
	case rotating != "":
		return rotating, toneOf
	case p.keys.isOwn(k) && k.Damage == "":
		return "this session's key", style.Accent
	}
	isNew := k.State(now) == models.KeyNeverUsed && !p.audited().Is(audit.NeverUsed, k, now)
	if text = k.Note(now); text != "" && !isNew {
		return text, states[k.State(now)]
	}
	for _, f := range p.audited().Findings(k, now) {
		return f.Text, style.Muted
	}
	return "", style.Plain
}

// note returns what happens to a key, or "".
func (l *keys) note(k *models.APIKey, _ time.Time) (string, style.Tone) {
	switch state := l.Revocations[k.Ref()].State; {
	case state == keychange.Revoking:
		return "◌ revoking…", style.Waiting
	case state == keychange.Revoked:
		return "⊘ revoked", style.Bad
	case state == keychange.Refused:
		return "✗ not revoked", style.Bad
	case state == keychange.StillListed:
		return "✗ still listed", style.Bad
	case state == keychange.Unknown:
		return "◌ revoked?", style.Waiting
	case l.IsOrphan(k):
		return "secret lost", style.Bad
	case k.ID != 0 && l.Shared(k):
		return "duplicate id", style.Bad
	}
	return "", style.Plain
}

// states has the tones of the states of keys.
var states = [...]style.Tone{
	models.KeyDamaged: style.Bad, models.KeyNeverUsed: style.Waiting, models.KeyStale: style.Waiting,
	models.KeyIdle: style.Muted, models.KeyUseUnknown: style.Waiting, models.KeyInOrder: style.Plain,
}

func (p *Page) record(k *models.APIKey, now time.Time) table.Record {
	times := p.session.Times
	state, tone := p.note(k, now)
	used := unknownUse
	if k.LastUsedAt.Known {
		used = times.Stamp(k.LastUsedAt.Value, now)
	}
	fields := []table.Field{
		{Label: "id", Value: idOf(k)},
		{Label: "name", Value: k.Name},
		{Label: "created_at", Value: times.Stamp(k.CreatedAt, now)},
		{Label: "last_used_at", Value: used},
		{Label: "last_used_from_addr", Value: from(k)},
	}
	for _, more := range []table.Field{
		{Label: "org_id", Value: k.List.Org},
		{Label: "project_id", Value: k.ProjectID},
		{Label: "created_by", Value: k.CreatedBy},
	} {
		if more.Value != "" {
			fields = append(fields, more)
		}
	}
	about := "It " + p.account.ReachWords(k.Reach()) + ". The secret of a key is shown only when it is created."
	switch k.State(now) {
	case models.KeyStale:
		about += " This one has not been used for more than a year, so nothing that runs at least yearly uses it."
	case models.KeyIdle:
		about += " This one is idle, but may belong to something that runs rarely."
	default:
	}
	about += p.rotationAbout(k, now)
	if found := p.audited().Findings(k, now); len(found) > 0 {
		var texts []string
		for _, f := range found {
			texts = append(texts, f.Text)
		}
		about += " Findings: " + strings.Join(texts, ", ") + "."
	}
	if p.keys.own.ID == 0 {
		about += " " + cannotTell
	}
	r := table.Record{Title: k.Name, State: state, Tone: tone, About: about, Fields: fields, Damage: k.Damage}
	if err := p.keys.Revocations[k.Ref()].Err; err != nil {
		r.Error = err.Error()
	}
	return r
}

func (p *Page) say(k *models.APIKey, now time.Time) string {
	parts := []string{k.Name}
	if !p.oneReach() {
		parts = append(parts, "reaches "+p.reach(k))
	}
	used := p.lastUse(k, now)
	if note, _ := p.note(k, now); note != "" && note != used {
		parts = append(parts, note)
	}
	return strings.Join(append(parts, used, "created "+p.session.Times.Date(k.CreatedAt, now)), ", ")
}

func (p *Page) identify(k *models.APIKey) string {
	now, reach := p.session.ServiceNow(), ""
	if !p.oneReach() {
		reach = " · reaches " + p.reach(k)
	}
	return fmt.Sprintf("%s · id %d · name %s%s · created %s · %s",
		p.options.Account, k.ID, k.Name, reach, p.session.Times.Date(k.CreatedAt, now), p.lastUse(k, now))
}

// lastTime returns when a key was last used.
func (p *Page) lastTime(k *models.APIKey, now time.Time) string {
	switch {
	case k.NeverUsed():
		return "never used"
	case !k.LastUsedAt.Known:
		return "last use " + unknownUse
	}
	return "last used " + p.session.Times.Ago(k.LastUsedAt.Value, now)
}

// lastUse returns when and from where a key was last used.
func (p *Page) lastUse(k *models.APIKey, now time.Time) string {
	s := p.lastTime(k, now)
	if k.LastUsedFromAddr != "" && !k.NeverUsed() {
		s += " from " + k.LastUsedFromAddr
	}
	return s
}
