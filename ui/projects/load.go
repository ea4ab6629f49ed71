package projects

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/poll"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// refresh reads all lists again. What is being read is not read twice.
func (p *Page) refresh() tea.Cmd {
	p.session.TryAgain()
	p.account.Refresh(p.session.Now())
	return nil
}

// answered shows the lists of the account after answers.
func (p *Page) answered(answers page.Answered) tea.Cmd {
	answers = slices.DeleteFunc(slices.Clone(answers), func(a poll.Answer) bool { return !account.Reads(a.Subject) })
	if len(answers) == 0 {
		return nil
	}
	for _, a := range answers {
		if a.Err != nil && !account.Tells(a) && (a.Kind != account.Quota || models.KindOf(a.Err) == models.KindUnauthorized) {
			p.session.Emit(page.Failed{Err: a.Err})
		}
	}
	if !p.account.Loading() {
		p.asked = false
	}
	partial, settled := p.partial, p.settled
	p.partial, p.settled = p.account.Partial(), p.account.Settled()
	if p.partial != "" && p.partial != partial {
		p.session.Notify(style.Waiting, "there may be more projects: "+p.partial)
	}
	if p.account.NeedsProject() {
		p.session.Emit(page.ProjectNeeded{Reason: style.Sentence(p.account.Err().Error()) + "."})
	}
	p.setProjects(p.account.Projects())
	p.publish()
	cmd := p.Refresh()
	if _, restoring := p.List().Restoring(); !settled && !restoring && !p.List().Touched() {
		// The first lists come in any order, and nothing was chosen yet.
		cmd = tea.Batch(cmd, p.Top())
	}
	return cmd
}

// Shows reports whether answers about a subject are on the page. Answers about the key itself are not.
func (p *Page) Shows(s poll.Subject) bool { return s.Kind == account.Projects }

func (p *Page) publish() {
	p.session.Emit(page.ProjectList{
		Projects: p.rows.All, Pinned: *p.pinned.Load(),
		Complete: p.account.Complete(), Settled: p.account.Settled(),
		Err: p.account.Err(), Trouble: p.account.PartlyRefused(), Next: p.account.RetryAt(),
	})
}

// reading returns how current the lists are that can be read. The lines below the rows name the others.
func (p *Page) reading() *table.Reading {
	last, err := p.account.Answering()
	limited := p.session.Polls.Health(p.session.Now()).Limited
	return &table.Reading{Busy: p.account.Loading(), Asked: p.asked, Last: last, Err: err, Limited: limited}
}

// AsOf returns when the oldest of the lists was last read.
func (p *Page) AsOf() time.Time { return p.account.Read() }

type rows struct {
	table.Index[models.Project]

	regions, locked int  // the numbers of regions and of locked projects
	orgs            int  // the number of organizations
	tells           bool // a record has notes, or could have them
}

// setProjects shows a copy of a list, with the pinned projects first. Filters may still read the previous one.
func (p *Page) setProjects(list []models.Project) {
	var pinned, others []models.Project
	for _, project := range list {
		if p.isPinned(&project) {
			pinned = append(pinned, project)
		} else {
			others = append(others, project)
		}
	}
	*p.rows = *newRows(append(pinned, others...))
	p.recount()
}

func newRows(list []models.Project) *rows {
	r := &rows{Index: table.NewIndex(list, func(p *models.Project) string { return p.ID })}
	regions, orgs := map[string]bool{}, map[string]bool{}
	for i := range list {
		regions[list[i].RegionID] = true
		if list[i].OrgID != "" {
			orgs[list[i].OrgID] = true
		}
		if list[i].Locked.Value {
			r.locked++
		}
		r.tells = r.tells || tells(&list[i])
	}
	r.regions, r.orgs = len(regions), len(orgs)
	return r
}
