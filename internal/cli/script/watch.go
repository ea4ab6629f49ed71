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

// Watch returns the command that reads the lists of API keys again and again, and tells what is to be told of keys.
func Watch(o *Options, interval time.Duration) (Run, error) {
	if interval < minWatchInterval || interval > maxWatchInterval {
		return nil, exit.Usagef("--interval must be a duration from 10s to 1h")
	}
	if o.Times == style.Relative { // an age says nothing of what has just happened
		o.Times = style.Local
	}
	return func(ctx context.Context, from *Source) error {
		w := &keyWatch{
			from: from, interval: interval, due: map[string]time.Time{}, troubled: map[string]bool{},
			out: newOutput(o, from.process.Stdout, eventLayout(from.times)),
		}
		from.seen.tell = w.tell
		return w.run(ctx)
	}, nil
}

// keyWatch reads lists of keys: it is a [poll.Reader].
type keyWatch struct {
	from     *Source
	interval time.Duration
	due      map[string]time.Time // when each list is read next, by its organization
	troubled map[string]bool      // the lists that were reported as unreadable
	read     int                  // how many lists were answered since the account was read
	out      *output[event]
	failed   error // of writing
}

// accountFor is for how long the organizations and their members are taken as they were read: they change rarely.
const accountFor = time.Hour

// run watches until the command is interrupted, the key is refused, or nobody reads what it prints.
func (w *keyWatch) run(ctx context.Context) error {
	for {
		began, err := w.from.process.Clock(), w.begin(ctx)
		if err != nil {
			return err
		}
		members := false
		heard := func(a poll.Answer, _ time.Time) error { return w.heard(ctx, a) }
		err = w.from.loop.Run(ctx, heard, func(now time.Time) bool {
			members = w.read >= len(w.due) && w.from.seen.members == nil
			return w.failed != nil || hungUp(w.from.process.Stdout) || members || now.Sub(began) >= accountFor
		})
		switch {
		case err != nil:
			return err
		case w.failed != nil, hungUp(w.from.process.Stdout):
			return cmp.Or(w.failed, error(errReaderGone))
		case members:
			err = w.readMembers(ctx)
		default:
			w.from.seen.members = nil
		}
		if err != nil {
			return err
		}
	}
}

// begin finds out which lists there are. It never gives up.
func (w *keyWatch) begin(ctx context.Context) error {
	a := w.from.Account
	_, err := retry(ctx, w.from, 0, func() (struct{}, error) {
		return struct{}{}, a.Load(ctx, w.from.API, w.from.loop)
	})
	if err != nil {
		return err
	}
	a.Detach()
	lists := map[string]time.Time{}
	for _, id := range a.KeyLists() {
		lists[id.Org] = w.due[id.Org]
	}
	for org := range w.due {
		if _, there := lists[org]; !there {
			w.from.loop.Forget(w, org)
		}
	}
	w.due, w.read = lists, 0
	if unknown := a.KeyListsErr(); unknown != nil {
		w.from.sayOnce(models.About("cannot tell which lists of keys there are", 0, unknown).Error())
	}
	if len(lists) == 0 {
		w.from.sayOnce("no list of API keys: this is a " + a.Describe())
	}
	for org := range lists {
		w.put(org)
	}
	return nil
}

// readMembers reads who belongs to the organizations. What is missing is asked for again in an hour.
func (w *keyWatch) readMembers(ctx context.Context) error {
	var lists []keys.Listed
	for org := range w.due {
		lists = append(lists, keys.Listed{Of: models.ListID{Org: org}, Keys: make([]models.APIKey, 1)})
	}
	members, missing, err := w.from.readMembers(ctx, lists)
	for _, unread := range missing {
		w.from.sayOnce(unread.Error())
	}
	w.from.seen.members = members
	return err
}

func (w *keyWatch) put(org string) {
	w.from.loop.Put(w, org, poll.Source{
		Subject: poll.Subject{Kind: "keys", Of: org}, Lane: poll.Round, Rank: poll.First, From: w.due[org],
	})
}

// keysAnswer is a list as it was answered.
type keysAnswer struct {
	keys  []models.APIKey
	asked time.Time
}

// Call is of [poll.Reader].
func (w *keyWatch) Call(s poll.Subject, now time.Time) (poll.Call, time.Time) {
	if due := w.due[s.Of]; due.After(now) {
		return nil, due
	}
	w.due[s.Of] = now.Add(w.interval)
	service, steady := w.from.API, w.from.process.Steady
	return func(ctx context.Context) (any, error) {
		asked := steady()
		list, err := service.APIKeys(ctx, models.ListID{Org: s.Of})
		return keysAnswer{list, asked}, err
	}, time.Time{}
}

// Receive is of [poll.Reader]: a list is read once an interval, whatever came of it.
func (w *keyWatch) Receive(a poll.Answer, _ time.Time) { w.put(a.Of) }

// heard takes in a list, or says that it cannot be read until it can be again. A refused key is an error.
func (w *keyWatch) heard(ctx context.Context, a poll.Answer) error {
	id := models.ListID{Org: a.Of}
	got, ok := a.Value.(keysAnswer)
	switch kind := models.KindOf(a.Err); {
	case a.Kind != "keys" || a.Late || !ok || kind == models.KindCanceled:
		return nil
	case kind == models.KindUnauthorized:
		return a.Err
	case a.Err != nil:
		if !w.troubled[a.Of] {
			w.from.say("%v", models.About("cannot read "+w.from.Account.KeyListName(id), 0, a.Err))
		}
		w.troubled[a.Of] = true
	default:
		if w.troubled[a.Of] {
			w.from.say("can read %s again", w.from.Account.KeyListName(id))
		}
		w.troubled[a.Of] = false
		list := keys.NewListed(id, got.keys, got.asked)
		w.from.takeList(ctx, &list)
	}
	w.read++
	return nil
}

// event is what is told of a key.
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
