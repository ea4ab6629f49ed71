package query

import (
	"strconv"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/keys"
)

type apiKey = *models.APIKey

// audited returns what is known of the keys together.
type audited func() *keys.Audit

// found returns the word for keys with a finding.
func (a audited) found(word string, kind keys.Kind) Word[apiKey] {
	return Is(word, func(k apiKey, now time.Time) bool { return a().Is(kind, k, now) })
}

// APIKeys returns the fields of API keys. names and findings, which returns what is known of the keys together, may be
// called on any goroutine.
func APIKeys(names func() models.Names, findings func() *keys.Audit) []Field[*models.APIKey] {
	all := audited(findings)
	return []Field[apiKey]{
		Text("name", func(k apiKey) string { return k.Name }).Visible(),
		Text("id", func(k apiKey) string { return strconv.FormatInt(k.ID, 10) }).Visible(),
		Text("reach", func(k apiKey) string { return names().Reach(k.Reach()) }).Visible(),
		Text("org", func(k apiKey) string {
			if k.List.Org == "" {
				return ""
			}
			return names().Org(k.List.Org) + " " + k.List.Org
		}),
		Text("project", func(k apiKey) string {
			if k.ProjectID == "" {
				return ""
			}
			return names().Reach(k.Reach()) + " " + k.ProjectID
		}),
		Text("by", func(k apiKey) string { return k.CreatedBy }).Visible(),
		Text("from", func(k apiKey) string { return k.LastUsedFromAddr }).Visible(),
		TextAt("note", func(k apiKey, now time.Time) string {
			texts := []string{all().Note(k, now)}
			if all().NeverUsed(k) {
				texts = append(texts, "never used") // also of a new key, whose last use is shown as never
			}
			for _, f := range all().Findings(k, now) {
				texts = append(texts, f.Text)
			}
			return strings.Join(texts, "; ")
		}).Visible(),
		Date("created", func(k apiKey) time.Time { return k.CreatedAt }),
		Date("used", func(k apiKey) time.Time { return k.LastUsedAt.Value }),
		After(func(k apiKey) time.Time { return k.CreatedAt }, "age"),
		Before(func(k apiKey) time.Time { return k.CreatedAt }),
		Duration("age", func(k apiKey, now time.Time) (time.Duration, bool) {
			return now.Sub(k.CreatedAt), !k.CreatedAt.IsZero()
		}),
		Duration("idle", func(k apiKey, now time.Time) (time.Duration, bool) {
			idle := k.Idle(now)
			return idle.Value, idle.Known
		}),
		Words("never", all.found("used", keys.FoundNeverUsed)),
		Words("is",
			Is("damaged", func(k apiKey, _ time.Time) bool { return k.Damage != "" }),
			Is("idle", func(k apiKey, now time.Time) bool {
				return k.Idle(now).Value >= models.KeyIdleAfter && !all().NeverUsed(k)
			}),
			Is("stale", func(k apiKey, now time.Time) bool {
				return k.Idle(now).Value >= models.KeyStaleAfter && !all().NeverUsed(k)
			}),
			Is("everything", func(k apiKey, _ time.Time) bool { return k.Reach() == models.Reach{} }),
			Is("replaced", func(k apiKey, _ time.Time) bool {
				pair, _, replaced := all().Replaced(k)
				return replaced && !pair.Named
			}),
			Is("successor", func(k apiKey, _ time.Time) bool {
				pair, _, replaces := all().Replaces(k)
				return replaces && !pair.Named
			}),
			all.found("can-go", keys.FoundCanGo), all.found("unreadable", keys.FoundUnreadable), all.found("replaced-too-long", keys.FoundTooLong),
			all.found("may-be-replaced", keys.FoundMayBeReplaced), all.found("never-used", keys.FoundNeverUsed),
			all.found("same-name", keys.FoundSameName), all.found("old", keys.FoundOld),
		),
	}
}
