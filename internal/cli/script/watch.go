package script

import (
	"cmp"
	"context"
	"strings"
	"time"

	"pgtower/internal/cli/exit"
	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/models/poll"
	"pgtower/ui/style"
)

// The least and the greatest time between two reads of a list of keys.
const (
	WatchInterval    = time.Minute
	minWatchInterval = 10 * time.Second
	maxWatchInterval = time.Hour
)

// Watch returns the command that reads the lists of API keys again and again, and prints the events of keys.
func Watch(o *Options, interval time.Duration) (Run, error) {
	if interval < minWatchInterval || interval > maxWatchInterval {
		return nil, exit.Usagef("--interval must be a duration from 10s to 1h")
	}
	if o.Times == style.Relative { // an age says nothing of what has just happened
		o.Times = style.Local
	}
	return func(ctx context.Context, from *Source) error { return watchKeys(ctx, from, o, interval) }, nil
}

func watchKeys(ctx context.Context, from *Source, o *Options, interval time.Duration) error {
	w := &keyWatch{
		from: from, troubled: map[models.ListID]bool{},
		out: newOutput(o, from.process.Stdout, eventLayout(from.times)),
	}
	every := func() time.Duration { return interval }
	w.lists = newKeyLists(from, every, func(list *keys.Listed, a poll.Answer) { w.heard(ctx, list, a) })
	from.seen.tell = w.tell
	return w.run(ctx)
}

// keyWatch reads lists of keys, and prints the events that they show.
type keyWatch struct {
	from     *Source
	lists    *keyLists
	troubled map[models.ListID]bool // the lists that were reported as unreadable
	read     int                    // how many lists were answered since the account was read
	out      *output[event]
	failed   error // why the command ends: of writing, or the key was refused
}

// accountFor is how long the organizations and their members are not read again: they change rarely.
const accountFor = time.Hour

// run watches until the command is interrupted, the key is refused, or its output has no reader.
func (w *keyWatch) run(ctx context.Context) error {
	for {
		began, err := w.from.process.Clock(), w.begin(ctx)
		for err == nil && w.from.process.Clock().Sub(began) < accountFor {
			err = w.watch(ctx, began)
		}
		if err != nil {
			return err
		}
		w.from.seen.members = nil
	}
}

// watch watches until the account is to be read again, or the members are, which it reads.
func (w *keyWatch) watch(ctx context.Context, began time.Time) error {
	heard := func(poll.Answer, time.Time) error { return w.failed }
	err := w.from.loop.Run(ctx, heard, func(now time.Time) bool {
		return hungUp(w.from.process.Stdout) || w.needsMembers() || now.Sub(began) >= accountFor
	})
	switch {
	case err != nil:
		return err
	case hungUp(w.from.process.Stdout):
		return errReaderGone
	case w.needsMembers():
		return w.readMembers(ctx)
	}
	return nil
}

// needsMembers reports whether the members are to be read now: once all lists are, so that they delay none.
func (w *keyWatch) needsMembers() bool {
	return w.read >= len(w.lists.ids) && w.from.seen.members == nil
}

// begin finds out which lists there are. It never gives up.
func (w *keyWatch) begin(ctx context.Context) error {
	a := w.from.Account
	_, err := retry(ctx, w.from, 0, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, a.Load(ctx, w.from.API, w.from.loop)
	})
	if err != nil {
		return err
	}
	a.Detach()
	w.read = 0
	w.lists.put(a.KeyLists())
	if unknown := a.KeyListsErr(); unknown != nil {
		w.from.sayOnce(models.About("cannot tell which lists of keys there are", 0, unknown).Error())
	}
	if len(w.lists.ids) == 0 {
		w.from.sayOnce("no list of API keys: this is a " + a.Describe())
	}
	return nil
}

// readMembers reads the members of the organizations. What is missing is asked for again in an hour.
func (w *keyWatch) readMembers(ctx context.Context) error {
	var lists []keys.Listed
	for _, id := range w.lists.ids {
		lists = append(lists, keys.Listed{Of: id, Keys: make([]models.APIKey, 1)})
	}
	members, missing, err := w.from.readMembers(ctx, lists)
	for _, unread := range missing {
		w.from.sayOnce(unread.Error())
	}
	w.from.seen.members = members
	return err
}

// heard handles a list: it reports its events, or once that it cannot be read. A refused key ends the command.
func (w *keyWatch) heard(ctx context.Context, list *keys.Listed, a poll.Answer) {
	name := w.from.Account.KeyListName(list.Of)
	switch kind := models.KindOf(a.Err); {
	case kind == models.KindCanceled:
		return
	case kind == models.KindUnauthorized:
		w.failed = a.Err
	case a.Err != nil:
		if !w.troubled[list.Of] {
			w.from.say("%v", models.About("cannot read "+name, 0, a.Err))
		}
		w.troubled[list.Of] = true
	default:
		if w.troubled[list.Of] {
			w.from.say("can read %s again", name)
		}
		w.troubled[list.Of] = false
		w.from.completeList(ctx, list)
	}
	w.read++
}

// event is an event of a key, as it is printed.
type event struct {
	keys.Event

	reach string
}

func (w *keyWatch) tell(e keys.Event) {
	w.out.write(event{e, w.from.Account.Names().Reach(e.Key.Reach())})
	w.failed = cmp.Or(w.failed, w.out.Flush())
}

func eventLayout(times moments) layout[event] {
	return layout[event]{
		fields: strings.Fields("at event id name reach created_at last_used_at last_used_from_addr org_id project_id"),
		values: event.values,
		columns: []column[event]{
			{title: times.title("AT"), width: style.MomentWidth, shown: func(e event) string { return times.cell(e.Told.Read) }},
			{title: "EVENT", field: "event", width: 11},
			{title: "ID", field: "id", width: 10},
			{title: "NAME", field: "name", width: 24, cut: true},
			{title: "WHAT", shown: func(e event) string { return e.Text() }},
		},
	}
}

func (e event) values() models.Fields {
	values := e.Key.Fields()
	values["at"], values["event"], values["reach"] = models.Stamp(e.Told.Read), e.Kind.String(), e.reach
	return values
}
