package models

import (
	"testing"
	"time"
)

// A project is over its quota only if both the limit and the use were read, and in the present period: the list has limits alone.
func TestOverQuota(t *testing.T) {
	t.Parallel()
	for doc, want := range map[string]bool{
		`{"id":"p"}`: false,
		`{"id":"p","settings":{"quota":{}},"compute_time_seconds":9}`:                                                                         false,
		`{"id":"p","settings":{"quota":{"compute_time_seconds":0}},"compute_time_seconds":9}`:                                                 false,
		`{"id":"p","settings":{"quota":{"compute_time_seconds":8}},"compute_time_seconds":9}`:                                                 true,
		`{"id":"p","settings":{"quota":{"compute_time_seconds":9}},"compute_time_seconds":9}`:                                                 false,
		`{"id":"p","settings":{"quota":{"compute_time_seconds":8}},"compute_time_seconds":9,"consumption_period_end":"2026-12-01T00:00:00Z"}`: true,
		`{"id":"p","settings":{"quota":{"compute_time_seconds":8}},"compute_time_seconds":9,"consumption_period_end":"2026-11-01T00:00:00Z"}`: false,
		`{"id":"p","settings":{"quota":{"compute_time_seconds":8}}}`:                                                                          false,
		`{"id":"p","settings":{"quota":{"compute_time_seconds":8}},"active_time":9,"cpu_used_sec":9}`:                                         false,
		`{"id":"p","settings":{"quota":{"compute_time_seconds":8}},"compute_time_seconds":"nine"}`:                                            false,
		`{"id":"p","settings":{"quota":{"compute_time_seconds":"eight"}},"compute_time_seconds":9}`:                                           false,
		`{"id":"p","settings":{"quota":{"compute_time_seconds":8,"written_data_bytes":5}},"written_data_bytes":6}`:                            true,
		`{"id":"p","settings":{"quota":{"active_time_seconds":8,"data_transfer_bytes":5}},"data_transfer_bytes":5}`:                           false,
		`{"id":"p","settings":{"quota":{"logical_size_bytes":1}},"synthetic_storage_size":9}`:                                                 false,
		`{"id":"p","settings":[],"compute_time_seconds":9}`:                                                                                   false,
		`{"id":"p","settings":{"quota":7},"compute_time_seconds":9}`:                                                                          false,
		`{"id":"p","settings":{"quota":{"compute_time_seconds":9007199254740993}},"compute_time_seconds":9007199254740994}`:                   true,
	} {
		p := decode[Project](t, doc)
		if got := p.OverQuota(time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)); got != want || p.Damage != "" {
			t.Errorf("%s: %t, damage %q", doc, got, p.Damage)
		}
	}
}

// The state of a project is read by its old and new names. What cannot be read is unknown, and no damage.
func TestDecodeProjectState(t *testing.T) {
	t.Parallel()
	for doc, want := range map[string]Project{
		`{"id":"p","effective_project_permission":"EDITOR","maintenance_starts_at":"2026-11-09T20:47:27Z"}`: {
			ID: "p", Permission: MayEdit, MaintenanceAt: at(t, "2026-11-09T20:47:27Z"),
		},
		`{"id":"p","effective_project_permission":"CAN_MANAGE","maintenance_scheduled_for":"2026-11-09T20:47:27Z"}`: {
			ID: "p", Permission: MayManage, MaintenanceAt: at(t, "2026-11-09T20:47:27Z"),
		},
		`{"id":"p","effective_project_permission":"OWNER","consumption_period_start":"2026-11-01T00:00:00Z","consumption_period_end":"2026-12-01T00:00:00Z"}`: {
			ID: "p", Permission: "OWNER", PeriodStart: at(t, "2026-11-01T00:00:00Z"), PeriodEnd: at(t, "2026-12-01T00:00:00Z"),
		},
		`{"id":"p","effective_project_permission":null,"maintenance_starts_at":null}`: {ID: "p"},
		`{"id":"p","effective_project_permission":7,"maintenance_starts_at":"soon"}`:  {ID: "p"},
	} {
		if got := decode[Project](t, doc); got != want {
			t.Errorf("%s\ngave %+v\nwant %+v", doc, got, want)
		}
	}
}
