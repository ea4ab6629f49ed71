package sim

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strings"
	"time"
)

// Branch is a branch, as the live service lists it.
type Branch struct {
	ID                 string  `json:"id"`
	ProjectID          string  `json:"project_id"`
	ParentID           string  `json:"parent_id,omitempty"`
	Name               string  `json:"name"`
	CurrentState       string  `json:"current_state"`
	PendingState       string  `json:"pending_state,omitempty"`
	StateChangedAt     string  `json:"state_changed_at"`
	CreationSource     string  `json:"creation_source"`
	Default            bool    `json:"default"`
	Protected          bool    `json:"protected"`
	CPUUsedSec         int64   `json:"cpu_used_sec"`
	ComputeTimeSeconds int64   `json:"compute_time_seconds"`
	ActiveTimeSeconds  int64   `json:"active_time_seconds"`
	WrittenDataBytes   int64   `json:"written_data_bytes"`
	DataTransferBytes  int64   `json:"data_transfer_bytes"`
	CreatedAt          string  `json:"created_at"`
	UpdatedAt          string  `json:"updated_at"`
	CreatedBy          *Author `json:"created_by,omitempty"`
}

// Author is the creator of a branch.
type Author struct {
	Name  string `json:"name"`
	Image string `json:"image"`
}

// Endpoint is a compute of a branch, as the live service lists it.
type Endpoint struct {
	Host                  string   `json:"host"`
	ID                    string   `json:"id"`
	Name                  string   `json:"name,omitempty"`
	ProjectID             string   `json:"project_id"`
	BranchID              string   `json:"branch_id"`
	AutoscalingLimitMinCU float64  `json:"autoscaling_limit_min_cu"`
	AutoscalingLimitMaxCU float64  `json:"autoscaling_limit_max_cu"`
	RegionID              string   `json:"region_id"`
	Type                  string   `json:"type"`
	CurrentState          string   `json:"current_state"`
	PendingState          string   `json:"pending_state,omitempty"`
	Settings              struct{} `json:"settings"`
	PoolerEnabled         bool     `json:"pooler_enabled"`
	PoolerMode            string   `json:"pooler_mode"`
	Disabled              bool     `json:"disabled"`
	PasswordlessAccess    bool     `json:"passwordless_access"`
	LastActive            *string  `json:"last_active,omitempty"`
	CreationSource        string   `json:"creation_source"`
	CreatedAt             string   `json:"created_at"`
	UpdatedAt             string   `json:"updated_at"`
	StartedAt             *string  `json:"started_at,omitempty"`
	SuspendedAt           *string  `json:"suspended_at,omitempty"`
	ProxyHost             string   `json:"proxy_host"`
	SuspendTimeoutSeconds int      `json:"suspend_timeout_seconds"`
	Provisioner           string   `json:"provisioner"`
}

// moment is a project just before end.
type moment struct {
	*project

	end    time.Time
	recent []*operation // those of the last hours, oldest first
}

// at returns the project just before end.
func (p *project) at(end time.Time) moment {
	recent := slices.Clone(p.started)
	if p.perSlot > 0 {
		slot := p.slotAt(end.Add(-1))
		recent = slices.Concat(recent, p.slot(slot-1), p.slot(slot))
	}
	recent = slices.DeleteFunc(recent, func(op *operation) bool { return !op.created.Before(end) || p.lost[op.id] })
	slices.SortStableFunc(recent, (*operation).compareCreation)
	return moment{p, end, recent}
}

// status returns the status of an operation, and since when it has it.
func (m *moment) status(op *operation) (status string, since time.Time) {
	states := m.states(op)
	state := states[current(states, m.end.Add(-1).Sub(op.created))]
	return state.status, op.created.Add(state.since)
}

// branchRecord returns the record of a branch.
func (m *moment) branchRecord(b *branch) Branch {
	r := Branch{
		ID: b.id(), ProjectID: m.record.ID, Name: m.nameOf(b, m.end), CurrentState: "ready", Default: b.isDefault,
		Protected: b.guarded, CreationSource: "console", CreatedAt: stamp(b.created), CreatedBy: &Author{Name: demoName},
	}
	if !b.isDefault && len(m.listed) > 0 {
		r.ParentID = m.listed[0].id()
	}
	changed, updated := b.created, b.created
	for _, op := range m.recent {
		if op.branch != b.id() {
			continue
		}
		status, since := m.status(op)
		if since.After(updated) {
			updated = since
		}
		state, pending := branchState(op.action, status)
		if state != "" {
			r.CurrentState, r.PendingState, changed = state, pending, since
		}
	}
	for _, later := range m.names[b.id()] {
		if later.from.Before(m.end) && later.from.After(updated) {
			updated = later.from
		}
	}
	r.StateChangedAt, r.UpdatedAt = stamp(changed), stamp(updated)
	return r
}

// branchState returns the state of a branch after an operation with a status, or "".
func branchState(action, status string) (state, pending string) {
	switch {
	case action == createBranch && status != finished:
		return "init", "ready"
	case action == createBranch:
		return "ready", ""
	case action == "timeline_archive" && status == finished:
		return "archived", ""
	case action == "timeline_unarchive" && status == finished:
		return "ready", ""
	}
	return "", ""
}

// endpointRecord returns the record of a branch's compute.
func (m *moment) endpointRecord(b *branch) Endpoint {
	r := Endpoint{
		Host: b.endpoint + "." + m.record.ProxyHost, ID: b.endpoint, ProjectID: m.record.ID, BranchID: b.id(),
		AutoscalingLimitMinCU: 0.25, AutoscalingLimitMaxCU: 2, RegionID: m.record.RegionID, Type: "read_write",
		CurrentState: "idle", PoolerMode: "transaction", PasswordlessAccess: true, CreationSource: "console",
		CreatedAt: stamp(b.created), ProxyHost: m.record.ProxyHost, Provisioner: m.record.Provisioner,
	}
	if b.isDefault {
		r.Name = "primary"
	}
	updated := b.created
	for _, op := range m.recent {
		if op.endpoint != b.endpoint {
			continue
		}
		status, since := m.status(op)
		if since.After(updated) {
			updated = since
		}
		starts := strings.HasPrefix(op.action, "start_")
		switch {
		case !starts && op.action != suspendCompute:
		case status == scheduling, status == running:
			r.PendingState = map[bool]string{true: "active", false: "idle"}[starts]
		case status == finished && starts:
			r.CurrentState, r.PendingState, r.StartedAt, r.LastActive = "active", "", new(stamp(since)), new(stamp(since))
		case status == finished:
			r.CurrentState, r.PendingState, r.SuspendedAt, r.LastActive = "idle", "", new(stamp(since)), new(stamp(op.created))
		default:
			r.PendingState = ""
		}
	}
	r.UpdatedAt = stamp(updated)
	return r
}

// BranchQuery says which branches are listed, and how.
type BranchQuery struct {
	Search string        // a part of the name or the id, in lower case
	SortBy string        // name, created_at or updated_at
	Rising bool          // the smallest first
	Cursor string        // of the page before, or empty
	Limit  int           // above 0
	Lag    time.Duration // how late the list is
}

// Branches returns a page of the branches of a project, and the cursor of the next one, which is empty if there is none.
// The cursor is a position: a branch that changes meanwhile can be missed or listed twice, as at the live service.
func (p *Platform) Branches(projectID string, q BranchQuery) (page []Branch, next string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	project, err := p.project(projectID)
	if err != nil {
		return nil, "", err
	}
	now := project.at(project.endBehind(p.Now(), q.Lag))
	page = []Branch{}
	for _, b := range now.branchesAt(now.end) {
		r := now.branchRecord(b)
		if strings.Contains(strings.ToLower(r.Name), q.Search) || strings.Contains(r.ID, q.Search) {
			page = append(page, r)
		}
	}
	slices.SortFunc(page, func(a, b Branch) int { return q.compare(q.position(&a), q.position(&b)) })
	if q.Cursor != "" {
		last, err := base64.RawURLEncoding.DecodeString(q.Cursor)
		if err != nil {
			return nil, "", ErrCursor
		}
		page = slices.DeleteFunc(page, func(b Branch) bool { return q.compare(q.position(&b), string(last)) <= 0 })
	}
	if len(page) > q.Limit {
		page = page[:q.Limit]
		next = base64.RawURLEncoding.EncodeToString([]byte(q.position(&page[q.Limit-1])))
	}
	return page, next, nil
}

// compare orders positions.
func (q *BranchQuery) compare(a, b string) int {
	if q.Rising {
		return cmp.Compare(a, b)
	}
	return cmp.Compare(b, a)
}

// position returns the sort key of a branch. No other branch has the same.
func (q *BranchQuery) position(b *Branch) string {
	switch q.SortBy {
	case "name":
		return b.Name + "~" + b.ID
	case "created_at":
		return b.CreatedAt + "~" + b.ID
	}
	return b.UpdatedAt + "~" + b.ID
}

// Branch returns a branch.
func (p *Platform) Branch(projectID, id string) (Branch, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	project, err := p.project(projectID)
	if err != nil {
		return Branch{}, err
	}
	now := project.at(project.end(p.Now()))
	for _, b := range now.branchesAt(now.end) {
		if b.id() == id {
			return now.branchRecord(b), nil
		}
	}
	return Branch{}, ErrNoBranch
}

// Endpoints returns the computes of all branches of a project, as they were a lag ago.
func (p *Platform) Endpoints(projectID string, lag time.Duration) ([]Endpoint, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	project, err := p.project(projectID)
	if err != nil {
		return nil, err
	}
	now, out := project.at(project.endBehind(p.Now(), lag)), []Endpoint{}
	for _, b := range now.branchesAt(now.end) {
		if b.endpoint != "" {
			out = append(out, now.endpointRecord(b))
		}
	}
	return out, nil
}
