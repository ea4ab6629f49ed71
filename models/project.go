package models

import "time"

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
	OrgID, OrgName         string    // the owning organization, empty if the service has none or does not send it
	ComputeLastActiveAt    time.Time // when one of its computes last ran, if the service sends it
	Damage                 string    // which parts of the record could not be read, or empty
}

// UnmarshalJSON decodes a record of the project list (section 4.4).
func (p *Project) UnmarshalJSON(b []byte) error {
	r := readRecord(b, make([]field, 0, usualFields))
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
	return nil
}

// Organization returns the owning organization, zero if the service has none.
func (p *Project) Organization() Organization { return Organization{ID: p.OrgID, Name: p.OrgName} }

// ChangedAt returns when the project last changed, according to its record.
func (p *Project) ChangedAt() time.Time {
	if p.ComputeLastActiveAt.After(p.UpdatedAt) {
		return p.ComputeLastActiveAt
	}
	return p.UpdatedAt
}
