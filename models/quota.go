package models

import (
	"slices"
	"time"
)

// Amounts are the amounts that a project may use in a period, or has used. An amount that was not sent or read is
// unknown. The limit logical_size_bytes is left out: it holds for each branch.
type Amounts struct {
	ActiveTimeSeconds  Opt[int64]
	ComputeTimeSeconds Opt[int64]
	WrittenDataBytes   Opt[int64]
	DataTransferBytes  Opt[int64]
}

// readAmounts reads amounts from the fields of their names.
func readAmounts(r *jsonObject) Amounts {
	return Amounts{
		ActiveTimeSeconds:  r.integer("active_time_seconds"),
		ComputeTimeSeconds: r.integer("compute_time_seconds"),
		WrittenDataBytes:   r.integer("written_data_bytes"),
		DataTransferBytes:  r.integer("data_transfer_bytes"),
	}
}

// Amount is a limited amount of a project's quota.
type Amount struct {
	Name  string // the API's
	Limit int64
	Used  Opt[int64] // unknown in a list: only the record of one project has it
}

// Over reports whether more was used than the limit, as far as that is known.
func (a Amount) Over() bool { return a.Used.Known && a.Used.Value > a.Limit }

// Limits returns the limited amounts of the project's quota: those above 0. They are empty for a project without a quota.
func (p *Project) Limits() (list []Amount) {
	for _, amount := range []struct {
		name        string
		limit, used Opt[int64]
	}{
		{"active_time_seconds", p.Quota.ActiveTimeSeconds, p.Used.ActiveTimeSeconds},
		{"compute_time_seconds", p.Quota.ComputeTimeSeconds, p.Used.ComputeTimeSeconds},
		{"written_data_bytes", p.Quota.WrittenDataBytes, p.Used.WrittenDataBytes},
		{"data_transfer_bytes", p.Quota.DataTransferBytes, p.Used.DataTransferBytes},
	} {
		if amount.limit.Value > 0 {
			list = append(list, Amount{amount.name, amount.limit.Value, amount.used})
		}
	}
	return list
}

// OverQuota reports whether the project is known to have used more than its quota allows in a period that is not over: then it
// starts no compute until that ends. False proves nothing: the used amounts need not have been read.
func (p *Project) OverQuota(now time.Time) bool {
	over := !p.PeriodEnd.IsZero() && !p.PeriodEnd.After(now)
	return !over && slices.ContainsFunc(p.Limits(), Amount.Over)
}

// Permission is what the user of a personal key may do in a project. An unknown one is shown as it is.
type Permission string

// The permissions. Empty is unknown: the service sends none for other kinds of keys.
const (
	MayView   Permission = "VIEWER"
	MayEdit   Permission = "EDITOR"
	MayManage Permission = "ADMIN"
)

// olderPermissions have the names that permissions had until mid-2026.
var olderPermissions = map[Permission]Permission{"CAN_VIEW": MayView, "CAN_EDIT": MayEdit, "CAN_MANAGE": MayManage}

// permission reads a permission, and translates the older names.
func (r *jsonObject) permission(name string) Permission {
	text := Permission(r.word(name))
	if today, older := olderPermissions[text]; older {
		return today
	}
	return text
}
