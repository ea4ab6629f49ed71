package mock

import "time"

// The kinds of operation that the simulation performs, as the API spells them
// (section 2.3).
const (
	applyConfig        = "apply_config"
	applyStorageConfig = "apply_storage_config"
	checkAvailability  = "check_availability"
	createBranch       = "create_branch"
	createTimeline     = "create_timeline"
	startCompute       = "start_compute"
	suspendCompute     = "suspend_compute"
	tenantAttach       = "tenant_attach"
	tenantDetach       = "tenant_detach"
	tenantReattach     = "tenant_reattach"
)

// kind is how operations of one action behave.
type kind struct {
	median   time.Duration // of one attempt
	failing  float64       // share that ends as failed
	retrying float64       // share that finishes after failures
}

func kindOf(action string) kind {
	switch action {
	case applyConfig:
		return kind{8 * time.Second, 0.01, 0.06}
	case applyStorageConfig:
		return kind{25 * time.Second, 0.01, 0.05}
	case checkAvailability:
		return kind{20 * time.Second, 0.02, 0.08}
	case createBranch:
		return kind{4 * time.Second, 0.01, 0.03}
	case createTimeline:
		return kind{3 * time.Second, 0, 0.05}
	case startCompute:
		return kind{2500 * time.Millisecond, 0.02, 0.08}
	case suspendCompute:
		return kind{2 * time.Second, 0.005, 0.03}
	case tenantDetach:
		return kind{20 * time.Second, 0, 0.10}
	case tenantAttach, tenantReattach:
		return kind{7 * time.Second, 0, 0.10}
	}
	return kind{4 * time.Second, 0.01, 0.05}
}
