package apikeys

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/ui/dialog"
	"pgtower/ui/style"
)

const irrevocable = "Everything that uses it stops working immediately. This cannot be undone."

// questions ask before keys are revoked.
type questions struct {
	words   words
	now     time.Time     // by the service's clock
	steady  time.Time     // now, by this computer's clock that never goes back
	warning []dialog.Line // of the journal, see [recorder.lines]
}

// fresh is the age up to which a list can prove that a key can go.
const fresh = 5 * time.Minute

// canGo returns the rotation of an old key, and whether the key can go, as of a fresh list.
func (q *questions) canGo(k *models.APIKey) (keys.Pair, bool) {
	pair, phase, ok := q.words.audit.Replaced(k)
	list := q.words.keys.get(k.List)
	return pair, ok && phase == keys.CanGo && list != nil && keys.Age(list.answer.Asked, q.steady) <= fresh
}

// aboutOne asks whether to revoke a key. The name of the session's key, or of one that may be in use, must be typed.
func (q *questions) aboutOne(k *models.APIKey, first []dialog.Line) dialog.Question {
	lists := q.words.keys
	lines := append(first, line(style.Muted, q.words.identify(k, q.now)), dialog.Line{})
	careful := true
	pair, canGo := q.canGo(k)
	switch {
	case lists.isOwn(k):
		lines = append(lines, line(style.Bad, "It is the key of this session: "+
			"you will have to sign in with another one. R creates a new one first, then revokes this one."))
	case k.ID != 0 && k.Ref() == lists.maybeSaved:
		lines = append(lines, line(style.Bad, "It may have been kept as this profile's key: "+
			"whether it was is not known. The next start would then be refused."))
	case canGo:
		lines = append(lines, line(style.Good, "It was replaced by "+pair.Successor.Name+", and "+
			q.words.phaseText(&pair, keys.CanGo, q.now)+"."))
		careful = lists.Shared(k)
		if pair.Rests() {
			careful = true
			lines = append(lines, line(style.Waiting, "It has paused for longer than it was asked to be quiet: "+
				keys.Exactly(pair.Paused())+", and "+keys.Long(pair.Quiet)+". What uses it may still need it."))
		}
	case maybeInUse(k, q.now):
		text := "This key may still be in use: it was used in the last 7 days."
		if !k.LastUsedAt.Known {
			text = "This key may still be in use: its last use is unknown."
		}
		if q.words.mayBeOwn(k) {
			text += " It may be this session's key: " + cannotTell
		}
		lines = append(lines, line(style.Waiting, text))
	default:
		careful = false
	}
	return q.about(k, append(lines, line(style.Plain, irrevocable)), careful)
}

// rests returns what a question about a key rests on. Another use of a key in use changes nothing, nor does one of this session's
// key, which pgtower itself uses.
func (q *questions) rests(k *models.APIKey) string {
	current, listed := q.words.keys.asOfNow(k)
	pair, canGo := q.canGo(current)
	_, phase, _ := q.words.audit.Replaced(current)
	own := q.words.keys.isOwn(current)
	use := ""
	switch {
	case own:
	case !current.LastUsedAt.Known:
		use = "unknown"
	case maybeInUse(current, q.now):
		use = "in use from " + current.LastUsedFromAddr
	default:
		use = current.LastUsedAt.Value.String()
	}
	return fmt.Sprint(listed, current.Name, current.Reach(), use, canGo, canGo && pair.Rests(), phase, own, q.words.keys.notRevocable(current))
}

// about asks whether to revoke a key. If careful, its name must be typed, or what terminals draw of it. If the name cannot be
// typed, or another name is drawn the same, the id must be typed instead.
func (q *questions) about(k *models.APIKey, lines []dialog.Line, careful bool) dialog.Question {
	asked := dialog.Question{
		Title: "Revoke " + k.Name + "?", Lines: slices.Concat(q.warning, lines), Verb: "Revoke",
		Cancel: "Cancel",
	}
	asked.Lines = append(asked.Lines, codePoints(k.Name)...)
	switch {
	case careful && (dialog.Typed(k.Name) == "" || q.drawnTwice(k)):
		asked.Type, asked.What = strconv.FormatInt(k.ID, 10), "the key's id"
	case careful:
		asked.Type, asked.What, asked.Or = k.Name, "the key's name", style.Drawn(k.Name)
	}
	return asked
}

// drawnTwice reports whether some terminal draws another name of the account like the name of a key.
func (q *questions) drawnTwice(k *models.APIKey) bool {
	drawn := style.Drawn(k.Name)
	for _, list := range q.words.keys.all {
		for i := range list.All {
			if second := list.All[i].Name; second != k.Name && style.Drawn(second) == drawn {
				return true
			}
		}
	}
	return false
}

// codePoints lists the code points of a name that some terminals draw otherwise.
func codePoints(name string) []dialog.Line {
	if style.Drawn(name) == name {
		return nil
	}
	var points []string
	for _, r := range name {
		points = append(points, fmt.Sprintf("%U", r))
	}
	return []dialog.Line{{}, line(style.Muted, "Not every terminal draws this name as it is: "+strings.Join(points, " "))}
}

// aboutSelection returns which of the marked keys can be revoked together, and the warnings about them.
func (q *questions) aboutSelection(marked []*models.APIKey, hidden int) (selection, []dialog.Line) {
	s := q.words.keys.selection(marked, q.canGo, q.now)
	return s, s.cautions(hidden, slices.ContainsFunc(s.keys, q.words.mayBeOwn))
}

// aboutMany asks whether to revoke keys, whose number must be typed.
func (q *questions) aboutMany(targets []*models.APIKey, cautions []dialog.Line) dialog.Question {
	list := q.words.keyLines(targets, q.now)
	slices.Reverse(list) // keys in use are shown first, and revoked last
	n := strconv.Itoa(len(targets))
	lines := []dialog.Line{
		line(style.Muted, q.words.label),
		line(style.Plain, "They stop working immediately. This cannot be undone."),
	}
	return dialog.Question{
		Title: fmt.Sprintf("Revoke %s?", style.Plural(len(targets), "key")),
		Lines: slices.Concat(lines, q.warning, cautions), List: list, Verb: "Revoke", Type: n,
		What: n,
	}
}

// selection is the marked keys that can be revoked together, the least used first. If the session's key is unknown and among them,
// it is the last one, as it was used just now.
type selection struct {
	keys                   []*models.APIKey
	used, unknown, skipped int  // numbers of keys used recently, of unknown use, and left out
	rest                   int  // the number of those that can go, but have paused for longer than their quiet time
	own                    bool // the session's key is left out
}

func (l *shownKeys) selection(marked []*models.APIKey, replaced func(*models.APIKey) (pair keys.Pair, canGo bool), now time.Time) selection {
	var s selection
	for _, k := range marked {
		pair, canGo := replaced(k)
		switch {
		case l.isOwn(k):
			s.own = true
			continue
		case l.notRevocable(k) != "", k.Ref() == l.maybeSaved:
			s.skipped++
			continue
		case !k.LastUsedAt.Known:
			s.unknown++
		case maybeInUse(k, now) && !canGo:
			s.used++
		case canGo && pair.Rests():
			s.rest++
		}
		s.keys = append(s.keys, k)
	}
	slices.SortStableFunc(s.keys, func(a, b *models.APIKey) int { return byUse(a, b, now) })
	return s
}

// cautions returns the warnings. Each fits in a line of a small screen, except the muted one, to leave room for the keys.
func (s *selection) cautions(hidden int, mayBeOwn bool) (lines []dialog.Line) {
	many := len(s.keys) > 1
	for _, caution := range []struct {
		holds bool
		tone  style.Tone
		text  string
	}{
		{hidden > 0, style.Bad, "Marked, but hidden by the filter: " + style.Plural(hidden, "key") + "."},
		{many && s.used > 0, style.Waiting, "Possibly in use, used in the last 7 days: " + style.Plural(s.used, "key") + "."},
		{many && s.unknown > 0, style.Waiting, "Possibly in use, last use unknown: " + style.Plural(s.unknown, "key") + "."},
		{many && s.rest > 0, style.Waiting, "Paused for longer than asked to be quiet: " + style.Plural(s.rest, "key") + "."},
		{s.own, style.Waiting, "Skipped this session's key: revoke it by itself."},
		{s.skipped > 0, style.Muted, skippedKeys(s.skipped)},
		{many && mayBeOwn && s.used+s.unknown > 0, style.Waiting, "This session's key may be among them (revoked last)."},
	} {
		if caution.holds {
			lines = append(lines, line(caution.tone, caution.text))
		}
	}
	return lines
}

func skippedKeys(n int) string {
	return "Skipped " + style.Plural(n, "key") + " (already being revoked, or cannot be revoked)."
}

// The maximum widths of columns. On a screen of 80 cells, the address is cut, but the name, the id and the reach are not.
const (
	maxNames   = 26
	maxReaches = 14
)

// cell returns a text in a column.
func cell(text string, width int) string { return style.Pad(style.CutMiddle(text, width), width) }

// keyLines returns a line for each key.
func (w words) keyLines(list []*models.APIKey, now time.Time) (lines []dialog.Line) {
	used := func(k *models.APIKey) string { return strings.TrimPrefix(w.lastTime(k, now), "last ") }
	names, reaches, uses, ids := 0, 0, 0, 0
	for _, k := range list {
		names = min(maxNames, max(names, style.Width(k.Name)))
		reaches = min(maxReaches, max(reaches, style.Width(w.reach(k))))
		uses = max(uses, style.Width(used(k)))
		ids = max(ids, len(idOf(k)))
	}
	for _, k := range list {
		cells := []string{style.Pad(shortName(k.Name, names), names), cell(idOf(k), ids)}
		words := []string{k.Name, fmt.Sprintf("id %d", k.ID)}
		if !w.oneReach() {
			cells = append(cells, cell(w.reach(k), reaches))
			words = append(words, "reaches "+w.reach(k))
		}
		cells = append(cells, cell(used(k), uses), k.LastUsedFromAddr)
		shownLine := line(style.Plain, strings.Join(cells, "  "))
		shownLine.Announced = strings.Join(append(words, w.lastUse(k, now)), ", ")
		if pair, phase, ok := w.audit.Replaced(k); ok && phase == keys.CanGo && pair.Rests() {
			shownLine.Tone = style.Waiting
			shownLine.Text += "  paused " + keys.Long(pair.Paused())
			shownLine.Announced += ", it has paused for " + keys.Long(pair.Paused())
		}
		if maybeInUse(k, now) {
			shownLine.Tone = style.Waiting
		}
		lines = append(lines, shownLine)
	}
	return lines
}
