package mock

import "strings"

// reason is the live service's text on why the last attempt failed.
func reason(action string, number int64) string {
	all := reasons(action)
	return all[mix(bits(number))%uint64(len(all))]
}

// reasons are those for which an action fails.
func reasons(action string) []string {
	switch action {
	case startCompute, "start_reserved_compute", "create_compute":
		return []string{
			"compute did not become ready in time",
			"no free capacity in the region",
			"postgres exited with status 1 during startup",
		}
	case suspendCompute:
		return []string{"compute did not stop in time", "compute has active connections"}
	case checkAvailability:
		return []string{"no connection to the compute within 10s", "compute started, but did not answer SELECT 1"}
	case applyConfig:
		return []string{
			"the compute did not acknowledge the configuration",
			"could not apply the roles: role is in use",
			"could not apply the databases: template is in use",
		}
	case applyStorageConfig:
		return []string{"the pageserver did not acknowledge the configuration"}
	case createBranch, createTimeline:
		return []string{"storage did not create the timeline in time", "the parent's position is not on the pageserver yet"}
	case tenantAttach, tenantDetach, tenantReattach:
		return []string{"the pageserver did not confirm the tenant's location"}
	case "import_data", "apply_schema_from_branch", "sync_dbs_and_roles_from_compute":
		return []string{"the source closed the connection"}
	case "prewarm_replica", "promote_replica":
		return []string{"the replica is too far behind"}
	}
	if strings.Contains(action, "timeline") {
		return []string{"storage did not change the timeline in time"}
	}
	return []string{"storage did not answer in time"}
}
