package script

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"pgtower/internal/cli/exit"
	"pgtower/models"
	"pgtower/models/poll"
	"pgtower/ui/style"
)

// branches are those that --branch gives by their names. A name stands for the branch that has it when it is looked up: a rename
// after that changes nothing. Only a branch that is deleted gives its name back.
type branches struct {
	names   map[string]string // by id
	deleted map[string]bool   // the ids of those that an operation deletes
	missing string            // tells which name is not listed yet, or is empty
	near    string            // the name that may be meant, or empty
}

const (
	// deleteBranch is the action that deletes a branch. Its operation stays when the branch is gone.
	deleteBranch = "delete_timeline"

	branchPage     = 1000 // records of a request
	maxBranchPages = 100  // for a service that always has one more
)

// label returns the name of a branch with its id, or the id alone.
func (b *branches) label(id string) string {
	if name := b.names[id]; name != "" && name != id {
		return name + " (" + id + ")"
	}
	return id
}

// see notes that an operation deletes one of the branches. One that failed or was cancelled deletes nothing.
func (b *branches) see(op *models.Operation) {
	switch {
	case op.Action != deleteBranch || b.names[op.BranchID] == "":
	case op.Done() && op.Status != models.StatusFinished:
		delete(b.deleted, op.BranchID)
	default:
		b.deleted[op.BranchID] = true
	}
}

// linkText tells which project and which branch a link names.
func (o *WaitOptions) linkText(projects []string) string {
	branch := "no branch"
	if len(o.Branches) > 0 {
		branch = "branch " + o.Branches[0]
	}
	return fmt.Sprintf("linked by %s: project %s, %s", o.Linked, strings.Join(projects, ", "), branch)
}

// findBranches replaces the names of branches by their ids.
func (w *waiter) findBranches(ctx context.Context) error {
	w.branches = branches{names: map[string]string{}, deleted: map[string]bool{}}
	var ids, names []string
	for _, text := range w.rules.Branches {
		if models.IsBranchID(text) {
			ids = append(ids, text)
		} else {
			names = append(names, text)
		}
	}
	if len(names) == 0 {
		return nil
	}
	if len(w.from.options.Projects) == 0 && len(w.projects) != 1 {
		return exit.Usagef("--branch: which project has %s? Give --project, or the id of the branch, such as br-cool-sun-123456", names[0])
	}
	found, err := w.lookUp(ctx, names)
	switch {
	case err != nil:
		return err
	case w.branches.missing != "":
		return errors.New(w.missingText(w.rules.AppearWithin))
	}
	w.rules.Branches = append(ids, found...)
	return nil
}

// goOn reports whether the wait goes on when all has ended, because a branch was deleted and another one has its name by now:
// the list can have shown the old one late. If --action names the deletion, the wait was for that.
func (w *waiter) goOn(ctx context.Context) (again bool, err error) {
	if len(w.branches.deleted) == 0 || slices.Contains(w.rules.Actions, deleteBranch) {
		return false, nil
	}
	var names []string
	for id := range w.branches.deleted {
		names = append(names, w.branches.names[id])
	}
	slices.Sort(names)
	found, err := w.lookUp(ctx, names)
	if err != nil {
		return false, err
	}
	if w.branches.missing != "" {
		w.from.say("a branch was deleted, and %s", w.missingText(w.rules.AppearWithin))
	}
	w.rules.Branches = slices.DeleteFunc(w.rules.Branches, func(id string) bool { return w.branches.deleted[id] })
	for _, id := range found {
		w.rules.Branches = append(w.rules.Branches, id)
		w.lacking = append(w.lacking, want{flag: slices.Index(flags, "--branch"), value: id})
	}
	for id := range w.branches.deleted {
		delete(w.branches.names, id)
	}
	clear(w.branches.deleted)
	w.open = len(found) > 0
	return w.open, nil
}

// lookUp returns the ids of the branches that have some names. Each project can have a branch of a name. If a name is not listed,
// it looks again until the deadline. The first name that is not listed then is missing.
func (w *waiter) lookUp(ctx context.Context, names []string) (ids []string, err error) {
	for {
		ids, w.branches.missing, w.branches.near = nil, "", ""
		lists, err := w.readBranches(ctx)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			found, near, err := w.branchesNamed(lists, name)
			if err != nil {
				return nil, err
			}
			if len(found) == 0 && w.branches.missing == "" {
				w.branches.missing = fmt.Sprintf("no branch named %q in %s", name, w.named(w.projects...))
				w.branches.near = near
			}
			for _, b := range found {
				ids, w.branches.names[b.ID] = append(ids, b.ID), name
			}
		}
		left := w.deadline().Sub(w.from.process.Clock())
		if w.branches.missing == "" || left <= 0 {
			return ids, nil
		}
		w.from.progress("waiting: " + w.branches.missing)
		if err := sleep(ctx, min(left, w.poller.Options().Interval)); err != nil {
			return nil, err
		}
	}
}

// missingText tells that no branch had a name within some time.
func (w *waiter) missingText(within time.Duration) string {
	text := w.branches.missing + withinText(within)
	if near := w.branches.near; near != "" {
		text += "; did you mean " + near + "?"
	}
	return text
}

// withinText returns the words for how long something was waited for, or "" for not at all.
func withinText(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return " within " + style.Every(d)
}

// branchesNamed returns the branch with a name in each project that has one. Branches that were deleted have none.
func (w *waiter) branchesNamed(lists map[string][]models.Branch, name string) (found []models.Branch, near string, err error) {
	for _, project := range w.projects {
		list := slices.DeleteFunc(lists[project], func(b models.Branch) bool { return w.branches.deleted[b.ID] })
		branch, err := models.FindBranch(list, name)
		choice, _ := errors.AsType[*models.NotOneError](err)
		switch {
		case err == nil:
			found = append(found, branch)
		case len(choice.IDs) > 0:
			return nil, "", exit.Usagef("--branch: in %s, %w", w.named(project), err)
		}
		if err != nil {
			near = cmp.Or(near, choice.Near)
		}
	}
	return found, near, nil
}

// readBranches reads the branches of all projects that may have them.
func (w *waiter) readBranches(ctx context.Context) (lists map[string][]models.Branch, err error) {
	lists = map[string][]models.Branch{}
	for _, project := range w.projects {
		lists[project], err = retry(ctx, w.from, maxTries, func(ctx context.Context) ([]models.Branch, error) {
			return w.from.readBranches(ctx, project)
		})
		switch {
		case err == nil:
		case models.KindOf(err) == models.KindUnauthorized, ctx.Err() != nil:
			return nil, err
		default:
			const text = "cannot look up the names of branches: %w; give --branch an id, such as br-cool-sun-123456"
			return nil, fmt.Errorf(text, err)
		}
	}
	return lists, nil
}

// readBranches reads the branches of a project. A list that is cut is an error: a name that it lacks may exist.
func (from *Source) readBranches(ctx context.Context, project string) (list []models.Branch, err error) {
	r := models.PageRequest{Limit: branchPage}
	for range maxBranchPages {
		subject := poll.Subject{Kind: "branches by name", Of: project}
		page, err := ask(ctx, from, subject, func(ctx context.Context, _ poll.Subject) (models.Page[models.Branch], error) {
			return from.API.Branches(ctx, project, r)
		})
		switch {
		case err != nil:
			return nil, err
		case page.Damage != "":
			return nil, errors.New(page.Damage)
		}
		list = append(list, page.Items...)
		if page.Last() {
			return list, nil
		}
		r.Cursor = page.Next
	}
	return nil, fmt.Errorf("more than %d branches", branchPage*maxBranchPages)
}
