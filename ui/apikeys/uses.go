package apikeys

import (
	"slices"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/models/query"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// matches reports whether the filter of a view matches the key of an event, as if it had no other event.
func (w words) matches(view *query.SavedView, e *keys.Event, now time.Time) bool {
	audit := w.audit.Telling(e)
	fields := query.APIKeys(w.fields, func() *keys.Audit { return audit }, style.Value)
	filter, err := query.Parse(view.Filter, fields)
	return err == nil && filter.Match(&e.Key, w.times.In(now))
}

// event returns the sign of an event, and the text behind the name of its key.
func (w words) event(e *keys.Event, now time.Time) (glyph, text string) {
	if pair, phase, _ := w.audit.Replaced(&e.Key); e.Kind == keys.CanGoNow && phase == keys.CanGo {
		return "✓", " " + w.phaseText(&pair, phase, now)
	}
	return "!", ": " + e.Text()
}

// recent returns the events of a key in the last days, or "".
func (w words) recent(k *models.APIKey, now time.Time) string {
	var texts []string
	for _, event := range w.audit.Usage(k).Recent(now) {
		since := " since " + keys.Day(event.Read, now, w.zone())
		switch event.Kind {
		case keys.NewAddress:
			texts = append(texts, "new address"+since)
		case keys.NewKey:
			texts = append(texts, "new key"+since)
		case keys.UsedAgain:
			texts = append(texts, "used again"+since)
		case keys.OwnerGone:
			texts = append(texts, "owner gone")
		case keys.CanGoNow: // the note about its rotation says so
		}
	}
	if len(texts) == 0 {
		return ""
	}
	return "! " + strings.Join(texts, " · ")
}

// sentences returns sentences about the uses of a key, with a space after each, or "".
func (w words) sentences(u *keys.Usage, now time.Time) string {
	if u == nil {
		return ""
	}
	var text strings.Builder
	for _, sentence := range u.Sentences(now, w.zone()) {
		text.WriteString(sentence + " ")
	}
	return text.String()
}

const (
	lastUses      = 20 // in details
	lastAddresses = 10
)

// seen returns the last uses that were seen and their addresses, as lines of details.
func (w words) seen(u *keys.Usage, now time.Time) (fields []table.Field) {
	if u == nil || len(u.Stamps) == 0 {
		return nil
	}
	var from, uses []string
	for i, a := range u.Addresses() {
		if i < lastAddresses {
			from = append(from, w.address(a, now))
		}
	}
	for i, s := range slices.Backward(u.Stamps) {
		if i >= len(u.Stamps)-lastUses {
			uses = append(uses, w.at(s.At, now))
		}
	}
	if len(from) > 0 {
		fields = append(fields, table.Field{Label: "seen_from", Value: strings.Join(from, "; ")})
	}
	return append(fields, table.Field{Label: "seen_uses", Value: strings.Join(uses, ", ")})
}

// address returns an address with the days and the number of uses: "192.0.2.1, 6 Nov – today, 21 uses".
func (w words) address(a keys.Address, now time.Time) string {
	first, last := keys.Day(a.First, now, w.zone()), keys.Day(a.Last, now, w.zone())
	days := first
	if first != last {
		days += " – " + last
	}
	return a.From + ", " + days + ", " + style.Plural(a.Uses, "use")
}

// at returns a time as a day and a time of the day.
func (w words) at(t, now time.Time) string {
	return keys.Day(t, now, w.zone()) + " " + w.times.In(t).Format("15:04")
}

// strip draws the strip of a key between its first and its last day, above the legend.
func (w words) strip(th *style.Theme, u *keys.Usage, now time.Time, width int) []string {
	strip := u.Strip(keys.StripDays, now, w.zone())
	begin := w.times.In(now).AddDate(0, 0, 1-keys.StripDays).Format("2 Jan")
	open := 0
	for _, cell := range strip {
		if cell == keys.OpenDay {
			open++
		}
	}
	var drawn strings.Builder
	for _, character := range keys.StripText(strip) {
		drawn.WriteString(th.Paint(stripTone(character), string(character)))
	}
	line := th.Paint(style.Muted, begin+" ") + drawn.String() + th.Paint(style.Muted, " "+w.times.In(now).Format("2 Jan"))
	legend := "▄ used  · not used  ╱ a use may have been missed: " + style.Plural(open, "day")
	return append([]string{line}, th.Paragraph(style.Muted, legend, width)...)
}

// stripTone returns the tone of a character of a strip.
func stripTone(character rune) style.Tone {
	if character == keys.UsedMark {
		return style.Accent
	}
	return style.Muted
}
