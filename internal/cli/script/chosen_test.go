package script

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/internal/cli/exit"
	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/control"
)

// directory is a service with some projects, and no organizations. It counts what it is asked for.
type directory struct {
	noKinds

	projects []models.Project
	broken   error // instead of the list
	asked    *[]string
}

func (d directory) Project(_ context.Context, id string) (models.Project, error) {
	*d.asked = append(*d.asked, "project "+id)
	i := slices.IndexFunc(d.projects, func(p models.Project) bool { return p.ID == id })
	if i < 0 {
		return models.Project{}, d.unknown()
	}
	return d.projects[i], nil
}

func (d directory) Projects(context.Context, models.ListID, models.PageRequest) (p models.Page[models.Project], err error) {
	*d.asked = append(*d.asked, "list")
	if d.broken != nil {
		return p, d.broken
	}
	p.Items = d.projects
	return p, nil
}

// The project of --project is an id or a name. An id is one request, and one project however often it is given.
func TestProjectsAreChosenByIDOrName(t *testing.T) {
	t.Parallel()
	projects := []models.Project{
		{ID: "calm-lake-1", Name: "billing"},
		{ID: "red-hill-2", Name: "store front"},
		{ID: "dry-sea-3", Name: "twin"},
		{ID: "wet-sea-4", Name: "twin"},
		{ID: "new-moon-5", Name: "calm-lake-1"},
		{ID: "billing-6", Name: "6"},
	}
	usage := &models.Error{Kind: models.KindUnreachable, Message: "connection refused"}
	for name, c := range map[string]struct {
		given  string // with + between
		broken error
		want   string // ids
		err    string
		asked  string
	}{
		"an id":              {given: "calm-lake-1", want: "calm-lake-1", asked: "project calm-lake-1"},
		"an id twice":        {given: "calm-lake-1+calm-lake-1", want: "calm-lake-1", asked: "project calm-lake-1"},
		"two ids, one twice": {given: "red-hill-2+calm-lake-1+red-hill-2", want: "red-hill-2+calm-lake-1", asked: "project red-hill-2, project calm-lake-1"},
		"a name":             {given: "billing", want: "calm-lake-1", asked: "project billing, list"},
		"a name and its id":  {given: "billing+calm-lake-1", want: "calm-lake-1", asked: "project billing, project calm-lake-1, list"},
		"no id":              {given: "store front", want: "red-hill-2", asked: "list"},
		"two names":          {given: "store front+billing", want: "red-hill-2+calm-lake-1", asked: "project billing, list"},
		"of two projects":    {given: "twin", err: `--project: 2 projects have the name "twin": dry-sea-3, wet-sea-4; use the id`, asked: "project twin, list"},
		"misspelled": {
			given: "biling", err: `--project: no listed project has the id or the name "biling"; did you mean billing (calm-lake-1)?`, asked: "project biling, list",
		},
		"a misspelled id": {
			given: "calm-lake-9", err: `no listed project has the id or the name "calm-lake-9"; did you mean calm-lake-1 (new-moon-5)?`, asked: "project calm-lake-9, list",
		},
		"like nothing":        {given: "zzzzzzzz", err: `no listed project has the id or the name "zzzzzzzz"`, asked: "project zzzzzzzz, list"},
		"an id without lists": {given: "gone-9", broken: usage, want: "gone-9", asked: "project gone-9, list"},
		"a name without lists": {
			given: "store front", broken: usage, err: "cannot tell which project store front is", asked: "list, list, list, list, list",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var asked []string
				from, _ := sourceOf(t, control.Connection{API: directory{projects: projects, broken: c.broken, asked: &asked}})
				from.options.Projects = strings.Split(c.given, "+")
				found, err := from.listProjects(t.Context(), maxTries)
				if err != nil && (c.err == "" || !strings.Contains(err.Error(), c.err)) || err == nil && c.err != "" {
					t.Errorf("%v, not %q", err, c.err)
				}
				if got := strings.Join(idsOf(found), "+"); got != c.want {
					t.Errorf("%q, not %q", got, c.want)
				}
				if err == nil && !slices.Equal(from.options.Projects, idsOf(found)) {
					t.Errorf("the options have %q", from.options.Projects)
				}
				slices.Sort(asked)
				wanted := strings.Split(c.asked, ", ")
				slices.Sort(wanted)
				if !slices.Equal(asked, wanted) {
					t.Errorf("asked for %q, not %q", asked, wanted)
				}
				time.Sleep(time.Minute) // until what is under way has ended
			})
		})
	}
}

// memory is what an earlier command remembers of the key.
type memory struct{ account.Snapshot }

func (m *memory) Recall() account.Snapshot  { return m.Snapshot }
func (m *memory) Keep(of *account.Snapshot) { m.Snapshot = *of }
func (m *memory) Forget()                   { m.Snapshot = account.Snapshot{} }
func remembering(p models.Project) *memory {
	return &memory{account.Snapshot{Read: time.Now(), Projects: []models.Project{p}}}
}

// Which project a name stands for is never taken from memory: another one may have it by now.
func TestProjectNamesAreNotRemembered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		d := directory{projects: []models.Project{{ID: "red-hill-2", Name: "billing"}}, asked: &asked}
		old := models.Project{ID: "calm-lake-1", Name: "billing"}
		from, _ := sourceOf(t, control.Connection{API: d, Known: remembering(old)})
		from.options.Projects = []string{"billing"}
		from.recallProjects()
		found, err := from.listProjects(t.Context(), maxTries)
		if err != nil || strings.Join(idsOf(found), " ") != "red-hill-2" {
			t.Errorf("%v, %v", found, err)
		}
		d.broken = errors.New("out of order")
		from, _ = sourceOf(t, control.Connection{API: d, Known: remembering(old)})
		from.options.Projects = []string{"billing"}
		from.recallProjects()
		if found, err = from.listProjects(t.Context(), maxTries); err == nil {
			t.Errorf("%v", found)
		}
	})
}

// A new key can be narrowed to the project with a name.
func TestCreateForANamedProject(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"calm-lake-1": "calm-lake-1", "billing": "calm-lake-1", "store front": "red-hill-2", "twin": "", "biling": "",
	} {
		synctest.Test(t, func(t *testing.T) {
			var asked []string
			d := directory{asked: &asked, projects: []models.Project{
				{ID: "calm-lake-1", Name: "billing", OrgID: "org-a"},
				{ID: "red-hill-2", Name: "store front", OrgID: "org-a"},
				{ID: "dry-sea-3", Name: "twin", OrgID: "org-a"},
				{ID: "wet-sea-4", Name: "twin", OrgID: "org-a"},
			}}
			from, _ := sourceOf(t, control.Connection{API: d})
			reach, err := from.reachOf(t.Context(), &CreateOptions{Project: text})
			_, usage := errors.AsType[exit.UsageError](err)
			if reach.Project != want || usage != (want == "") || want != "" && reach.Org != "org-a" {
				t.Errorf("%s: %v, %v", text, reach, err)
			}
		})
	}
}
