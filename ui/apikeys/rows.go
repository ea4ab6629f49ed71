package apikeys

import (
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// summary returns the number of keys, and of those in each state worth knowing.
func (w words) summary() []table.Part {
	n := w.keys.Len()
	if n == 0 {
		return nil
	}
	var count [models.KeyInOrder + 1]int
	for _, list := range w.keys.all {
		for state, n := range list.states {
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
		limit = table.Part{
			Tone: style.Muted, Text: "recommended maximum " + style.Count(most), ScreenOnly: true,
			Right: true,
		}
	}
	parts := []table.Part{{Tone: style.Strong, Text: style.Plural(n, "key")}, limit}
	gone := 0
	for _, r := range w.keys.Revocations {
		if r.State == keys.Revoked {
			gone++
		}
	}
	replaced, canGo := w.audit.Rotations()
	for _, part := range []struct {
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
		if n := style.Count(part.n); part.n > 0 {
			parts = append(parts, table.Part{Tone: part.tone, Text: n + part.text, Announced: n + part.said})
		}
	}
	return parts
}

// note returns the most important fact about a key: a change, else its rotation, its state, its uses or a finding.
func (w words) note(k *models.APIKey, now time.Time) (string, style.Tone) {
	text, tone := w.change(k)
	if text != "" {
		return text, tone
	}
	text, tone = w.rotation(k, now)
	switch state := w.audit.State(k, now); {
	case text != "":
		return text, tone
	case w.keys.isOwn(k) && k.Damage == "":
		return "this session's key", style.Accent
	case state != models.KeyInOrder:
		return w.audit.Note(k, now), stateTones[state]
	}
	if text := w.recent(k, now); text != "" {
		return text, style.Waiting
	}
	for _, f := range w.audit.Findings(k, now) {
		return f.Text, style.Muted
	}
	return "", style.Plain
}

// change returns the state of a change of a key, or "".
func (w words) change(k *models.APIKey) (string, style.Tone) {
	switch state := w.keys.Revocations[k.Ref()].State; {
	case state == keys.Revoking:
		return "◌ revoking…", style.Waiting
	case state == keys.Revoked:
		return "⊘ revoked", style.Bad
	case state == keys.Refusal:
		return "✗ not revoked", style.Bad
	case state == keys.StillListed:
		return "✗ still listed", style.Bad
	case state == keys.Unknown:
		return "◌ revoked?", style.Waiting
	case w.keys.IsOrphan(k):
		return "secret lost", style.Bad
	case k.ID != 0 && w.keys.Shared(k):
		return "duplicate id", style.Bad
	}
	return "", style.Plain
}

// stateTones has the tones of the states of keys.
var stateTones = [...]style.Tone{
	models.KeyDamaged: style.Bad, models.KeyNamedSecret: style.Bad, models.KeyNeverUsed: style.Waiting,
	models.KeyStale: style.Waiting, models.KeyIdle: style.Muted,
	models.KeyUseUnknown: style.Waiting, models.KeyInOrder: style.Plain,
}

func (w words) record(k *models.APIKey, now time.Time) table.Record {
	state, tone := w.note(k, now)
	usage := w.audit.Usage(k)
	about := w.sentences(usage, now) + "It " + w.account.ReachWords(k.Reach()) + ". The secret of a key is shown only when it is created."
	switch w.audit.State(k, now) {
	case models.KeyStale:
		about += " This one has not been used for more than a year, so nothing that runs at least yearly uses it."
	case models.KeyIdle:
		about += " This one is idle, but may belong to something that runs rarely."
	default:
	}
	about += w.aboutRotation(k, now)
	if found := w.audit.Findings(k, now); len(found) > 0 {
		var texts []string
		for _, f := range found {
			texts = append(texts, f.Text)
		}
		about += " Findings: " + strings.Join(texts, ", ") + "."
	}
	if w.mayBeOwn(k) {
		about += " " + cannotTell
	}
	r := table.Record{
		Title: k.Name, State: state, Tone: tone, About: about, Damage: k.Damage,
		Fields: append(table.Details(w.times, w.fields, k, now), w.seen(usage, now)...),
	}
	if usage != nil {
		r.First = true
		r.Chart = func(th *style.Theme, width int) []string { return w.strip(th, usage, now, width) }
	}
	if err := w.keys.Revocations[k.Ref()].Err; err != nil {
		r.Error = err.Error()
	}
	return r
}

func (w words) say(k *models.APIKey, now time.Time) string {
	parts := []string{k.Name}
	if !w.oneReach() {
		parts = append(parts, "reaches "+w.reach(k))
	}
	used := w.lastUse(k, now)
	if note, _ := w.note(k, now); note != "" && note != used {
		parts = append(parts, note)
	}
	return strings.Join(append(parts, used, "created "+w.times.Date(k.CreatedAt, now)), ", ")
}

// phaseTones has the tones of the phases of rotations.
var phaseTones = [...]style.Tone{
	keys.UseUnknown: style.Waiting, keys.ByName: style.Muted, keys.Lost: style.Bad, keys.NobodyHas: style.Bad,
	keys.Kept: style.Waiting, keys.Unused: style.Waiting, keys.Behind: style.Waiting, keys.TooShort: style.Waiting,
	keys.CanGo: style.Good,
}

// rotation returns the note of an old key or of a successor about their rotation, or "".
func (w words) rotation(k *models.APIKey, now time.Time) (string, style.Tone) {
	pair, phase, ok := w.audit.Replaced(k)
	if ok {
		return "↻ " + w.phaseText(&pair, phase, now), phaseTones[phase]
	}
	pair, phase, ok = w.audit.Replaces(k)
	switch {
	case !ok:
		return "", style.Plain
	case phase == keys.ByName:
		return "↻ may replace " + pair.Old.Name, style.Muted
	case phase == keys.NobodyHas:
		return "↻ nobody has its secret", style.Bad
	case phase == keys.Unused:
		return "↻ replaces " + pair.Old.Name + " · not used yet", style.Waiting
	}
	text := "↻ replaces " + pair.Old.Name
	if w.keys.isOwn(k) {
		text += " · this session's key"
	}
	return text, style.Accent
}

// aboutRotation returns the sentences about the rotation of a key in its details, or "".
func (w words) aboutRotation(k *models.APIKey, now time.Time) string {
	pair, phase, ok := w.audit.Replaced(k)
	if ok {
		return w.aboutReplaced(&pair, phase, now)
	}
	pair, phase, ok = w.audit.Replaces(k)
	switch {
	case !ok:
		return ""
	case phase == keys.ByName:
		return " It may replace " + pair.Old.Name + ", as their names say."
	}
	return " It replaces " + pair.Old.Name + ": " + w.phaseText(&pair, phase, now) + "."
}

func (w words) aboutReplaced(pair *keys.Pair, phase keys.Phase, now time.Time) string {
	began := " (begun " + w.times.Stamp(pair.Began, now) + ")"
	switch phase {
	case keys.ByName:
		return " It may be replaced by " + pair.Successor.Name + ", as their names say. This computer does not remember a " +
			"rotation, so nothing is proved."
	case keys.Lost:
		return " It was being replaced" + began + ". Its successor is not listed now; R creates another one."
	case keys.NobodyHas:
		return " It was to be replaced by " + pair.Successor.Name + began + ", whose secret nobody has. R creates another one."
	case keys.CanGo:
		return " It was replaced by " + pair.Successor.Name + began + " and can go: x revokes it."
	case keys.Kept:
		return " It is being replaced by " + pair.Successor.Name + began + ". That became pgtower's own key, so its uses prove " +
			"nothing: revoke the old one with x once you know that nothing uses it."
	default:
	}
	successor := "another key"
	if pair.Successor != nil {
		successor = pair.Successor.Name
	}
	return " It is being replaced by " + successor + began + ". It can go once it has been quiet for " + keys.Long(pair.Quiet) +
		" and its successor was used later, by more than pgtower's verification."
}
