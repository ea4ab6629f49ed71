package apikeys

import (
	"fmt"
	"slices"
	"strconv"

	"pgtower/models"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// marked are the keys that are to be revoked together, the least used first, so that
// what may be this session's own key comes last.
type marked struct {
	keys []*models.APIKey
	// used counts the keys that were used lately, unknown those of which nobody knows.
	used, unknown, hidden, leftAside int

	own bool // the session's own is among those left out
}

func (p *Page) sift(all []*models.APIKey) marked {
	now := p.session.ServiceNow()
	m := marked{hidden: p.table.List().MarkedHidden(now)}
	for _, k := range all {
		switch {
		case p.rows.isOwn(k):
			m.own = true
			continue
		case p.rows.notRevocable(k) != "", p.rows.shared[k.ID], k.ID == p.rows.perhapsKept.id:
			m.leftAside++
			continue
		case !k.LastUsedAt.Known:
			m.unknown++
		case perhapsInUse(k, now):
			m.used++
		}
		m.keys = append(m.keys, k)
	}
	slices.SortStableFunc(m.keys, func(a, b *models.APIKey) int { return byUse(a, b, now) })
	return m
}

// markedQuestion asks whether to revoke the marked keys. Of one key that is left, it
// asks as of that one.
func (p *Page) markedQuestion(all []*models.APIKey) page.Dialog {
	m := p.sift(all)
	var cautions []dialog.Line
	caution := func(n int, tone style.Tone, what string) {
		if n > 0 {
			cautions = append(cautions, dialog.Line{Tone: tone, Text: fmt.Sprintf("%s: %s.", what, table.Plural(n, "key"))})
		}
	}
	caution(m.hidden, style.Bad, "Marked, but hidden by the filter")
	if len(m.keys) > 1 {
		caution(m.used, style.Waiting, "Used in the last 7 days, so something may still use them")
		caution(m.unknown, style.Waiting, "Last use unknown, so something may still use them")
	}
	if m.own {
		cautions = append(cautions, dialog.Line{Tone: style.Waiting, Text: "This session's own key is left out. Revoke it alone, or rotate it."})
	}
	caution(m.leftAside, style.Muted, "Skipped, because they are being revoked, share an id or cannot be revoked")
	switch len(m.keys) {
	case 0:
		return dialog.NewMessage("There is nothing to revoke", cautions)
	case 1:
		if len(cautions) > 0 {
			cautions = append(cautions, dialog.Line{})
		}
		return p.revokeQuestion(*m.keys[0], cautions...)
	}
	if p.rows.own.id == 0 && m.used+m.unknown > 0 {
		cautions = append(cautions, dialog.Line{
			Tone: style.Waiting,
			Text: "This session's own key may be among them: pgtower cannot know which one it is. It would come last.",
		})
	}
	return p.manyQuestion(m.keys, cautions)
}

func (p *Page) manyQuestion(all []*models.APIKey, cautions []dialog.Line) page.Dialog {
	var wanted batchWanted
	var list []dialog.Line
	now := p.session.ServiceNow()
	for _, k := range all {
		wanted.targets = append(wanted.targets, target{k.ID, k.Name})
		line := dialog.Line{
			Text:  fmt.Sprintf("%s  %d  %s", k.Name, k.ID, p.lastUse(k, now)),
			Heard: fmt.Sprintf("%s, id %d, %s", k.Name, k.ID, p.lastUse(k, now)),
		}
		if perhapsInUse(k, now) {
			line.Tone = style.Waiting
		}
		list = append(list, line)
	}
	// What may hurt is read first, and revoked last.
	slices.Reverse(list)
	n := len(all)
	at := dialog.Line{Tone: style.Muted, Text: p.account}
	first := dialog.Line{Text: "They stop working at once, for everything that uses them. This cannot be undone."}
	return dialog.NewConfirm(dialog.Question{
		Title: fmt.Sprintf("Revoke %s?", table.Plural(n, "key")),
		Lines: append([]dialog.Line{at, first}, cautions...), List: list, Verb: "Revoke",
		Type: strconv.Itoa(n), What: strconv.Itoa(n),
		Then: page.To{Page: page.APIKeys, Msg: wanted},
	})
}
