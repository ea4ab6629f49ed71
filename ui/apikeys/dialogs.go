package apikeys

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/confirm"
	"pgtower/ui/dialog"
	"pgtower/ui/form"
	"pgtower/ui/message"
	"pgtower/ui/page"
	"pgtower/ui/theme"
	"pgtower/ui/when"
)

// inUse is how recently a key must have been used for its loss to be likely to hurt.
const inUse = 7 * 24 * time.Hour

// nameForm asks for the name of a new key.
func nameForm(existing []models.APIKey) page.Dialog {
	taken := make(map[string]bool, len(existing))
	for i := range existing {
		taken[existing[i].Name] = true
	}
	return form.New(form.Form{
		Title: "New API key",
		About: "The key will work with every project of the account, until it is revoked. Name it after what will use it.",
		Label: "Name",
		Verb:  "Create",
		Check: func(name string) string { return wrongName(name, taken) },
		Then: func(name string) tea.Msg {
			return page.To{Page: page.APIKeys, Msg: createWanted{name}}
		},
	})
}

// wrongName says why a key cannot have the name, or nothing.
func wrongName(name string, taken map[string]bool) string {
	switch n := utf8.RuneCountInString(name); {
	case name == "":
		return "A key needs a name."
	case n > models.MaxAPIKeyName:
		return fmt.Sprintf("At most %d characters: this has %d.", models.MaxAPIKeyName, n)
	case strings.ContainsFunc(name, func(r rune) bool { return r == unicode.ReplacementChar || !unicode.IsPrint(r) }):
		return "There are characters in it that cannot be seen."
	case taken[name]:
		return "There is a key of that name: two could not be told apart."
	}
	return ""
}

// createFailed says what is known after a creation without an answer.
func createFailed(name string, err error) page.Dialog {
	lines := []dialog.Line{{Tone: theme.Bad, Text: err.Error()}, {}}
	switch models.KindOf(err) {
	case models.KindTimeout, models.KindUnreachable, models.KindCanceled, models.KindMalformed, models.KindTooLarge, models.KindServer:
		lines = append(lines, dialog.Line{Text: "The key may exist all the same, and its secret is then lost. " +
			"If " + name + " is in the list, revoke it and create another one."})
	default:
		lines = append(lines, dialog.Line{Text: strings.TrimSpace("No key was created. " + models.KindOf(err).Advice())})
	}
	return message.New("The key could not be created", lines)
}

// revokeQuestion asks whether to revoke a key. A key that something seems to be using
// needs its name typed.
func revokeQuestion(k models.APIKey, now time.Time) page.Dialog {
	q := confirm.Question{
		Title: "Revoke " + k.Name + "?",
		Verb:  "Revoke",
		Then:  page.To{Page: page.APIKeys, Msg: revokeWanted{k.ID, k.Name}},
	}
	recent := !k.LastUsedAt.IsZero() && now.Sub(k.LastUsedAt) < inUse
	use := fmt.Sprintf("id %d · name %s · ", k.ID, k.Name)
	switch {
	case k.LastUsedAt.IsZero():
		use += "never used"
	default:
		use += "last used " + when.Ago(k.LastUsedAt, now)
		if k.LastUsedFromAddr != "" {
			use += " from " + k.LastUsedFromAddr
		}
	}
	q.Lines = append(q.Lines, dialog.Line{Tone: theme.Muted, Text: use}, dialog.Line{})
	if recent {
		q.Lines = append(q.Lines, dialog.Line{Tone: theme.Waiting, Text: "Something still uses this key."})
		q.Type, q.What = k.Name, "the key's name"
	}
	q.Lines = append(q.Lines, dialog.Line{Text: "It stops working at once, for everything that uses it. This cannot be undone."})
	return confirm.New(q)
}
