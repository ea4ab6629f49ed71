package operations

import (
	"slices"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/incident"
	"pgtower/models/status"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// statusPage reads the service's public status page.
type statusPage struct {
	*status.Reader

	live *live
}

// attend asks the page while it has a say, unless the feed is paused: then what it said stays.
func (p *statusPage) attend(t *together) {
	p.Want(!p.live.paused() && !p.live.session.Ended() && p.heard(t))
}

// heard reports whether the page has a say: failures lie together, or the service does not answer.
func (p *statusPage) heard(t *together) bool { return t.known() || p.live.unanswered() }

// unanswered reports whether the service does not answer, for a reason that the user cannot end.
func (l *live) unanswered() bool {
	span := l.span()
	if models.BlockOf(span.Err) != models.NoBlock {
		return false
	}
	switch span.State {
	case feed.Offline:
		return true
	case feed.Failing:
		ours := []models.Kind{models.KindServer, models.KindUnreachable, models.KindTimeout, models.KindStalled, models.KindCutOff}
		return slices.Contains(ours, models.KindOf(span.Err))
	default:
		return false
	}
}

// located returns the regions of the projects in scope, by their ids. Any goroutine may read them.
func (s *scope) located() map[string]string {
	if s.all() {
		return s.regions
	}
	return map[string]string{s.project.ID: s.regions[s.project.ID]}
}

// says returns what the page says about the regions in which failures lie together, or else about the service.
func (p *statusPage) says(t *together) (status.Statement, bool) {
	switch {
	case !p.heard(t):
		return status.Statement{}, false
	case !t.known():
		return p.Says()
	}
	return p.Says(t.result.regions...)
}

// outdated is the age from which the page's statement is shown with its time.
const outdated = 2 * time.Minute

// text returns a statement in words. about is the region that is named beside it, or "".
func (p *statusPage) text(s status.Statement, about string) string {
	session := p.live.session
	now := session.ServiceNow()
	text := s.Text(func(t time.Time) string { return session.Times.Minute(t, now) }, about)
	asOf := session.Service(s.AsOf)
	return text + when(s.Known() && now.Sub(asOf) > outdated, " as of "+session.Times.Minute(asOf, now))
}

// sign returns the sign before the words of the status page.
func sign(s status.Statement) (glyph string, tone style.Tone) {
	switch {
	case s.Known() && s.Trouble():
		return "!", style.Waiting
	case !s.Known():
		return "?", style.Waiting
	}
	return "∙", style.Muted
}

// draw returns what the page says, or "".
func (p *statusPage) draw(f page.Frame, t *together) string {
	s, ok := p.says(t)
	if !ok {
		return ""
	}
	about := ""
	if t.known() && t.result.places[0].By == incident.Regions {
		about = t.result.places[0].Value
	}
	glyph, tone := sign(s)
	return f.Theme.Paint(tone, glyph+" "+p.text(s, about))
}

// during returns what the page says, or nil if the span of a report ended earlier.
func (p *statusPage) during(t *together, until time.Time) *status.Statement {
	session := p.live.session
	s, ok := p.says(t)
	if !ok || session.ServiceNow().Sub(until) > outdated {
		return nil
	}
	s.AsOf = session.Service(s.AsOf)
	return &s
}
