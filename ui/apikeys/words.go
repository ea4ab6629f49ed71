package apikeys

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/keys"
	"pgtower/models/record"
	"pgtower/ui/dialog"
	"pgtower/ui/style"
)

const cannotTell = "pgtower can't tell which key this session uses." // shown if the session's key is unknown

// words puts keys into words. It reads what the page knows, and changes nothing.
type words struct {
	times   style.Times
	account *account.Account
	label   string // of the account
	names   models.Names
	fields  []record.Field[*models.APIKey]
	keys    *shownKeys
	audit   *keys.Audit
}

// mayBeOwn reports whether the session's key is unknown, and may be this one.
func (w words) mayBeOwn(k *models.APIKey) bool {
	return w.keys.own.ID == 0 && w.account.MayListOwn(k.List)
}

// reach returns what a key reaches in a word or two.
func (w words) reach(k *models.APIKey) string { return w.names.Reach(k.Reach()) }

// oneReach reports whether all keys reach the same, as in a service without organizations.
func (w words) oneReach() bool {
	kind := w.account.Kind()
	return kind == models.AccountKey || kind == models.UnknownKey
}

func idOf(k *models.APIKey) string { return cmp.Or(indexOf(k.Ref()).ID, style.None) }

// identify returns everything that distinguishes a key from others.
func (w words) identify(k *models.APIKey, now time.Time) string {
	reach := ""
	if !w.oneReach() {
		reach = " · reaches " + w.reach(k)
	}
	return fmt.Sprintf("%s · id %d · name %s%s · created %s · %s",
		w.label, k.ID, k.Name, reach, w.times.Date(k.CreatedAt, now), w.lastUse(k, now))
}

// lastTime returns when a key was last used.
func (w words) lastTime(k *models.APIKey, now time.Time) string {
	switch {
	case k.NeverUsed():
		return "never used"
	case !k.LastUsedAt.Known:
		return "last use unknown"
	}
	return "last used " + w.times.Ago(k.LastUsedAt.Value, now)
}

// lastUse returns when and from where a key was last used.
func (w words) lastUse(k *models.APIKey, now time.Time) string {
	return w.lastTime(k, now) + fromWhere(k)
}

// fromWhere returns the address of the last use as the end of a sentence, or "".
func fromWhere(k *models.APIKey) string {
	if k.LastUsedFromAddr == "" || k.NeverUsed() {
		return ""
	}
	return " from " + k.LastUsedFromAddr
}

// phaseText returns the phase of a rotation in words.
func (w words) phaseText(pair *keys.Pair, phase keys.Phase, now time.Time) string {
	return pair.Words(phase, w.keys.isOwn(pair.Old), func(t time.Time) string { return w.times.Brief(t, now) })
}

// notRevoked returns why a key is not known to be revoked.
func (w words) notRevoked(k *models.APIKey, err error) error {
	doing := "cannot revoke " + cmp.Or(k.Name, idOf(k))
	if k.List.Org != "" {
		doing += " of " + w.account.OrgName(k.List.Org)
	}
	failed := models.About(doing, 0, err)
	if role := w.role(k.List, err); role != "" {
		return fmt.Errorf("%w; %s", failed, role)
	}
	return failed
}

// role returns the role of the user in the organization of a list that refused a change, or "". It may be the reason; only the
// service knows.
func (w words) role(list models.ListID, err error) string {
	refused := models.KindOf(err) == models.KindForbidden || models.KindOf(err) == models.KindNotFound
	if !refused || list.Org == "" || w.account.Kind() != models.PersonalKey {
		return ""
	}
	role := w.audit.Role(list.Org, w.account.Identity().ID)
	if role == "" {
		return ""
	}
	return "your role in " + w.account.OrgName(list.Org) + " is " + role
}

func line(tone style.Tone, text string) dialog.Line { return dialog.Line{Tone: tone, Text: text} }

// sentence returns an error as the end of a sentence.
func sentence(err error) string { return strings.TrimRight(err.Error(), ".") + "." }

func (w words) zone() *time.Location { return w.times.In(time.Time{}).Location() }

// shortName shortens the name of a key. The date at its end stays whole, as it distinguishes a successor.
func shortName(name string, width int) string {
	base, date := keys.Parts(name)
	const least = 3 // cells of the base
	if room := width - style.Width(date); date != "" && room >= least {
		return style.Cut(base, room) + date
	}
	return style.CutMiddle(name, width)
}
