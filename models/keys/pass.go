package keys

import (
	"slices"
	"time"

	"pgtower/models"
)

// watchEvery is how often a line is written that nothing changed.
const watchEvery = time.Hour

// A key that is used all the time gets fewer lines: once it has some of an hour, one more a while after the last.
const (
	busyUses  = 3
	busyPause = 20 * time.Minute
)

// pass is one look at a list. It finds the lines that the file lacks, and changes nothing.
type pass struct {
	Sight

	history     *History
	now, before *view // before is nil if this process has not seen the list
	last        bool  // the program ends: nothing is held back, and no event is looked for
}

// find returns the lines to append, and their events.
func (p *pass) find() (lines []Seen, events []Event) {
	l := p.history.list(p.Place)
	whole := p.whole(l)
	for _, id := range p.now.order {
		latest := p.now.shown[id]
		fresh := p.tell(l, id, &latest)
		line := p.line(l.keys[id], &latest, whole || len(fresh) > 0)
		if line != nil {
			lines = append(lines, *line)
		}
		for _, e := range fresh {
			lines = append(lines, e.line(p.now.early))
		}
		events = append(events, fresh...)
	}
	for _, u := range p.gone(l) {
		lines = append(lines, Seen{ID: u.Ref.ID, Created: u.Created, Name: u.Name, Gone: true, Read: p.now.early})
	}
	if whole {
		lines = append(lines, Seen{Read: p.now.early, Sum: sumText(p.now.sum())})
	}
	for i := range lines {
		lines[i].ListPlace = p.Place
	}
	return lines, events
}

// whole reports whether a line about the whole list is due, and would be true: then nothing is held back.
func (p *pass) whole(l *listHistory) bool {
	due := !l.noted.IsZero() && p.now.early.Sub(l.noted) >= watchEvery || p.last && p.now.early.After(l.read)
	return due && !p.now.broken && !p.behind(l)
}

// behind reports whether the list shows less of some key than an earlier one did: it is a copy that lags.
func (p *pass) behind(l *listHistory) bool {
	for _, id := range p.now.order {
		u, latest := l.keys[id], p.now.shown[id]
		if u != nil && !latest.unknown && latest.use.Before(u.use()) {
			return true
		}
	}
	return false
}

// sum is that of the last uses of a list, see [listHistory].
func (v *view) sum() (sum uint64) {
	for _, id := range v.order {
		sum += entrySum(id.id, v.shown[id].use, v.shown[id].unknown)
	}
	return sum
}

// line returns the line about a key as the list shows it, or nil. With atOnce, it is not held back.
func (p *pass) line(u *Usage, latest *shownUse, atOnce bool) *Seen {
	k := latest.key
	line := &Seen{
		Use: latest.use, From: latest.from, Read: p.now.early, ID: k.ID, Name: plainName(k.Name), Created: k.CreatedAt.UTC(),
		Unknown: latest.unknown,
	}
	switch {
	case u == nil, !u.Gone.IsZero(), latest.unknown != u.Unknown:
		return line
	case latest.unknown, !u.changed(latest), !atOnce && !p.last && u.holdsBack(latest):
		return nil
	}
	if p.before == nil || p.last {
		return line
	}
	id := seenKeyOf(k.ID, k.CreatedAt)
	if previous, ok := p.before.shown[id]; ok && !previous.unknown && previous.use.Before(latest.use) {
		line.Was, line.Until = previous.use, p.before.early
	}
	return line
}

// plainName returns a name, or "" for one that looks like a secret.
func plainName(name string) string {
	if models.FindKey(name) >= 0 {
		return ""
	}
	return name
}

// changed reports whether a list shows another use than is known.
func (u *Usage) changed(latest *shownUse) bool {
	if use := u.use(); !latest.use.Equal(use) || use.IsZero() {
		return latest.use.After(use)
	}
	last := u.Stamps[len(u.Stamps)-1]
	return latest.from != "" && latest.from != last.From
}

// holdsBack reports whether a use is written later, with the next ones.
func (u *Usage) holdsBack(latest *shownUse) bool {
	lately := u.between(latest.use.Add(-time.Hour), latest.use)
	return len(lately) >= busyUses && latest.use.Sub(u.use()) < busyPause
}

// usedAgain reports whether a use is the first one since the key could go.
func (u *Usage) usedAgain(latest *shownUse) bool {
	event := u.told(CanGoNow)
	return event != nil && event.Use.Equal(u.use()) && latest.use.After(event.Use)
}

// gone returns the keys that the list had and lacks now. A list without any of them may be that of another account.
func (p *pass) gone(l *listHistory) (gone []*Usage) {
	if p.now.broken || p.now.early.IsZero() || p.last {
		return nil
	}
	kept := false
	for id, u := range l.keys {
		_, listed := p.now.shown[id]
		kept = kept || listed
		if !listed && u.Gone.IsZero() && !p.now.early.Before(u.Created.Add(youngFor)) {
			gone = append(gone, u)
		}
	}
	if !kept {
		return nil
	}
	slices.SortFunc(gone, byID)
	return gone
}

// tell returns the new events of a key.
func (p *pass) tell(l *listHistory, id seenKey, latest *shownUse) (events []Event) {
	u := l.keys[id]
	add := func(kind EventKind) {
		events = append(events, Event{kind, *latest.key, Told{kind, latest.use, latest.from, p.now.early}})
	}
	if p.last || p.Audit == nil {
		return nil
	}
	if u == nil {
		u = &Usage{}
		if p.isNew(l, latest.key) {
			add(NewKey)
		}
	}
	if u.changed(latest) && u.newAddress(latest.from) {
		add(NewAddress)
	}
	if u.changed(latest) && u.usedAgain(latest) {
		add(UsedAgain)
	}
	_, phase, replaced := p.Audit.Replaced(latest.key)
	if event := u.told(CanGoNow); replaced && phase == CanGo && (event == nil || !event.Use.Equal(latest.use)) {
		add(CanGoNow)
	}
	if p.Audit.OwnerGone(latest.key) != "" && u.told(OwnerGone) == nil {
		add(OwnerGone)
	}
	return events
}

// isNew reports whether a key was created since its list was last read, and not by pgtower. One that is older was listed
// before: the line about it is lost.
func (p *pass) isNew(l *listHistory, k *models.APIKey) bool {
	if p.Audit.own.ID != 0 && k.Ref() == p.Audit.own {
		return false
	}
	young := k.CreatedAt.IsZero() || k.CreatedAt.After(l.read.Add(-youngFor))
	return !l.read.IsZero() && young && p.List.Memory.Of(k.Ref(), k.CreatedAt) == nil && !p.List.Begun[k.Name]
}

func (e *Event) line(read time.Time) Seen {
	return Seen{
		Use: e.Told.Use, From: e.Told.From, Read: read, ID: e.Key.ID, Created: e.Key.CreatedAt.UTC(), Told: e.Kind.String(),
	}
}

// usages returns what was seen of the use of the keys of the list, including what this list shows.
func (p *pass) usages() Usages {
	l, usages := p.history.list(p.Place), make(Usages, len(p.now.order))
	for _, id := range p.now.order {
		u, latest := l.keys[id], p.now.shown[id]
		if u == nil {
			continue
		}
		l.settle(u)
		usage := *u
		usage.Stamps, usage.Unused, usage.addresses = slices.Clip(u.Stamps), slices.Clip(u.Unused), slices.Clip(u.addresses)
		if !latest.unknown && !latest.use.Before(u.use()) {
			if !latest.use.IsZero() {
				usage.stamp(latest.use, latest.from)
			}
			usage.prove(latest.use, p.now.early)
		}
		usages[latest.key.Ref()] = &usage
	}
	return usages
}
