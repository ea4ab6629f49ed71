package mock

import (
	"math/rand/v2"
	"time"
)

// mix folds numbers into one of which every bit depends on every bit of theirs
// (the finalizer of splitmix64, chained).
func mix(values ...uint64) uint64 {
	var h uint64
	for _, v := range values {
		h += v + 0x9e3779b97f4a7c15
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		h ^= h >> 31
	}
	return h
}

// bits returns n's bit pattern: slots before the start have negative numbers.
func bits(n int64) uint64 {
	return uint64(n) //nolint:gosec // G115: wrapping is what makes it one to one.
}

// newRand returns the random numbers that belong to a seed, the same every time.
func newRand(seed uint64, stream int64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, bits(stream))) //nolint:gosec // G404: a simulation has to be repeatable.
}

// between returns a duration from lo up to, not including, hi.
func between(rng *rand.Rand, lo, hi time.Duration) time.Duration {
	return lo + time.Duration(rng.Int64N(int64(hi-lo)))
}

// pick returns one of all.
func pick[T any](rng *rand.Rand, all []T) T { return all[rng.IntN(len(all))] }
