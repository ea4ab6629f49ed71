package sim

import (
	"slices"
	"time"
)

// Outage is an active [Incident] of a region, as the service's status page shows it.
type Outage struct {
	Region, Error string
	Since         time.Time
	Share         float64 // of the operations that fail, 0 for all
}

// Outages returns the active incidents of regions, the oldest first. Other incidents are not on the status page.
func (p *Platform) Outages() (list []Outage) {
	now := p.Now()
	for _, i := range p.incidents {
		since := p.Started().Add(i.From)
		if i.Region != "" && !now.Before(since) && (i.For == 0 || now.Before(since.Add(i.For))) {
			list = append(list, Outage{i.Region, i.Error, since, i.Share})
		}
	}
	slices.SortStableFunc(list, func(a, b Outage) int { return a.Since.Compare(b.Since) })
	return list
}

// Regions returns the regions of the projects, sorted.
func (p *Platform) Regions() (list []string) {
	for _, project := range p.projects {
		list = append(list, project.record.RegionID)
	}
	slices.Sort(list)
	return slices.Compact(list)
}
