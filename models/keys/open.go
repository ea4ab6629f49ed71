package keys

import (
	"slices"
	"time"

	"pgtower/models"
)

// Open returns the records whose outcome a list may still decide, one for each change.
func Open(records []Record) (open []Record) {
	for _, r := range Joined(records) {
		if r.Outcome == Undecided && r.By == "" && r.sound() {
			open = append(open, r)
		}
	}
	return open
}

// sound reports whether a list can decide a record: users can edit the file.
func (r Record) sound() bool {
	if r.Change == Revoke {
		return r.ID > 0
	}
	return r.Change == Created || r.Change == Rotated
}

func (r Record) list() models.ListID { return models.ListID{Org: r.OrgID} }

// key returns the key that was revoked, or is known to be created.
func (r Record) key() models.KeyRef { return models.KeyRef{List: r.list(), ID: r.ID} }

// OpenKeys returns the keys with an open change.
func OpenKeys(open []Record) map[models.KeyRef]bool {
	refs := map[models.KeyRef]bool{}
	for i := range open {
		if open[i].ID != 0 {
			refs[open[i].key()] = true
		}
	}
	return refs
}

// decideOpen returns what a list decides of changes that other processes left open: they were killed, or quit without an
// answer. Only a list later than the deadline proves that nothing happened. The creation of a remembered key had an
// answer. sent has the ids of the requests of this process, which [Changes] decides.
func decideOpen(open []Record, list *Listed, memory *Memory, sent map[string]bool) (d Decided) {
	names := map[string][]Record{}
	var order []string
	list.Others = map[string]int{}
	for _, r := range open {
		switch {
		case r.list() != list.Of:
		case r.Change != Revoke:
			if names[r.Name] == nil {
				order = append(order, r.Name)
			}
			names[r.Name] = append(names[r.Name], r)
			if !sent[r.RequestID] {
				list.Others[r.Name]++
			}
		case !sent[r.RequestID] && !r.Sent.IsZero() && !list.AsOf.Early.IsZero():
			d.decideRevocation(r, list)
		}
	}
	for _, name := range order {
		if list.Others[name] > 0 && !list.AsOf.Early.IsZero() {
			d.decideCreations(names[name], list, memory)
		}
	}
	d.Records = slices.DeleteFunc(d.Records, func(r Record) bool { return sent[r.RequestID] })
	return d
}

// past reports whether a list was read at least margin after a request was sent.
func (l *Listed) past(r *Record, margin time.Duration) bool {
	return !l.AsOf.Early.Before(r.Sent.Add(margin))
}

func (d *Decided) decideRevocation(r Record, list *Listed) {
	listed := hasID(list.Keys, r.ID)
	switch {
	case !listed && list.past(&r, youngFor):
		d.Gone = append(d.Gone, r.Name)
		d.record([]Record{r}, Done, "")
	case listed && list.past(&r, recordDeadline):
		d.record([]Record{r}, Failed, "")
	}
}

// decideCreations decides the creations of keys with one name.
func (d *Decided) decideCreations(open []Record, list *Listed, memory *Memory) {
	// The program that sent a request may go on, and get the answer with the secret.
	first, late, running := open[0].Sent, true, false
	for i := range open {
		first = earlier(first, open[i].Sent)
		late = late && list.past(&open[i], recordDeadline)
		running = running || open[i].Error == ""
	}
	if first.IsZero() { // it is unknown when one was sent
		return
	}
	var found []int64
	var refs []models.KeyRef
	for i := range list.Keys {
		k := &list.Keys[i]
		isNew := k.Name == open[0].Name && !k.CreatedAt.Before(first.Add(-time.Minute))
		if isNew && memory.Of(k.Ref(), k.CreatedAt) == nil {
			found, refs = append(found, k.ID), append(refs, k.Ref())
		}
	}
	switch n := len(found); {
	case n == len(open) && (late || !running):
		if n == 1 {
			open[0].ID = found[0]
		}
		d.Found = append(d.Found, refs...)
		d.record(open, Done, "")
	case !late:
	case n == 0:
		d.Absent = append(d.Absent, open[0].Name)
		d.record(open, Failed, "")
	default:
		d.Found = append(d.Found, refs...)
		d.record(open, Undecided, several(len(open), found))
	}
}
