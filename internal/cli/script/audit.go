package script

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"pgtower/internal/cli/exit"
	"pgtower/models"
	"pgtower/models/format"
	"pgtower/models/keys"
	"pgtower/models/poll"
	"pgtower/models/query"
	"pgtower/models/record"
)

// AuditOptions are the settings of an audit.
type AuditOptions struct {
	keys.Limits

	Quiet          time.Duration // how long a replaced key must be quiet at least; 0: as is remembered
	FailOn, Ignore []string      // names of findings with which the audit fails (none: all), and does not
	Markdown       bool
}

// fails returns the kinds of findings with which the audit fails.
func (o *AuditOptions) fails() (kinds map[keys.Kind]bool, err error) {
	chosen, err := keys.ParseKinds(o.FailOn)
	ignored, wrong := keys.ParseKinds(o.Ignore)
	if len(o.FailOn) == 0 {
		chosen = keys.Kinds()
	}
	kinds = map[keys.Kind]bool{}
	for _, kind := range chosen {
		kinds[kind] = !slices.Contains(ignored, kind)
	}
	return kinds, cmp.Or(err, wrong)
}

// Audit returns the command that lists the API keys with their findings. A finding with which it fails is an error.
func Audit(o *Options, options AuditOptions) (Run, error) {
	fails, err := options.fails()
	switch {
	case count(o.JSON, o.CSV, options.Markdown) > 1:
		return nil, exit.Usagef("--json, --csv and --markdown cannot be combined")
	case options.Age <= 0 || options.Idle <= 0:
		return nil, exit.Usagef("--max-age and --max-idle must be longer than 0, such as 90d")
	case err != nil:
		return nil, exit.NewUsageError(err)
	case !slices.Contains(slices.Collect(maps.Values(fails)), true):
		return nil, exit.Usagef("--fail-on and --ignore leave no finding to fail on")
	}
	if err := o.checkFields(auditLayout(utcTimes(noClock)).fields); err != nil {
		return nil, err
	}
	a := &audit{keyFacts: newKeyFacts(), options: o, rules: options, fails: fails}
	a.needsMembers = fails[keys.FoundOwnerGone]
	a.filter, err = parseFilter(o.Filter, a.filterFields())
	if err != nil {
		return nil, err
	}
	return a.run, nil
}

// audit is an audit, and what it found.
type audit struct {
	*keyFacts

	options *Options
	rules   AuditOptions
	fails   map[keys.Kind]bool // with which findings
	filter  query.Query[*models.APIKey]
	from    *Source // once it runs

	members    map[string]keys.Members
	unread     []error // why members could not be read
	missing    []error // what could not be read, and may have findings with which it fails
	found      int     // how many findings it fails with
	unreadable int     // how many keys have a date that could not be read
}

// audited is a key with its findings.
type audited struct {
	*models.APIKey

	reach    string
	names    models.Names
	findings []keys.Finding
	events   []string
	now      time.Time
}

// run reads the keys, prints those that match the filter, and returns the error for the exit code.
func (a *audit) run(ctx context.Context, from *Source) error {
	a.from = from
	lists, err := a.read(ctx)
	switch {
	case models.KindOf(err) == models.KindUnauthorized, ctx.Err() != nil:
		return err
	case err != nil:
		return fmt.Errorf("%w: %w", exit.ErrIncomplete, err)
	}
	out := newOutput(a.options, from.process.Stdout, auditLayout(from.times))
	if a.rules.Markdown { // it is read later than it is printed
		times := utcTimes(from.now)
		times.dated = true
		out = outputOf(from.process.Stdout, format.Markdown, 0, auditLayout(times))
	}
	now, complete := from.now(), len(lists) > 0 && !slices.ContainsFunc(lists, isUnread)
	for _, list := range lists {
		for i := range list.Keys {
			if a.check(&list.Keys[i], now, from.filterTime()) {
				out.write(a.audited(&list.Keys[i], now))
			}
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return a.result(complete)
}

// read reads the lists of keys, and updates what is known of the keys together.
func (a *audit) read(ctx context.Context) (lists []keys.Listed, err error) {
	lists, a.missing, err = a.from.again(ctx, a.tryRead)
	if !a.needsMembers {
		for _, why := range a.unread {
			a.from.say("%v", why)
		}
	}
	a.names, a.audit = a.from.Account.Names(), a.from.auditOf(lists, a.members, a.rules)
	return lists, err
}

// tryRead reads the lists of keys, and the members of their organizations. Members are missing only if they are needed.
func (a *audit) tryRead(ctx context.Context) (lists []keys.Listed, missing []error, err error) {
	lists, missing, err = a.from.readLists(ctx)
	if err != nil {
		return nil, nil, err
	}
	a.members, a.unread, err = a.from.readMembers(ctx, lists)
	if a.needsMembers {
		missing = append(missing, a.unread...)
	}
	return lists, missing, err
}

// check reports whether a key matches the filter, and counts its findings. A key with an unreadable date counts as unreadable if
// it might match.
func (a *audit) check(k *models.APIKey, now, zoned time.Time) bool {
	matches := a.filter.Match(k, zoned)
	if keys.Unreadable(k) && (matches || a.filter.MayMatch(k, zoned, datelessFields()...)) {
		a.unreadable++
	}
	if !matches {
		return false
	}
	for _, finding := range a.audit.Findings(k, now) {
		if a.fails[finding.Kind] {
			a.found++
		}
	}
	return true
}

// datelessFields returns the names of the fields of the filter that do not depend on a date.
func datelessFields() []string {
	return []string{"name", "id", "reach", "org", "project", "by", "from"}
}

func (a *audit) audited(k *models.APIKey, now time.Time) audited {
	return audited{k, a.names.Reach(k.Reach()), a.names, a.audit.Findings(k, now), a.audit.Events(k, now), now}
}

// result returns the error for the exit code. What could not be read comes before what was found.
func (a *audit) result(complete bool) error {
	switch {
	case len(a.missing) > 0:
		return fmt.Errorf("%w: %w", exit.ErrIncomplete, joined(a.missing))
	case !complete:
		return fmt.Errorf("%w: some keys are missing", exit.ErrIncomplete)
	case a.unreadable > 0 && !slices.Contains(a.rules.Ignore, keys.FoundUnreadable.String()):
		return fmt.Errorf("%w: a date of %s could not be read", exit.ErrIncomplete, models.Plural(a.unreadable, "key"))
	case a.found > 0:
		return exit.ErrSaid
	}
	return nil
}

// readMembers reads the members of the organizations of keys, and returns why some are missing. Nothing is missing of a server
// that does not have such lists. The error is that of a refused key.
func (from *Source) readMembers(
	ctx context.Context, lists []keys.Listed,
) (byOrg map[string]keys.Members, missing []error, err error) {
	byOrg = map[string]keys.Members{}
	for i := range lists {
		org := lists[i].Of.Org
		if org == "" || len(lists[i].Keys) == 0 {
			continue
		}
		members, err := from.readMembersOf(ctx, org)
		switch {
		case models.KindOf(err) == models.KindUnauthorized:
			return nil, nil, err
		case err != nil && !models.NoSuchEndpoint(err):
			missing = append(missing, models.About("cannot read the members of "+from.Account.OrgName(org), 0, err))
		}
		byOrg[org] = members
	}
	return byOrg, missing, nil
}

// readMembersOf reads the members of an organization. With an error, some or all of them are unknown.
func (from *Source) readMembersOf(ctx context.Context, org string) (keys.Members, error) {
	var list keys.MemberList
	for !list.Done() {
		subject := poll.Subject{Kind: "members", Of: org}
		page, err := ask(ctx, from, subject, func(ctx context.Context, _ poll.Subject) (models.Page[models.Member], error) {
			return from.API.Members(ctx, org, list.Next())
		})
		if err != nil {
			return keys.Members{}, err
		}
		list.Add(page)
	}
	return list.Members()
}

// auditOf returns what is known of the keys together.
func (from *Source) auditOf(lists []keys.Listed, members map[string]keys.Members, options AuditOptions) *keys.Audit {
	var found []*keys.Together
	var open []keys.Record
	for i := range lists {
		list := &lists[i]
		together := keys.ReadTogether(list.Of, list.Keys, &list.Memory, options.Quiet)
		together.Usages = from.seen.usages[list.Of]
		found = append(found, together)
		open = append(open, list.Open...)
	}
	return keys.NewAudit(found, keys.AuditOptions{
		Limits: options.Limits, Own: from.own(), Reaches: from.Account.Kind() != models.AccountKey, Open: keys.OpenKeys(open),
		Members: members,
	})
}

// own returns the key of this command, as far as it is known.
func (from *Source) own() models.KeyRef { return from.Account.OwnKey(from.KeyList, from.KeyID) }

// auditLayout returns the layout of an audit.
func auditLayout(times moments) layout[audited] {
	fields := record.Part(keyFields(), func(a audited) (*models.APIKey, bool) { return a.APIKey, true })
	return layout[audited]{
		fields: strings.Fields("id name reach created_by created_by_id created_at age_days last_used_at last_used_from_addr idle_days " +
			"list org_id org_name project_id findings events"),
		values: audited.values,
		columns: columns(times, fields, []column[audited]{
			{field: "id", width: 10},
			{field: "name", width: 24, cut: true},
			{title: "REACHES", field: "reach", width: 16, cut: true, spare: true},
			{field: "created_by", width: 12, cut: true, spare: true},
			{title: "AGE", shown: audited.age, width: 6},
			{field: "last_used_at"},
			{field: "last_used_from_addr", width: 15, spare: true},
			{title: "FINDINGS", shown: audited.texts},
		}),
	}
}

func (a audited) age() string {
	if days := a.values().Text("age_days"); days != "" {
		return days + " d"
	}
	return ""
}

func (a audited) texts() string {
	var texts []string
	for _, f := range a.findings {
		texts = append(texts, f.Text)
	}
	return strings.Join(texts, "; ")
}

func (a audited) values() models.Fields {
	values := keyValues(a.APIKey, a.names)
	values["reach"] = a.reach
	if !a.CreatedAt.IsZero() {
		values["age_days"] = int(a.now.Sub(a.CreatedAt).Hours() / 24)
	}
	if idle := a.Idle(a.now); idle.Known {
		values["idle_days"] = int(idle.Value.Hours() / 24)
	}
	names := []string{}
	for _, f := range a.findings {
		names = append(names, f.Kind.String())
	}
	values["findings"], values["events"] = names, append([]string{}, a.events...)
	return values
}
