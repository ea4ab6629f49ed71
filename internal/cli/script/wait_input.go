package script

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"pgtower/internal/cli/exit"
	"pgtower/models"
)

const (
	longestPage    = 1000     // of the service
	fewer          = 2        // up to so many operations of a project are read one by one
	longestMessage = 500      // of the service in an error, in bytes
	longestText    = 16 << 20 // of the standard input, in bytes
)

// readAll reads a text until ctx ends. A read that does not end by then goes on until the process ends.
func readAll(ctx context.Context, in io.Reader) ([]byte, error) {
	type result struct {
		text []byte
		err  error
	}
	read := make(chan result, 1)
	go func() {
		text, err := models.ReadText(in, longestText)
		read <- result{text, err}
	}()
	select {
	case r := <-read:
		return r.text, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// errNothing ends a wait without a failure: the service says that its answers started no operation.
var errNothing = errors.New("nothing to wait for: the answer started no operation")

// startedBy returns the operations of the answers of the service in a text, each once. No answer may be a refusal. If
// there are no operations, each answer must say so with an empty list, and the error is [errNothing].
func startedBy(text []byte) (all []models.Operation, err error) {
	answers, known := json.NewDecoder(bytes.NewReader(text)), map[string]bool{}
	unlisted := false // an answer does not say which operations it started
	for n := 0; ; n++ {
		var answer struct {
			Operations []models.Operation
			Operation  *models.Operation
			Message    string
		}
		err := answers.Decode(&answer)
		switch {
		case err == io.EOF && len(all) > 0:
			return all, nil
		case err == io.EOF && n > 0 && unlisted:
			return nil, errors.New("the standard input has no operations")
		case err == io.EOF && n > 0:
			return nil, errNothing
		case err != nil:
			return nil, errors.New("the standard input is not an answer of the service: it must be JSON with operations")
		}
		if answer.Operation != nil {
			answer.Operations = append(answer.Operations, *answer.Operation)
		}
		unlisted = unlisted || answer.Operations == nil
		if len(answer.Operations) == 0 && answer.Message != "" {
			said := models.Shorten(models.Clean(models.MaskKeys(answer.Message)), longestMessage)
			return nil, fmt.Errorf("the service did not start an operation: %s", said)
		}
		for _, op := range answer.Operations {
			if !known[op.ID] {
				known[op.ID] = true
				all = append(all, op)
			}
		}
	}
}

// readInput reads the operations of answers of the service, one after another.
func (w *waiter) readInput(ctx context.Context) error {
	in := w.from.process.Stdin
	if term.IsTerminal(int(in.Fd())) {
		return exit.Usagef("wait - reads an answer of the service, as in: curl … | pgtower wait -")
	}
	text, err := readAll(ctx, in)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("read the standard input: %w", err)
	}
	operations, err := startedBy(text)
	if err != nil {
		return err
	}
	given := len(w.from.options.Projects) > 0
	for i := range operations {
		op := &operations[i]
		if !operationID.MatchString(op.ID) || op.ProjectID != "" && !models.IsID(op.ProjectID) {
			return fmt.Errorf("the standard input has an operation with a wrong id: %s", models.Clean(op.ID))
		}
		if !given && op.ProjectID != "" && !slices.Contains(w.from.options.Projects, op.ProjectID) {
			w.from.options.Projects = append(w.from.options.Projects, op.ProjectID)
		}
		w.want(op.ProjectID, &models.Operation{ID: op.ID, ProjectID: op.ProjectID, CreatedAt: op.CreatedAt})
	}
	return nil
}

// walk is the reading of a project from its newest operations back, until a time or over a number of pages.
type walk struct {
	project string
	back    time.Time // zero: no limit
	pages   int       // 0: no limit
}

// walks returns what to read by pages: all projects if an operation may be new, otherwise those of which many operations
// are wanted, with no more requests than one by one.
func (w *waiter) walks() (all []walk) {
	if w.searching {
		back := w.searched.Add(-blur)
		if w.searched.IsZero() {
			back = w.asOf.Add(-max(waitBack, w.rules.AppearWithin))
		}
		for _, project := range w.projects {
			all = append(all, walk{project: project, back: back})
		}
		return all
	}
	count, oldest := map[string]int{}, map[string]time.Time{}
	for _, l := range w.wanted {
		if count[l.project] == 0 || l.CreatedAt.Before(oldest[l.project]) {
			oldest[l.project] = l.CreatedAt
		}
		count[l.project]++
	}
	unfound := count[""] // any project may have them
	for _, project := range w.projects {
		if count[project]+unfound <= fewer {
			continue
		}
		one := walk{project, oldest[project], max(1, count[project]+unfound/len(w.projects))}
		if unfound > 0 {
			one.back = time.Time{}
		}
		all = append(all, one)
	}
	return all
}

// walk reads the pages of a walk.
func (w *waiter) walk(ctx context.Context, of walk) error {
	request, seen := models.PageRequest{Limit: w.from.options.PageSize}, map[string]bool{}
	for n := 1; ; n++ {
		page, err := w.page(ctx, of.project, request)
		if models.KindOf(err) == models.KindInvalid && request.Limit > w.from.options.PageSize {
			w.large = w.from.options.PageSize // the service does not give longer pages
			request.Limit, n = w.large, n-1
			continue
		}
		if err != nil {
			return err
		}
		for i := range page.Items {
			w.see(of.project, &page.Items[i])
		}
		switch {
		case endsBefore(&page, of.back), n == of.pages, !w.searching && w.readAll(of.project):
			return nil
		case page.Damage != "" || seen[page.Next] && !page.Last():
			return errors.New("the service's paging broke")
		case page.Last():
			return nil
		}
		seen[page.Next] = true
		request = models.PageRequest{Limit: w.large, Cursor: page.Next}
	}
}

// page reads a page. Until the first round is complete, a request that fails is repeated.
func (w *waiter) page(
	ctx context.Context, project string, request models.PageRequest,
) (models.Page[models.Operation], error) {
	get := func() (models.Page[models.Operation], error) { return w.from.API.Operations(ctx, project, request) }
	if w.rounds == 0 {
		return retry(ctx, w.from, maxTries, get)
	}
	return get()
}

// endsBefore reports whether a page reaches operations from before a time.
func endsBefore(p *models.Page[models.Operation], back time.Time) bool {
	if len(p.Items) == 0 {
		return false
	}
	last := p.Items[len(p.Items)-1].CreatedAt
	return !last.IsZero() && last.Before(back)
}

// readAll reports whether this round has read all operations of a project, or of any if that is empty.
func (w *waiter) readAll(project string) bool {
	return !slices.ContainsFunc(w.wanted, func(l *line) bool {
		return !w.fresh[l.ID] && (project == "" || l.project == "" || l.project == project)
	})
}

// skip has this round not read the operations of a project.
func (w *waiter) skip(project string) {
	for _, l := range w.wanted {
		if l.project == project {
			w.fresh[l.ID] = true
		}
	}
}

// read reads the state of an operation. Until it was found, all projects are asked for it.
func (w *waiter) read(ctx context.Context, l *line) error {
	projects := w.projects
	if l.project != "" {
		projects = []string{l.project}
	}
	var failed error
	for _, project := range projects {
		op, err := w.from.API.Operation(ctx, project, l.ID)
		switch kind := models.KindOf(err); {
		case err == nil:
			*l = w.from.line("", project, &op)
			w.reached = true
			w.preferProject(project)
			return nil
		case kind == models.KindUnauthorized, ctx.Err() != nil:
			return err
		case kind == models.KindNotFound:
			continue
		case w.passing(err):
			w.from.report(fmt.Sprintf("%v; retrying", err))
		}
		failed = err
	}
	if failed == nil && l.Status == "" {
		if w.asOf.Before(w.deadline()) {
			return nil // it may still come
		}
		failed = w.unknown(ctx, l)
	}
	if failed == nil {
		gone := *l.Operation
		gone.Gone = true
		l.Operation = &gone
	}
	return failed
}

// preferProject has a project asked first: the other operations are probably of the same one.
func (w *waiter) preferProject(project string) {
	if at := slices.Index(w.projects, project); at > 0 {
		w.projects[0], w.projects[at] = w.projects[at], w.projects[0]
	}
}

// unknown reports that no project has an operation, unless a project that the user named cannot be read itself, or the
// list of projects is not complete.
func (w *waiter) unknown(ctx context.Context, l *line) error {
	for _, project := range w.from.options.Projects {
		if _, err := w.from.API.Operations(ctx, project, models.PageRequest{Limit: 1}); err != nil {
			return err
		}
	}
	if len(w.from.options.Projects) == 0 && w.from.partial != "" {
		return fmt.Errorf("%s is not an operation of the known projects, and there may be more: %s", l.ID, w.from.partial)
	}
	w.from.say("%s is not an operation of %s", l.ID, cmp.Or(l.project, strings.Join(w.from.options.Projects, ", "), "any project"))
	return nil
}
