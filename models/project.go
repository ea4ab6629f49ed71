package models

import (
	"time"

	"pgtower/models/record"
)

// Project is a record of the project list (section 2.2), in the units of the live service.
type Project struct {
	ID                     string
	Name                   string
	PlatformID             string // the cloud, such as aws
	RegionID               string // such as aws-us-east-2
	Provisioner            string
	PgVersion              Opt[int64] // the major version of Postgres
	Locked                 Opt[bool]  // not in the live service's list
	CPUUsedSec             Opt[int64] // CPU time in seconds
	ProxyHost              string
	BranchLogicalSizeLimit Opt[int64] // in MiB
	CreatedAt              time.Time
	UpdatedAt              time.Time
	OrgID, OrgName         string     // the owning organization, empty if the service has none or does not send it
	ComputeLastActiveAt    time.Time  // when one of its computes last ran, if the service sends it
	Permission             Permission // of the key's user, if the service sends it
	MaintenanceAt          time.Time  // when planned maintenance may restart its computes, zero if none is known
	Quota                  Amounts    // the limits, of which 0 is none
	Used                   Amounts    // in the period, only in the record of one project
	PeriodStart, PeriodEnd time.Time  // of what was used
	Damage                 string     // which parts of the record could not be read, or empty
}

// UnmarshalJSON decodes a record of the project list (section 4.4).
func (p *Project) UnmarshalJSON(b []byte) error {
	r := readObject(b, make([]field, 0, usualFields))
	*p = Project{
		ID:                     r.identity(),
		Name:                   r.text("name"),
		PlatformID:             r.sharedID("platform_id"),
		RegionID:               r.sharedID("region_id"),
		Provisioner:            r.word("provisioner"),
		PgVersion:              r.integer("pg_version"),
		Locked:                 r.flag("locked"),
		CPUUsedSec:             r.integer("cpu_used_sec"),
		ProxyHost:              r.text("proxy_host"),
		BranchLogicalSizeLimit: r.integer("branch_logical_size_limit"),
		CreatedAt:              r.time("created_at"),
		UpdatedAt:              r.time("updated_at"),
		OrgID:                  r.sharedID("org_id"),
		OrgName:                r.word("org_name"),
	}
	p.Damage = r.damaged()
	// An unreadable hint is not damage.
	p.ComputeLastActiveAt = r.time("compute_last_active_at")
	p.readState(&r)
	return nil
}

// readState reads the state of the project, which only the live service sends: some in the list, more in the record of
// one project.
func (p *Project) readState(r *jsonObject) {
	p.Permission = r.permission("effective_project_permission")
	p.MaintenanceAt = r.time("maintenance_starts_at")
	if p.MaintenanceAt.IsZero() {
		p.MaintenanceAt = r.time("maintenance_scheduled_for")
	}
	settings := r.part("settings")
	quota := settings.part("quota")
	p.Quota, p.Used = readAmounts(&quota), readAmounts(r)
	p.PeriodStart, p.PeriodEnd = r.time("consumption_period_start"), r.time("consumption_period_end")
}

// ProjectFields returns the fields of projects, which are not to be changed.
func ProjectFields() []record.Field[*Project] { return projectFields }

var projectFields = []record.Field[*Project]{
	{
		Name: "id", Get: record.IDs(func(p *Project) string { return p.ID }),
		Title: "ID", Width: 22, Grow: 2, Priority: 9, Filter: "id", Searched: 1,
	},
	{
		Name: "name", Get: record.Words(func(p *Project) string { return p.Name }),
		Title: "NAME", Width: 16, Least: 12, Grow: 3, Filter: "name", Searched: 1,
	},
	{
		Name: "platform_id", Get: record.IDs(func(p *Project) string { return p.PlatformID }),
		Title: "PLATFORM", Width: 8, Priority: 16, Filter: "platform", Searched: 1,
	},
	{
		Name: "region_id", Get: record.IDs(func(p *Project) string { return p.RegionID }),
		Title: "REGION", Width: 18, Priority: 8, Filter: "region", Searched: 1,
	},
	{
		Name: "provisioner", Get: record.Words(func(p *Project) string { return p.Provisioner }),
		Title: "PROVISIONER", Width: 19, Priority: 17, Filter: "provisioner", Searched: 1,
	},
	{
		Name: "pg_version", Get: record.Counts(record.Number, func(p *Project) (int64, bool) { return p.PgVersion.Get() }),
		Title: "PG", Width: 2, Priority: 10, Filter: "pg",
	},
	{
		Name: "locked", Get: record.Flags(func(p *Project) (bool, bool) { return p.Locked.Get() }),
		Title: "LOCKED", Width: 6, Priority: 15,
	},
	{
		Name: "cpu_used_sec", Get: record.Counts(record.Seconds, func(p *Project) (int64, bool) { return p.CPUUsedSec.Get() }),
		Title: "CPU TIME", Width: 8, Priority: 12, Filter: "cpu", Searched: 1,
	},
	{
		Name: "proxy_host", Get: record.Words(func(p *Project) string { return p.ProxyHost }),
		Title: "PROXY HOST", Width: 28, Grow: 1, Priority: 18, Filter: "host", Searched: 1,
	},
	{
		Name: "branch_logical_size_limit",
		Get:  record.Counts(record.Mebibytes, func(p *Project) (int64, bool) { return p.BranchLogicalSizeLimit.Get() }),

		Title: "LIMIT", Width: 11, Priority: 14, Filter: "limit", Searched: 1,
	},
	{
		Name: "created_at", Get: record.Moments(func(p *Project) time.Time { return p.CreatedAt }),
		Title: "CREATED", Width: 8, Priority: 11, Filter: "created",
	},
	{
		Name: "updated_at", Get: record.Moments(func(p *Project) time.Time { return p.UpdatedAt }),
		Title: "UPDATED", Width: 8, Priority: 13, Filter: "updated",
	},
	{
		Name: "compute_last_active_at", Unseen: true,
		Get: record.Moments(func(p *Project) time.Time { return p.ComputeLastActiveAt }),
	},
	{Name: "org_id", Absent: true, Get: record.IDs(func(p *Project) string { return p.OrgID })},
	{Name: "org_name", Absent: true, Get: record.Words(func(p *Project) string { return p.OrgName })},
	{
		Name: "effective_project_permission", Absent: true, Filter: "permission", Searched: 1,
		Get: record.Words(func(p *Project) string { return string(p.Permission) }),
	},
	{
		Name: "maintenance_starts_at", Absent: true,
		Get: record.Dues(func(p *Project) time.Time { return p.MaintenanceAt }),
	},
	{
		Name: "organization", Derived: true, Unseen: true,
		Get:   record.Words((*Project).owner),
		Title: "ORGANIZATION", Width: 12, Priority: 7,
		Filter: "organization", Whole: true, Also: func(p *Project) string { return p.OrgID },
	},
	{Name: "damage", Aside: true, Get: record.Words(func(p *Project) string { return p.Damage })},
}

// Organization returns the owning organization, zero if the service has none.
func (p *Project) Organization() Organization { return Organization{ID: p.OrgID, Name: p.OrgName} }

func (p *Project) owner() string {
	org := p.Organization()
	return org.Label()
}

// ChangedAt returns when the project last changed, according to its record.
func (p *Project) ChangedAt() time.Time {
	if p.ComputeLastActiveAt.After(p.UpdatedAt) {
		return p.ComputeLastActiveAt
	}
	return p.UpdatedAt
}
