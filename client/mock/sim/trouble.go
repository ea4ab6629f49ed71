package sim

import "time"

// trouble plans maintenance and sets quotas. Of any twelve projects, one has planned maintenance, one is far below its quota,
// and the empty one is above its quota.
func (p *project) trouble() {
	switch p.index % 12 {
	case 2:
		p.maintained = Span(2 * time.Hour)
	case 5:
		p.quota = Quota{ComputeTimeSeconds: 1_000_000, LogicalSizeBytes: 10 << 30}
	case 11:
		p.quota, p.over = Quota{ComputeTimeSeconds: 360_000, WrittenDataBytes: 50 << 30}, true
	}
}

// maintaining is how long a maintenance may take. The record shows it for that time before it shows the next one.
const maintaining = time.Hour

// maintenanceAt returns when the current or else the next maintenance begins, or zero if none is planned. It is known a week
// ahead.
func (p *project) maintenanceAt(now time.Time) time.Time {
	if p.maintained == 0 {
		return time.Time{}
	}
	const week = 7 * day
	first := p.opened.Add(time.Duration(p.maintained)).Truncate(time.Minute)
	past := max(now.Sub(first)-maintaining+week, 0) / week
	return first.Add(past * week)
}

// used returns the usage of a project since the beginning of a month.
func (p *project) used(now, month time.Time) ProjectDetail {
	if p.created.After(month) {
		month = p.created
	}
	computed := int64(max(now.Sub(month), 0).Seconds() * p.load)
	if p.over {
		computed = p.quota.ComputeTimeSeconds + 1234
	}
	return ProjectDetail{ActiveTimeSeconds: 4 * computed, ComputeTimeSeconds: computed, WrittenDataBytes: computed << 10}
}
