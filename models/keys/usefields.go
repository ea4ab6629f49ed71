package keys

import (
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/record"
)

// StripDays is how many days a strip has.
const StripDays = 30

// UsedMark is a day with a use in the text of a strip.
const UsedMark = '▄'

// cells are the cells of a strip as a text.
var cells = [...]rune{NoDay: ' ', UsedDay: UsedMark, UnusedDay: '·', OpenDay: '╱'}

// StripText returns a strip as a text, a character for each day.
func StripText(strip []Cell) string {
	var b strings.Builder
	for _, cell := range strip {
		b.WriteRune(cells[cell])
	}
	return b.String()
}

// UseFields returns the fields of API keys with what was seen of their use. audit returns what is known of the keys now,
// and zone the time zone of the days; any goroutine may call both.
func UseFields(audit func() *Audit, zone func() *time.Location) []record.Field[*models.APIKey] {
	return []record.Field[*models.APIKey]{
		{
			Name: "events", Absent: true,
			Get: record.Getter[*models.APIKey]{Kind: record.Word, At: func(k *models.APIKey, now time.Time) record.Value {
				return audit().events(k, now)
			}},
		},
		{
			Name: "used", Derived: true, Unseen: true, Title: "USED", Width: StripDays, Priority: 2,
			Get: record.Getter[*models.APIKey]{Kind: record.Word, At: func(k *models.APIKey, now time.Time) record.Value {
				return audit().Usage(k).strip(now, zone())
			}},
		},
	}
}

// events returns the names of the recent events of a key as the value of a field.
func (a *Audit) events(k *models.APIKey, now time.Time) record.Value {
	if now.IsZero() { // it is exported
		now = k.AsOf.Early
	}
	text := strings.Join(a.Events(k, now), ",")
	return record.Value{Known: text != "", Text: text}
}

// strip returns the strip of a key as the value of a field.
func (u *Usage) strip(now time.Time, zone *time.Location) record.Value {
	if u == nil {
		return record.Value{}
	}
	return record.Value{Known: true, Text: StripText(u.Strip(StripDays, now, zone))}
}

// Telling returns the audit for a filter that decides whether an event is told: its key has this event alone.
func (a *Audit) Telling(e *Event) *Audit {
	out := *a
	out.telling = e
	return &out
}

// Events returns the names of the recent events of a key, the newest first.
func (a *Audit) Events(k *models.APIKey, now time.Time) (names []string) {
	if a.telling != nil {
		if k.Ref() == a.telling.Key.Ref() {
			return []string{a.telling.Kind.String()}
		}
		return nil
	}
	for _, event := range a.Usage(k).Recent(now) {
		names = append(names, event.Kind.String())
	}
	return names
}
