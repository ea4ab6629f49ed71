package mock

import "time"

// wireError is the error body of the live service; the specification shows none.
type wireError struct {
	RequestID string `json:"request_id"`
	Code      string `json:"code"`
	Message   string `json:"message"`
}

// wireCreatedKey is the create response (section 4.1).
type wireCreatedKey struct {
	ID  int64  `json:"id"`
	Key string `json:"key"`
	*wireCreatedKeyLive
}

type wireCreatedKeyLive struct {
	Name      string `json:"name"`
	CreatedAt string `json:"created_at"`
	CreatedBy string `json:"created_by"`
}

// wireKey is a record of the key list (section 4.2).
type wireKey struct {
	ID               int64    `json:"id"`
	Name             string   `json:"name"`
	CreatedAt        string   `json:"created_at"`
	CreatedBy        *creator `json:"created_by,omitempty"`
	LastUsedAt       *string  `json:"last_used_at"`
	LastUsedFromAddr string   `json:"last_used_from_addr"`
}

// demoUser is the id of the one user of the account.
const demoUser = "5f0c1b1e-6d0a-4b53-9d0c-2f7f3a1c9e42"

// creator is who made a key, as the live service's list says.
type creator struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Image string `json:"image"`
}

// wireRevokedKey is the revoke response (section 4.3).
type wireRevokedKey struct {
	ID               int64   `json:"id"`
	Name             string  `json:"name"`
	Revoked          bool    `json:"revoked"`
	CreatedAt        string  `json:"created_at,omitempty"`
	CreatedBy        string  `json:"created_by,omitempty"`
	LastUsedAt       *string `json:"last_used_at"`
	LastUsedFromAddr string  `json:"last_used_from_addr"`
}

// wireProjects is the project list (section 4.4).
type wireProjects struct {
	Projects   []wireProject   `json:"projects"`
	Pagination *wirePagination `json:"pagination,omitempty"`
}

// wireProject is a project (section 2.2).
type wireProject struct {
	ID                     string `json:"id"`
	Name                   string `json:"name"`
	PlatformID             string `json:"platform_id"`
	RegionID               string `json:"region_id"`
	Provisioner            string `json:"provisioner"`
	PgVersion              int    `json:"pg_version"`
	Locked                 *bool  `json:"locked,omitempty"`
	CPUUsedSec             int64  `json:"cpu_used_sec"`
	ProxyHost              string `json:"proxy_host"`
	BranchLogicalSizeLimit int    `json:"branch_logical_size_limit"`
	CreatedAt              string `json:"created_at"`
	UpdatedAt              string `json:"updated_at"`
	*wireProjectLive
}

type wireProjectLive struct {
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

// wireOperations is a page of operations (section 4.5).
type wireOperations struct {
	Operations []wireOperation `json:"operations"`
	Pagination *wirePagination `json:"pagination,omitempty"`
}

// wireOperationAnswer is one operation on its own (section 4.6).
type wireOperationAnswer struct {
	Operation wireOperation `json:"operation"`
}

// wireOperation is an operation (section 2.3).
type wireOperation struct {
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

// wirePagination is the pagination object (section 2.4). It is left out where there
// is no cursor: an empty one would not be a cursor.
type wirePagination struct {
	Cursor string `json:"cursor"`
}

const (
	secondStamp = "2006-01-02T15:04:05Z"
	microStamp  = "2006-01-02T15:04:05.000000Z"
)

// stamp writes a time as the records of keys and projects carry it.
func stamp(t time.Time) string { return t.UTC().Format(secondStamp) }

// optionalStamp writes a time, or null for one that has not come yet.
func optionalStamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := stamp(t)
	return &s
}

// exactStamp writes a time as operations and cursors carry it: the fraction is what
// tells two operations of the same second apart, and there is no + in it that a
// client would have to escape.
func exactStamp(t time.Time) string { return t.UTC().Format(microStamp) }
