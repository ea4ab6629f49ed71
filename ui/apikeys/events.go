package apikeys

import (
	"slices"
	"strings"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/models/query"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

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

// tellEvents shows the events of a list: those that match views as alerts of these, the others apart. If the events could not be
// written to the file, it warns once.
func (p *Page) tellEvents(l listing) {
	if l.unkept != nil && !p.unkept {
		p.session.Notify(style.Waiting, "What is seen of the use of keys is remembered until you quit only: "+sentence(l.unkept))
	}
	p.unkept = l.unkept != nil
	var rest []keys.Event
	w, now, views := p.words(), p.session.ServiceNow(), p.views()
	found := make([][]keys.Event, len(views))
	for i := range l.events {
		matched := false
		for n := range views {
			if w.matches(&views[n], &l.events[i], now) {
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
