package script

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"pgtower/internal/cli/exit"
	"pgtower/models"
	"pgtower/models/poll"
)

// namePatience is how long to wait for the names of projects that are given by their ids: their operations need only the ids.
const namePatience = 2 * time.Second

// chosen returns the projects of --project, each once, and replaces their names in the options by their ids. A text that
// may be an id is asked for on its own, which is one request. If no project has that id, the lists decide: it may be a name.
func (from *Source) chosen(ctx context.Context, tries int) ([]models.Project, error) {
	within, cancel := context.WithTimeout(ctx, namePatience)
	defer cancel()
	texts := from.options.Projects
	found, errs := from.readChosen(within, texts)
	for _, err := range errs {
		if models.KindOf(err) == models.KindUnauthorized || ctx.Err() != nil {
			return nil, cmp.Or(ctx.Err(), err)
		}
	}
	unlisted, err := from.listNames(ctx, within, tries, texts, errs)
	if err != nil {
		return nil, err
	}
	for i, text := range texts {
		if errs[i] != nil {
			found[i], err = from.listedAs(text, cmp.Or(unlisted, errs[i]))
		}
		if err != nil {
			return nil, err
		}
	}
	found = eachOnce(found)
	from.options.Projects = idsOf(found)
	return found, nil
}

// eachOnce returns projects without repetitions.
func eachOnce(list []models.Project) (once []models.Project) {
	for i := range list {
		if !slices.Contains(idsOf(once), list[i].ID) {
			once = append(once, list[i])
		}
	}
	return once
}

func idsOf(list []models.Project) (ids []string) {
	for i := range list {
		ids = append(ids, list[i].ID)
	}
	return ids
}

// listNames reads the lists of projects if some texts could not be read as ids: they may be names. For texts that read as ids, it
// waits only until within ends, as their operations need no name. It returns why lists are missing.
func (from *Source) listNames(
	ctx, within context.Context, tries int, texts []string, errs []error,
) (unlisted, err error) {
	var names []string
	unknown := false
	for i, text := range texts {
		if errs[i] != nil && !models.ReadsAsID(text) {
			names = append(names, text)
		}
		unknown = unknown || models.KindOf(errs[i]) == models.KindNotFound
	}
	switch {
	case len(names) > 0:
		_, unlisted = retry(ctx, from, tries, func(ctx context.Context) ([]models.Project, error) {
			return from.readUntilListed(ctx, names)
		})
	case unknown:
		unlisted = cmp.Or(from.Account.Load(within, from.API, from.loop), from.Account.Err())
	default:
		return nil, nil
	}
	from.Account.Detach()
	if models.KindOf(unlisted) == models.KindUnauthorized || ctx.Err() != nil {
		return nil, cmp.Or(ctx.Err(), unlisted)
	}
	return unlisted, nil
}

// readUntilListed reads the lists of projects. Once every name is listed, a list that cannot be read is no error.
func (from *Source) readUntilListed(ctx context.Context, names []string) ([]models.Project, error) {
	list, err := from.readProjects(ctx)
	for _, name := range names {
		if _, unknown := models.FindProject(from.Account.Projects(), name); unknown != nil {
			return list, err
		}
	}
	return list, nil
}

// listedAs returns the listed project that a text stands for. why tells why it could not be read as an id. Without complete
// lists, a text that reads as an id is taken for one.
func (from *Source) listedAs(text string, why error) (models.Project, error) {
	project, err := models.FindProject(from.Account.Projects(), text)
	if err == nil && (project.ID == text || !from.Account.Read().IsZero()) { // else only memory has the name
		return project, nil
	}
	choice, _ := errors.AsType[*models.NotOneError](err)
	switch {
	case choice != nil && len(choice.IDs) > 0, from.Account.Complete():
		return models.Project{}, exit.Usagef("--project: %w", err)
	case !models.ReadsAsID(text):
		return models.Project{}, fmt.Errorf("cannot tell which project %s is: %w", text, why)
	}
	from.say("the name of %s is missing: %v", text, why)
	return models.Project{ID: text}, nil
}

func (from *Source) requestProject(ctx context.Context, s poll.Subject) (models.Project, error) {
	return from.API.Project(ctx, s.Of)
}

// errNoID is why a text is not asked for as an id.
var errNoID = errors.New("this is not the id of a project")

// readChosen returns projects by their ids. It reads those of which nothing is known, each once.
func (from *Source) readChosen(ctx context.Context, ids []string) (found []models.Project, errs []error) {
	byID, failed := map[string]models.Project{}, map[string]error{}
	var unknown []poll.Subject
	for _, id := range ids {
		if _, failing := failed[id]; failing {
			continue
		}
		project, ok := from.Account.Project(id)
		switch {
		case ok:
			byID[id] = project
		case models.IsID(id):
			unknown, failed[id] = append(unknown, poll.Subject{Kind: "project", Of: id}), nil
		default:
			failed[id] = errNoID
		}
	}
	read, wrong := poll.Ask(ctx, from.loop, unknown, from.requestProject)
	for i, s := range unknown {
		if wrong[i] == nil {
			from.Account.Note(from.process.Clock(), read[i])
		}
		byID[s.Of], failed[s.Of] = read[i], wrong[i]
	}
	for _, id := range ids {
		found, errs = append(found, byID[id]), append(errs, failed[id])
	}
	return found, errs
}
