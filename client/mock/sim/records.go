package sim

import "time"

// The records of section 2 of the specification, as the API encodes them. Fields with omitempty are not in every
// response.

// Key is an API key: as it is listed, created or revoked.
type Key struct {
	ID        int64  `json:"id"`
	Secret    string `json:"key,omitempty"` // at its creation only
	Name      string `json:"name,omitempty"`
	Revoked   bool   `json:"revoked,omitempty"`
	CreatedAt string `json:"created_at,omitempty"`
	CreatedBy any    `json:"created_by,omitempty"` // a user's id or, in lists, a [Creator]
	*KeyUse
}

// KeyUse is when and from which address a key was last used.
type KeyUse struct {
	LastUsedAt       *string `json:"last_used_at"` // nil before the first use
	LastUsedFromAddr string  `json:"last_used_from_addr"`
}

// Creator is the creator of a key, in the live service's list.
type Creator struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Image string `json:"image"`
}

// demoUser is the id of the account's only user.
const demoUser = "5f0c1b1e-6d0a-4b53-9d0c-2f7f3a1c9e42"

// Project is a project.
type Project struct {
	ID                     string `json:"id"`
	Name                   string `json:"name"`
	PlatformID             string `json:"platform_id"`
	RegionID               string `json:"region_id"`
	Provisioner            string `json:"provisioner"`
	PgVersion              int    `json:"pg_version"`
	Locked                 *bool  `json:"locked,omitempty"` // not in the live service's list
	CPUUsedSec             int64  `json:"cpu_used_sec"`
	ProxyHost              string `json:"proxy_host"`
	BranchLogicalSizeLimit int    `json:"branch_logical_size_limit"` // MiB
	CreatedAt              string `json:"created_at"`
	UpdatedAt              string `json:"updated_at"`
	*LiveProject
}

// LiveProject has the live service's fields beyond the specification.
type LiveProject struct {
	OwnerID                     string  `json:"owner_id"`
	OrgID                       string  `json:"org_id"`
	CreationSource              string  `json:"creation_source"`
	StorePasswords              bool    `json:"store_passwords"`
	ActiveTime                  int64   `json:"active_time"`
	BranchLogicalSizeLimitBytes int64   `json:"branch_logical_size_limit_bytes"`
	SyntheticStorageSize        int64   `json:"synthetic_storage_size"`
	HistoryRetentionSeconds     int64   `json:"history_retention_seconds"`
	ComputeLastActiveAt         *string `json:"compute_last_active_at,omitempty"`
}

// Operation is an operation at a moment. Error, RetryAt and TotalMS are the live service's.
type Operation struct {
	ID            string  `json:"id"`
	ProjectID     string  `json:"project_id"`
	BranchID      string  `json:"branch_id"`
	EndpointID    string  `json:"endpoint_id,omitempty"`
	Action        string  `json:"action"`
	Status        string  `json:"status"`
	Error         string  `json:"error,omitempty"`
	FailuresCount int     `json:"failures_count"`
	CreatedAt     string  `json:"created_at"` // also the cursor of older operations
	UpdatedAt     string  `json:"updated_at"`
	RetryAt       *string `json:"retry_at,omitempty"`
	TotalMS       *int64  `json:"total_duration_ms,omitempty"`
}

// stamp formats a time as in the records of keys and projects.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

// exactStamp formats a time as in operations and cursors: the fraction distinguishes operations of the same second, and
// it has no + that a client would have to escape.
func exactStamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }
