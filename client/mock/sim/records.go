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
	ProjectID string `json:"project_id,omitempty"` // of a key of one project
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

// demoUser and demoName are the id and the name of the account's user.
const demoUser, demoName = "5f0c1b1e-6d0a-4b53-9d0c-2f7f3a1c9e42", "Demo User"

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

	Shared bool `json:"-"` // the user does not belong to its organization
}

// LiveProject has the live service's fields beyond the specification.
type LiveProject struct {
	OwnerID                     string  `json:"owner_id"` // the organization, too
	OrgID                       string  `json:"org_id"`
	OrgName                     string  `json:"org_name"`
	CreationSource              string  `json:"creation_source"`
	StorePasswords              bool    `json:"store_passwords"`
	ActiveTime                  int64   `json:"active_time"`
	BranchLogicalSizeLimitBytes int64   `json:"branch_logical_size_limit_bytes"`
	SyntheticStorageSize        int64   `json:"synthetic_storage_size"`
	HistoryRetentionSeconds     int64   `json:"history_retention_seconds"`
	ComputeLastActiveAt         *string `json:"compute_last_active_at,omitempty"`

	MaintenanceStartsAt *string   `json:"maintenance_starts_at,omitempty"`
	Settings            *Settings `json:"settings,omitempty"`
	// Permission is the user's, which depends on the key.
	Permission string `json:"effective_project_permission,omitempty"`
}

// Settings are a project's settings: a quota, or none.
type Settings struct {
	Quota Quota `json:"quota"`
}

// Quota has the limits of a project; 0 is none.
type Quota struct {
	ActiveTimeSeconds  int64 `json:"active_time_seconds,omitempty"`
	ComputeTimeSeconds int64 `json:"compute_time_seconds,omitempty"`
	WrittenDataBytes   int64 `json:"written_data_bytes,omitempty"`
	DataTransferBytes  int64 `json:"data_transfer_bytes,omitempty"`
	LogicalSizeBytes   int64 `json:"logical_size_bytes,omitempty"`
}

// ProjectDetail is a project as the live service returns it on its own path: without two fields of its list, and with its
// usage.
type ProjectDetail struct {
	Project

	OrgName    *string `json:"org_name,omitempty"`
	ActiveTime *int64  `json:"active_time,omitempty"`

	ActiveTimeSeconds      int64  `json:"active_time_seconds"`
	ComputeTimeSeconds     int64  `json:"compute_time_seconds"`
	DataStorageBytesHour   int64  `json:"data_storage_bytes_hour"`
	DataTransferBytes      int64  `json:"data_transfer_bytes"`
	WrittenDataBytes       int64  `json:"written_data_bytes"`
	ConsumptionPeriodStart string `json:"consumption_period_start"`
	ConsumptionPeriodEnd   string `json:"consumption_period_end"`

	MaintenanceScheduledFor *string `json:"maintenance_scheduled_for,omitempty"`
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
	CreatedAt     string  `json:"created_at"`
	UpdatedAt     string  `json:"updated_at"`
	RetryAt       *string `json:"retry_at,omitempty"`
	TotalMS       *int64  `json:"total_duration_ms,omitempty"`
}

// stamp formats a time as the live service does, in whole seconds.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

// exactStamp formats a time as in cursors. It has no + that a client would have to escape.
func exactStamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }

// User is the user of the account, as the live service describes it.
type User struct {
	ID                  string       `json:"id"`
	Login               string       `json:"login"`
	Email               string       `json:"email"`
	Name                string       `json:"name"`
	LastName            string       `json:"last_name"`
	Image               string       `json:"image"`
	Plan                string       `json:"plan"`
	ActiveSecondsLimit  int64        `json:"active_seconds_limit"`
	ProjectsLimit       int          `json:"projects_limit"`
	BranchesLimit       int          `json:"branches_limit"`
	MaxAutoscalingLimit int          `json:"max_autoscaling_limit"`
	AuthAccounts        []LinkedUser `json:"auth_accounts"`
}

// LinkedUser is the user at a provider of identities.
type LinkedUser struct {
	Provider string `json:"provider"`
	Login    string `json:"login"`
	Email    string `json:"email"`
	Name     string `json:"name"`
	Image    string `json:"image"`
}

// User returns the user of the account.
func (p *Platform) User() User {
	const login, email, name = "demo", "demo@example.com", demoName
	return User{
		ID: demoUser, Login: login, Email: email, Name: name, Plan: "launch",
		ProjectsLimit: 100, BranchesLimit: 5000, MaxAutoscalingLimit: 16,
		AuthAccounts: []LinkedUser{{Provider: "keycloak", Login: login, Email: email, Name: name}},
	}
}
