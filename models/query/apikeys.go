package query

import (
	"slices"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/models/record"
)

type apiKey = *models.APIKey

// audited returns what is known of the keys together.
type audited func() *keys.Audit

// found returns the word for keys with a finding.
func (a audited) found(word string, kind keys.Kind) Word[apiKey] {
	return Is(word, func(k apiKey, now time.Time) bool { return a().Is(kind, k, now) })
}

// APIKeys returns the fields of API keys, whose records have fields. findings returns what is known of the keys together;
// any goroutine may call it. text formats a value as the screen shows it.
func APIKeys(
	fields []record.Field[*models.APIKey], findings func() *keys.Audit, text func(record.Kind, record.Value) string,
) []Field[*models.APIKey] {
	audit := audited(findings)
	return slices.Concat(
		Of(fields, text, "name", "id", "reach", "org", "project", "by", "from"),
		[]Field[apiKey]{TextAt("note", audit.note).Visible()},
		Of(fields, text, "created", "used"),
		agesOf(func(k apiKey) time.Time { return k.CreatedAt }),
		[]Field[apiKey]{
			Duration("idle", func(k apiKey, now time.Time) (time.Duration, bool) { return k.Idle(now).Get() }),
			Words("never", audit.found("used", keys.FoundNeverUsed)),
			Words("event", audit.events()...),
			Words("is", audit.words()...),
		},
	)
}

// events returns the words of event:.
func (a audited) events() (words []Word[apiKey]) {
	for _, name := range keys.EventNames() {
		words = append(words, Is(name, func(k apiKey, now time.Time) bool { return slices.Contains(a().Events(k, now), name) }))
	}
	return words
}

// note returns what is worth knowing of a key.
func (a audited) note(k apiKey, now time.Time) string {
	texts := []string{a().Note(k, now)}
	if a().NeverUsed(k) {
		texts = append(texts, "never used") // also of a new key, whose last use is shown as never
	}
	for _, f := range a().Findings(k, now) {
		texts = append(texts, f.Text)
	}
	return strings.Join(texts, "; ")
}

// unused returns the word for keys that were used, but not for at least a time.
func (a audited) unused(word string, least time.Duration) Word[apiKey] {
	return Is(word, func(k apiKey, now time.Time) bool { return k.Idle(now).Value >= least && !a().NeverUsed(k) })
}

// replaced reports whether a key is being replaced, as is remembered.
func (a audited) replaced(k apiKey, _ time.Time) bool {
	pair, _, replaced := a().Replaced(k)
	return replaced && !pair.Named
}

// replaces reports whether a key is the successor of another one, as is remembered.
func (a audited) replaces(k apiKey, _ time.Time) bool {
	pair, _, replaces := a().Replaces(k)
	return replaces && !pair.Named
}

// words returns the words of is:.
func (a audited) words() []Word[apiKey] {
	words := []Word[apiKey]{
		Is("damaged", func(k apiKey, _ time.Time) bool { return k.Damage != "" }),
		a.unused("idle", models.KeyIdleAfter),
		a.unused("stale", models.KeyStaleAfter),
		Is("everything", func(k apiKey, _ time.Time) bool { return k.Reach() == models.Reach{} }),
		Is("replaced", a.replaced),
		Is("successor", a.replaces),
	}
	for _, kind := range keys.Kinds() {
		if kind != keys.FoundIdle && kind != keys.FoundEverything { // they are above, with limits of their own
			words = append(words, a.found(kind.String(), kind))
		}
	}
	return words
}
