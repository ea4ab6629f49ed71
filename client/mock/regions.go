package mock

import (
	"math/rand/v2"
	"strings"
	"time"
)

// region is a place where projects run.
type region struct {
	name string
	east time.Duration // of UTC, without summer time
}

func regions() []region {
	return []region{
		{"aws-us-east-1", -5 * time.Hour},
		{"aws-us-east-2", -5 * time.Hour},
		{"aws-us-west-2", -8 * time.Hour},
		{"aws-eu-central-1", time.Hour},
		{"aws-eu-west-2", 0},
		{"aws-ap-southeast-1", 8 * time.Hour},
		{"azure-eastus2", -5 * time.Hour},
		{"azure-gwc", time.Hour},
	}
}

func (r region) platform() string {
	platform, _, _ := strings.Cut(r.name, "-")
	return platform
}

func (r region) rhythm(c *calendar) rhythm {
	return rhythm{c, int64(r.east / time.Microsecond)}
}

// awakeRegion draws a region in which it is day: whoever starts a platform, at whatever
// hour, sees its busiest project at work.
func awakeRegion(rng *rand.Rand, at time.Time) region {
	var awake []region
	for _, r := range regions() {
		if r.awake(at) {
			awake = append(awake, r)
		}
	}
	return pick(rng, awake)
}
