package main

import (
	"math"
	"slices"
	"time"
)

// samples are measurements of one thing, in one unit.
type samples []float64

// none stands for what was not measured.
func none() float64 { return math.NaN() }

// quantile is the sample that the part q of all does not exceed.
func (s samples) quantile(q float64) float64 {
	if len(s) == 0 {
		return none()
	}
	sorted := slices.Sorted(slices.Values(s))
	at := int(math.Ceil(q*float64(len(sorted)))) - 1
	return sorted[max(0, min(at, len(sorted)-1))]
}

func (s samples) median() float64 { return s.quantile(0.5) }

// mean is the average.
func (s samples) mean() float64 {
	sum := 0.0
	for _, v := range s {
		sum += v
	}
	return sum / float64(len(s))
}

// milliseconds is a time as the tables have it.
func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
