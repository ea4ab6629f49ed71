package cli

import (
	"errors"
	"math"
	"strconv"
	"time"
)

// seedValue is a flag for the seed of the mock.
type seedValue uint64

// String returns the seed.
func (s *seedValue) String() string { return strconv.FormatUint(uint64(*s), 10) }

// Type is what stands for the value in the help.
func (s *seedValue) Type() string { return "number" }

// Set reads it.
func (s *seedValue) Set(text string) error {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return errors.New("a seed is a whole number from 0 to " + strconv.FormatUint(math.MaxUint64, 10))
	}
	*s = seedValue(n)
	return nil
}

// startValue is a flag for the time at which the mock starts.
type startValue time.Time

// String returns the time, or nothing where none was given.
func (s *startValue) String() string {
	if t := time.Time(*s); !t.IsZero() {
		return t.Format(time.RFC3339Nano)
	}
	return ""
}

// Type is what stands for the value in the help.
func (s *startValue) Type() string { return "time" }

// Set reads it.
func (s *startValue) Set(text string) error {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return errors.New("it is written as 2026-11-21T12:00:00Z")
	}
	*s = startValue(t)
	return nil
}
