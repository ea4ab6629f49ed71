package apikeys

import (
	"maps"
	"slices"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/models/query"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// zone is that of the days on the screen.
func (p *Page) zone() *time.Location { return p.session.Times.In(time.Time{}).Location() }

// watch writes down the uses that a list shows, off the UI's goroutine.
type watch struct {
	watcher *keys.Watcher
	place   keys.ListPlace
	options keys.AuditOptions
}

// watch returns the watch of a list, as things are when that is requested.
func (p *Page) watch(id models.ListID) watch {
	options := p.auditOptions()
	options.Revocations = maps.Clone(options.Revocations)
	return watch{p.options.Watcher, keys.PlaceOf(p.options.Host, p.account.Identity().ID, id), options}
}

// take writes down the uses of a list, and finds the events.
func (w watch) take(l *listing) {
	w.options.Open = keys.OpenKeys(l.answer.Open)
	audit := keys.NewAudit([]*keys.Together{l.found}, w.options)
	l.usages, l.events, l.unkept = w.watcher.Take(keys.Sight{Place: w.place, List: &l.answer, Audit: audit})
	l.found.Usages = l.usages
}

// views returns the views of the page that alert.
func (p *Page) views() (views []query.SavedView) {
	if p.options.Views == nil {
		return nil
	}
	for _, view := range *p.options.Views {
		view = query.InProfile(view, p.session.Profile)
		if view.Page == page.APIKeys.Name() && (view.Alert || len(view.Run) > 0) {
			views = append(views, view)
		}
	}
	return views
}

// alerts reports whether a view of the page alerts.
func (p *Page) alerts() bool { return len(p.views()) > 0 }

// tellEvents tells what a list has shown, by the views that match it, or by none. It says once why the file does not have it.
func (p *Page) tellEvents(l listing) {
	if l.unkept != nil && !p.unkept {
		p.session.Notify(style.Waiting, "What is seen of the use of keys is remembered until you quit only: "+sentence(l.unkept))
	}
	p.unkept = l.unkept != nil
	var rest []keys.Event
	views := p.views()
	found := make([][]keys.Event, len(views))
	for i := range l.events {
		matched := false
		for n := range views {
			if p.matches(&views[n], &l.events[i]) {
				matched, found[n] = true, append(found[n], l.events[i])
			}
		}
		if !matched {
			rest = append(rest, l.events[i])
		}
	}
	for n := range views {
		p.alert(page.Alert{Reason: views[n].Name, Rings: views[n].Alert, Run: views[n].Run}, found[n])
	}
	p.alert(page.Alert{Reason: page.APIKeys.Title()}, rest)
}

// matches reports whether the filter of a view matches the key of an event, which has no other event then.
func (p *Page) matches(view *query.SavedView, e *keys.Event) bool {
	audit := p.audited().Telling(e)
	fields := query.APIKeys(p.fields, func() *keys.Audit { return audit }, style.Value)
	filter, err := query.Parse(view.Filter, fields)
	return err == nil && filter.Match(&e.Key, p.session.Times.In(p.session.ServiceNow()))
}

// alert shows events.
func (p *Page) alert(alert page.Alert, events []keys.Event) {
	if len(events) == 0 {
		return
	}
	slices.SortStableFunc(events, func(a, b keys.Event) int { return int(a.Kind - b.Kind) })
	w, now := p.words(), p.session.ServiceNow()
	for i := range events {
		e := &events[i]
		values := models.ValuesOf(p.fields, &e.Key)
		values["event"] = e.Kind.String()
		glyph, text := w.event(e, now)
		alert.Found = append(alert.Found, page.Found{
			Text: glyph + " " + e.Key.Name + text, Sign: style.Status{Glyph: glyph, Tone: eventTones[e.Kind]},
			Subject: e.Key.Name, Brief: strings.TrimLeft(text, ": "), APIKey: e.Key.Ref(), Values: values,
		})
	}
	alert.Tone, alert.Text = eventTones[events[0].Kind], alert.Found[0].Text
	if others := len(events) - 1; others > 0 {
		alert.Text += ", +" + style.Count(others) + " more"
	}
	p.session.Emit(alert)
}

// eventTones has the tones of the kinds of events.
var eventTones = [...]style.Tone{
	keys.CanGoNow: style.Good, keys.UsedAgain: style.Waiting, keys.NewAddress: style.Waiting, keys.NewKey: style.Waiting,
	keys.OwnerGone: style.Waiting,
}

// event returns the sign of an event, and what stands behind the name of its key.
func (w words) event(e *keys.Event, now time.Time) (glyph, text string) {
	if pair, phase, _ := w.audit.Replaced(&e.Key); e.Kind == keys.CanGoNow && phase == keys.CanGo {
		return "✓", " " + w.phaseText(&pair, phase, now)
	}
	return "!", ": " + e.Text()
}

// recent returns what was told of a key in the last days, most important first, or "".
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
		case keys.CanGoNow: // its rotation tells
		}
	}
	if len(texts) == 0 {
		return ""
	}
	return "! " + strings.Join(texts, " · ")
}

func (w words) zone() *time.Location { return w.times.In(time.Time{}).Location() }

// sentences returns what can be said of the uses of a key, with a space after it, or "".
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

// seen returns the addresses and the last uses that were seen of a key, as lines of its details.
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

// address returns an address with the days on which it was seen: "192.0.2.1, 6 Nov – today, 21 uses".
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

// strip draws the days of a key between the first and the last of them, and how many of them were watched.
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
