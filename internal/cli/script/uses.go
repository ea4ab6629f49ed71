package script

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/models/query"
	"pgtower/ui/style"
)

// Views are the user's views of API keys, and what runs their programs.
type Views struct {
	All []query.SavedView
	Run func(ctx context.Context, args []string) (output string, err error) // nil: nothing does
}

// seen is what a command has seen of the use of keys in the lists that it has read.
type seen struct {
	usages  map[models.ListID]keys.Usages
	members map[string]keys.Members // as last read
	tell    func(keys.Event)        // handles an event; nil: a message is printed
	running sync.WaitGroup          // programs of views
}

// see writes the uses that a list shows to the file of uses, and reports their events. Only the program that writes an event
// reports it, so that it is reported once.
func (from *Source) see(ctx context.Context, list *keys.Listed) {
	together := keys.ReadTogether(list.Of, list.Keys, &list.Memory, 0)
	audit := keys.NewAudit([]*keys.Together{together}, keys.AuditOptions{
		Limits: keys.DefaultLimits(), Own: from.own(), Open: keys.OpenKeys(list.Open), Members: from.seen.members,
	})
	place := keys.PlaceOf(from.Host, from.Account.Identity().ID, list.Of)
	usages, events, err := from.Watcher.Take(keys.Sight{Place: place, List: list, Audit: audit})
	if err != nil {
		from.sayOnce("what is seen of the use of keys is not written down: " + err.Error())
	}
	if from.seen.usages == nil {
		from.seen.usages = map[models.ListID]keys.Usages{}
	}
	from.seen.usages[list.Of] = usages
	for _, e := range events {
		if from.seen.tell != nil {
			from.seen.tell(e)
		} else {
			from.say("%s (id %d): %s", e.Key.Name, e.Key.ID, e.Text())
		}
		from.runViews(ctx, audit, &e)
	}
}

// programTime is how long a program of a view may take.
const programTime = 30 * time.Second

// runViews runs the programs of the views that match an event.
func (from *Source) runViews(ctx context.Context, audit *keys.Audit, e *keys.Event) {
	views := from.options.Views
	if views.Run == nil {
		return
	}
	facts := keyFacts{names: from.Account.Names(), audit: audit}
	fields := slices.Concat(models.APIKeyFields(facts.currentNames), facts.useFields())
	for _, view := range views.All {
		filter, err := query.Parse(view.Filter, query.APIKeys(fields, func() *keys.Audit { return audit.Telling(e) }, style.Value))
		if view.Page != "apikeys" || len(view.Run) == 0 || err != nil || !filter.Match(&e.Key, from.filterTime()) {
			continue
		}
		values := models.ValuesOf(fields, &e.Key)
		values["event"], values["view"], values["count"] = e.Kind.String(), view.Name, "1"
		for name := range values {
			values[name] = cmp.Or(values.Text(name), style.None)
		}
		from.runView(ctx, &view, values)
	}
}

// runView runs the program of a view, also if the command ends meanwhile.
func (from *Source) runView(ctx context.Context, view *query.SavedView, values models.Fields) {
	args, err := models.Arguments(view.Run, values, false)
	title := view.Name + ": " + models.ProgramName(view.Run[0])
	if err != nil {
		from.say("%s was not run: %v", title, err)
		return
	}
	from.seen.running.Go(func() { from.runProgram(context.WithoutCancel(ctx), title, args) })
}

// runProgram runs a program, and tells if it fails. It runs on a goroutine of its own.
func (from *Source) runProgram(ctx context.Context, title string, args []string) {
	ctx, cancel := context.WithTimeout(ctx, programTime)
	defer cancel()
	if output, err := from.options.Views.Run(ctx, args); err != nil {
		from.tellBeside(models.Clean(strings.TrimSpace(fmt.Sprintf("%s failed (%v) %s", title, err, output))))
	}
}

// UsesOptions are the settings of a list of uses.
type UsesOptions struct {
	ID    int64     // of a key; 0: of all
	Since time.Time // zero: all
}

// use is a use of a key that was seen.
type use struct {
	keys.Stamp

	usage *keys.Usage
}

// Uses prints the uses of keys that were seen, oldest first. orgs are the names of organizations by id, where they are known. A key
// that was never seen is an error: nothing is known of its uses.
func Uses(o *Options, options UsesOptions, file *os.File, usages []keys.Usage, orgs map[string]string) error {
	layout := usesLayout(orgs)
	if err := cmp.Or(o.check(), o.checkFields(layout.fields)); err != nil {
		return err
	}
	if options.ID != 0 && !slices.ContainsFunc(usages, func(u keys.Usage) bool { return u.Ref.ID == options.ID }) {
		return fmt.Errorf("no key with the id %d was seen on this computer: pgtower apikeys lists the keys, and sees them", options.ID)
	}
	var list []use
	for i := range usages {
		for _, s := range usages[i].Stamps {
			if (options.ID == 0 || usages[i].Ref.ID == options.ID) && !s.At.Before(options.Since) {
				list = append(list, use{s, &usages[i]})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b use) int { return a.At.Compare(b.At) })
	out := newOutput(o, file, layout)
	for _, use := range list {
		out.write(use)
	}
	return out.Flush()
}

func usesLayout(orgs map[string]string) layout[use] {
	return layout[use]{
		fields: withOrgName(strings.Fields("used_at from_addr id name created_at host account_id org_id")),
		values: func(u use) models.Fields { return addOrgName(u.values(), orgs) },
		columns: []column[use]{
			{title: "USED", width: 20, shown: func(u use) string { return u.At.UTC().Format(time.RFC3339) }},
			{title: "FROM", field: "from_addr", width: 15},
			{title: "ID", field: "id", width: 10},
			{title: "NAME", field: "name", width: 24, cut: true},
			{title: "ORGANIZATION", field: "org_id", width: 24, spare: true},
			{title: "HOST", field: "host", spare: true},
		},
	}
}

func (u use) values() models.Fields {
	return models.Fields{
		"used_at": models.Stamp(u.At), "from_addr": u.From, "id": u.usage.Ref.ID, "name": u.usage.Name,
		"created_at": models.Stamp(u.usage.Created), "host": u.usage.Place.Host, "account_id": u.usage.Place.Account,
		"org_id": u.usage.Place.OrgID,
	}
}
