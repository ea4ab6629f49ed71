package apikeys

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/keychange"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const irrevocable = "Everything that uses it stops working immediately. This cannot be undone."

const cannotTell = "pgtower can't tell which key this session uses." // shown if the session's key is unknown

func line(tone style.Tone, text string) dialog.Line { return dialog.Line{Tone: tone, Text: text} }

func (p *Page) askToRevoke() {
	if p.List().CountMarked() > 0 {
		p.session.Open(p.askAboutMarked())
	} else if k, ok := p.Choose(); ok {
		p.session.Open(p.askAbout(*k))
	}
}

// askAbout asks whether to revoke a key. The name of the session's key, or of one that may be in use, must be typed.
func (p *Page) askAbout(k models.APIKey, first ...dialog.Line) page.Dialog {
	lines := append(first, line(style.Muted, p.identify(&k)), dialog.Line{})
	careful := true
	now := p.session.ServiceNow()
	pair, canGo := p.canGo(&k)
	switch {
	case p.keys.isOwn(&k):
		lines = append(lines, line(style.Bad, "It is the key of this session: "+
			"you will have to sign in with another one. R creates a new one first, then revokes this one."))
	case k.ID != 0 && k.Ref() == p.keys.maybeSaved:
		lines = append(lines, line(style.Bad, "It may have been kept as this profile's key: "+
			"whether it was is not known. The next start would then be refused."))
	case canGo:
		lines = append(lines, line(style.Good, "It was replaced by "+pair.Successor.Name+", and can go: "+
			p.quietText(&pair, now)+"."))
		careful = p.keys.Shared(&k)
	case maybeInUse(&k, now):
		text := "This key is still in use."
		if !k.LastUsedAt.Known {
			text = "This key may still be in use: its last use is unknown."
		}
		if p.keys.own.ID == 0 {
			text += " It may be this session's key: " + cannotTell
		}
		lines = append(lines, line(style.Waiting, text))
	default:
		careful = false
	}
	return p.question(k, append(lines, line(style.Plain, irrevocable)), careful, "Cancel")
}

// question asks whether to revoke a key. If careful, or if the profile says so, its name must be typed, or its id if
// the name has no characters that can be typed.
func (p *Page) question(k models.APIKey, lines []dialog.Line, careful bool, cancel string) page.Dialog {
	journal := p.journal()
	q := dialog.Question{
		Title: "Revoke " + k.Name + "?", Lines: append(p.unrecordedLines(), lines...), Verb: "Revoke", Cancel: cancel,
		Confirm: func() tea.Cmd { return p.revoke(k, journal, nil) },
	}
	switch wanted := careful || p.options.AlwaysType; {
	case wanted && dialog.Typed(k.Name) == "":
		q.Type, q.What = strconv.FormatInt(k.ID, 10), "the key's id"
	case wanted:
		q.Type, q.What = k.Name, "the key's name"
	}
	return dialog.NewConfirm(q)
}

// selection has the marked keys that can be revoked together, the least used first: the session's may be the last.
type selection struct {
	keys                   []*models.APIKey
	used, unknown, skipped int  // numbers of keys used recently, of unknown use, and left out
	own                    bool // the session's key is left out
}

func (l *keys) selection(marked []*models.APIKey, canGo func(*models.APIKey) bool, now time.Time) selection {
	var s selection
	for _, k := range marked {
		switch {
		case l.isOwn(k):
			s.own = true
			continue
		case l.notRevocable(k) != "", k.Ref() == l.maybeSaved:
			s.skipped++
			continue
		case !k.LastUsedAt.Known:
			s.unknown++
		case maybeInUse(k, now) && !canGo(k):
			s.used++
		}
		s.keys = append(s.keys, k)
	}
	slices.SortStableFunc(s.keys, func(a, b *models.APIKey) int { return byUse(a, b, now) })
	return s
}

// cautions returns the warnings. Each but the muted one fits in a line of a small screen, to leave room for the keys.
func (s *selection) cautions(hidden int, ownKnown bool) (lines []dialog.Line) {
	say := func(holds bool, tone style.Tone, format string, n ...any) {
		if holds {
			lines = append(lines, line(tone, fmt.Sprintf(format, n...)))
		}
	}
	keys := func(n int) string { return style.Plural(n, "key") }
	many := len(s.keys) > 1
	say(hidden > 0, style.Bad, "Marked, but hidden by the filter: %s.", keys(hidden))
	say(many && s.used > 0, style.Waiting,
		"Possibly in use, used in the last 7 days: %s.", keys(s.used))
	say(many && s.unknown > 0, style.Waiting,
		"Possibly in use, last use unknown: %s.", keys(s.unknown))
	say(s.own, style.Waiting, "Skipped this session's key: revoke it by itself.")
	say(s.skipped > 0, style.Muted,
		"Skipped %s (already being revoked, or cannot be revoked).", keys(s.skipped))
	say(many && !ownKnown && s.used+s.unknown > 0, style.Waiting,
		"This session's key may be among them (revoked last).")
	return lines
}

// askAboutMarked asks whether to revoke the marked keys, or the only one of them that can be revoked.
func (p *Page) askAboutMarked() page.Dialog {
	s := p.keys.selection(p.List().Marked(), func(k *models.APIKey) bool {
		_, ok := p.canGo(k)
		return ok
	}, p.session.ServiceNow())
	cautions := s.cautions(p.List().MarkedHidden(), p.keys.own.ID != 0)
	switch len(s.keys) {
	case 0:
		return dialog.NewMessage("No keys to revoke", cautions)
	case 1:
		if len(cautions) > 0 {
			cautions = append(cautions, dialog.Line{})
		}
		return p.askAbout(*s.keys[0], cautions...)
	}
	return p.askAboutMany(s.keys, cautions)
}

// The maximum widths of columns: name, reach and last use fit in the dialog, and what follows is cut.
const (
	maxNames   = 26
	maxReaches = 14
)

// cell returns a text in a column.
func cell(text string, width int) string { return style.Pad(style.CutMiddle(text, width), width) }

// keyLines returns a line for each key.
func (p *Page) keyLines(all []*models.APIKey) (lines []dialog.Line) {
	now, names, reaches, uses, ids := p.session.ServiceNow(), 0, 0, 0, 0
	for _, k := range all {
		names = min(maxNames, max(names, style.Width(k.Name)))
		reaches = min(maxReaches, max(reaches, style.Width(p.reach(k))))
		uses = max(uses, style.Width(p.lastTime(k, now)))
		ids = max(ids, len(idOf(k)))
	}
	for _, k := range all {
		cells := []string{cell(k.Name, names)}
		said := []string{k.Name, fmt.Sprintf("id %d", k.ID)}
		if !p.oneReach() {
			cells = append(cells, cell(p.reach(k), reaches))
			said = append(said, "reaches "+p.reach(k))
		}
		cells = append(cells, cell(p.lastTime(k, now), uses), cell(idOf(k), ids), k.LastUsedFromAddr)
		shown := line(style.Plain, strings.Join(cells, "  "))
		shown.Announced = strings.Join(append(said, p.lastUse(k, now)), ", ")
		if maybeInUse(k, now) {
			shown.Tone = style.Waiting
		}
		lines = append(lines, shown)
	}
	return lines
}

func (p *Page) askAboutMany(all []*models.APIKey, cautions []dialog.Line) page.Dialog {
	list := p.keyLines(all)
	slices.Reverse(list) // keys in use are shown first, and revoked last
	n, journal := strconv.Itoa(len(all)), p.journal()
	lines := []dialog.Line{
		line(style.Muted, p.options.Account),
		line(style.Plain, "They stop working immediately. This cannot be undone."),
	}
	return dialog.NewConfirm(dialog.Question{
		Title: fmt.Sprintf("Revoke %s?", style.Plural(len(all), "key")),
		Lines: slices.Concat(lines, p.unrecordedLines(), cautions), List: list, Verb: "Revoke", Type: n, What: n,
		Confirm: func() tea.Cmd { return p.startBatch(all, journal) },
	})
}

// notRevoked returns why a key is not known to be revoked.
func (p *Page) notRevoked(k *models.APIKey, err error) error {
	doing := "cannot revoke " + cmp.Or(k.Name, idOf(k))
	if k.List.Org != "" {
		doing += " of " + p.account.OrgName(k.List.Org)
	}
	return models.About(doing, 0, err)
}

// revoke revokes a key, alone or in a batch, in its list.
func (p *Page) revoke(k models.APIKey, journal keychange.Journal, of *batch) tea.Cmd {
	p.keys.Begin(k)
	send := keychange.Send{Service: p.service, Journal: journal}
	return page.Call(p.session, page.APIKeys, func(ctx context.Context) (models.APIKey, error) {
		return send.Revoke(ctx, k)
	}, func(_ models.APIKey, err error) tea.Cmd {
		p.refusedRecord(err)
		if err != nil {
			err = p.notRevoked(&k, err)
		}
		r := p.keys.Answered(k, err, p.keys.requests)
		var forget tea.Cmd
		if r.State == keychange.Revoked {
			forget = p.forget(k.Ref())
		}
		if of != nil {
			return tea.Batch(forget, of.answered(r))
		}
		return tea.Batch(forget, p.revoked(k, r))
	})
}

func (p *Page) revoked(k models.APIKey, r keychange.Revocation) tea.Cmd {
	switch {
	case r.State == keychange.Unknown:
		p.changeFailed(k.List, r.Err)
		return p.read(k.List)
	case r.State == keychange.Refused:
		p.changeFailed(k.List, r.Err)
	case p.keys.isOwn(&k):
		p.session.Emit(page.SignOut{Reason: "You revoked the key of this session, " + k.Name + "."})
	default:
		p.failed = failedChange{}
		p.session.Notify(style.Good, "✓ revoked "+k.Name)
	}
	return nil
}
