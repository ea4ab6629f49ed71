package mock

import "time"

// upkeep is work that the specification does not name, and that the live service lists:
// storage that moves, branches that are put away, replicas, imports.
func (b *builder) upkeep() {
	if b.rng.Float64() < 0.25 {
		b.putAway()
		return
	}
	chain := pick(b.rng, [][]string{
		{"prepare_secondary_pageserver", "switch_pageserver"},
		{"prewarm_replica", "promote_replica"},
		{"import_data", "mark_migration_prepared", "finalize_migration"},
		{"create_compute", "apply_schema_from_branch", "sync_dbs_and_roles_from_compute"},
		{"start_reserved_compute", "swap_binding_id"},
		{"detach_parent_branch"},
		{"replace_safekeeper", "set_storage_non_dirty"},
		{"timeline_update_protected_config"},
		{"update_catalog", "disable_maintenance"},
	})
	on := pick(b.rng, b.project.computes)
	b.episode(false)
	for _, action := range chain {
		if !b.add(between(b.rng, time.Second, 20*time.Second), action, on.of(action)) {
			return
		}
	}
}

// putAway is the end of a branch that was made for one purpose: nothing happens on it
// after that.
func (b *builder) putAway() {
	c := b.newCompute()
	chain := pick(b.rng, [][]string{
		{createBranch, "timeline_archive"},
		{createBranch, "timeline_mark_invisible", "delete_timeline"},
	})
	b.episode(false)
	for _, action := range chain {
		if !b.add(between(b.rng, time.Second, 20*time.Second), action, c.of(action)) {
			return
		}
	}
}

// of returns where an action on the compute takes place: some are on its branch alone.
func (c compute) of(action string) compute {
	switch action {
	case createBranch, createTimeline, applyStorageConfig, tenantAttach, tenantDetach, tenantReattach,
		"prepare_secondary_pageserver", "switch_pageserver", "replace_safekeeper", "set_storage_non_dirty",
		"timeline_archive", "timeline_unarchive", "timeline_mark_invisible", "delete_timeline",
		"timeline_update_protected_config", "detach_parent_branch", "import_data":
		return compute{branch: c.branch}
	}
	return c
}
