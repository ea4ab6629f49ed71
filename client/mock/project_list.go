package mock

import (
	"net/http"
	"strings"
	"time"
)

// The page size of the project list, as the live service has it.
const (
	defaultProjectLimit = 10
	maxProjectLimit     = 400
)

// listProjects is GET /projects (section 4.4). Its parameters are the live service's:
// limit, cursor, search (part of a name or an id), and org_id. As there, with
// [Options.Live], another organisation than the one that all projects belong to has none;
// without, it is taken and makes no difference.
func (s *platform) listProjects(r *http.Request) (any, *problem) {
	q, trouble := parseQuery(r, "limit", "cursor", "search", "org_id")
	if trouble != nil {
		return nil, trouble
	}
	limit, trouble := q.limit(defaultProjectLimit, maxProjectLimit)
	if trouble != nil {
		return nil, trouble
	}
	cursor, trouble := q.cursor()
	if trouble != nil {
		return nil, trouble
	}
	rest, trouble := s.projectsAfter(cursor)
	if trouble != nil {
		return nil, trouble
	}
	if org := q.values.Get("org_id"); s.live && org != "" && org != s.org {
		rest = nil
	}
	search, now := strings.ToLower(q.values.Get("search")), callOf(r).now
	out := wireProjects{Projects: []wireProject{}}
	for _, p := range rest {
		if len(out.Projects) == limit {
			break
		}
		if strings.Contains(p.id, search) || strings.Contains(p.name, search) {
			out.Projects = append(out.Projects, s.wireProject(p, now))
		}
	}
	// A full page has a cursor even if nothing follows: the service's own
	// command-line client asks again after any full page, with whatever it got.
	if n := len(out.Projects); n == limit || s.live && n > 0 {
		out.Pagination = &wirePagination{out.Projects[n-1].ID}
	}
	return out, nil
}

// listSharedProjects is GET /projects/shared: nobody shares anything.
func (s *platform) listSharedProjects(r *http.Request) (any, *problem) {
	q, trouble := parseQuery(r, "limit", "cursor", "search")
	if trouble != nil {
		return nil, trouble
	}
	if _, trouble := q.limit(defaultProjectLimit, maxProjectLimit); trouble != nil {
		return nil, trouble
	}
	if _, trouble := q.cursor(); trouble != nil {
		return nil, trouble
	}
	return wireProjects{Projects: []wireProject{}}, nil
}

// projectsAfter returns the projects that come after the one a cursor names.
func (s *platform) projectsAfter(cursor string) ([]*project, *problem) {
	if cursor == "" {
		return s.projects, nil
	}
	last, ok := s.byID[cursor]
	if !ok {
		return nil, newProblem(http.StatusBadRequest, "cursor is not one that this API gave out")
	}
	return s.projects[last.index+1:], nil
}

func (s *platform) wireProject(p *project, now time.Time) wireProject {
	updated := p.created
	h := s.history(p, now)
	latest := h.page(h.end(), 1)
	if len(latest) > 0 {
		updated = latest[0].created
	}
	age := max(now.Sub(p.created), 0).Seconds()
	w := wireProject{
		ID:                     p.id,
		Name:                   p.name,
		PlatformID:             p.platform,
		RegionID:               p.region,
		Provisioner:            p.provisioner,
		PgVersion:              p.pgVersion,
		CPUUsedSec:             int64(age * p.load),
		ProxyHost:              strings.TrimPrefix(p.region, p.platform+"-") + "." + p.platform + ".db.example",
		BranchLogicalSizeLimit: p.sizeLimit,
		CreatedAt:              stamp(p.created),
		UpdatedAt:              stamp(updated),
	}
	if !s.live {
		w.Locked = &p.locked
		return w
	}
	w.wireProjectLive = &wireProjectLive{
		OwnerID:                     demoUser,
		OrgID:                       s.org,
		CreationSource:              "console",
		StorePasswords:              true,
		ActiveTime:                  int64(age * p.load * 4),
		BranchLogicalSizeLimitBytes: int64(p.sizeLimit) << 20,
		SyntheticStorageSize:        int64(mix(p.key)>>40) << 10,
		HistoryRetentionSeconds:     86_400,
	}
	if len(latest) > 0 {
		w.ComputeLastActiveAt = optionalStamp(updated)
	}
	return w
}
