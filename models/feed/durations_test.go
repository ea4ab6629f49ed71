package feed

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// anyDuration draws durations of every order of magnitude, from 0 to a hundred days.
func anyDuration() *rapid.Generator[time.Duration] {
	return rapid.Custom(func(t *rapid.T) time.Duration {
		exponent := rapid.Float64Range(-1, 9.9).Draw(t, "exponent")
		return time.Duration(math.Pow(10, exponent) * float64(time.Millisecond))
	})
}

// After any additions and removals, the histogram describes what is left with the promised accuracy.
func TestDurationsAreAccurate(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var d Durations
		exact := rapid.SliceOfN(anyDuration(), 0, 60).Draw(t, "durations")
		for _, took := range exact {
			d.Add(took)
		}
		for range rapid.IntRange(0, len(exact)).Draw(t, "removed") {
			i := rapid.IntRange(0, len(exact)-1).Draw(t, "which")
			d.Remove(exact[i])
			exact = slices.Delete(exact, i, i+1)
		}
		agree(t, &d, exact)

		took := anyDuration().Draw(t, "another")
		beyond, ok := d.Slow()
		slow := ok && took > beyond
		if len(exact) >= 20 {
			p95 := exact[int(math.Ceil(0.95*float64(len(exact))))-1]
			if slow && took <= p95 {
				t.Fatalf("%v is slow though p95 is %v", took, p95)
			}
			if !slow && took > time.Millisecond && took.Seconds() > 1.04*p95.Seconds() {
				t.Fatalf("%v is not slow though p95 is %v", took, p95)
			}
		} else if slow {
			t.Fatalf("%v is slow among %d", took, len(exact))
		}

		n := rapid.IntRange(1, 40).Draw(t, "bins")
		bins := d.Histogram(n)
		if len(bins) > n || (len(bins) == 0) != (len(exact) == 0) {
			t.Fatalf("%d bins for %d durations, at most %d", len(bins), len(exact), n)
		}
		for i, b := range bins {
			count := 0
			for _, e := range exact {
				// A duration exactly at the bound may be rounded either way.
				if e > b.From+1 && e < b.To-1 {
					count++
				}
			}
			if b.Count < count || b.To <= b.From || i > 0 && b.From != bins[i-1].To {
				t.Fatalf("bin %+v should have %d, after %+v", b, count, bins[:i])
			}
		}
		sum := 0
		for _, b := range bins {
			sum += b.Count
		}
		if sum != len(exact) {
			t.Fatalf("the bins have %d of %d", sum, len(exact))
		}
		if len(bins) > 0 && (bins[0].Count == 0 || bins[len(bins)-1].Count == 0) {
			t.Fatalf("the bins reach beyond what there is: %+v", bins)
		}
	})
}

// Equal durations are exact, such as those of a service whose times have whole seconds: no percentile exceeds the longest.
func TestDurationsOfWholeSecondsAreExact(t *testing.T) {
	t.Parallel()
	var d Durations
	for s := range 40 {
		for range 3 {
			d.Add(time.Duration(s) * time.Second)
		}
	}
	d.Add(90 * time.Second)
	d.Remove(90 * time.Second)
	for s := range 40 {
		want := time.Duration(s) * time.Second
		if got, _ := d.Quantile(float64(s+1) / 40); got != want {
			t.Errorf("%v is read as %v", want, got)
		}
	}
}

// Without a duration there is no median, and durations beyond the buckets are kept at their ends.
func TestDurationsAtTheirLimits(t *testing.T) {
	t.Parallel()
	var d Durations
	_, slow := d.Slow()
	if _, ok := d.Median(); ok || d.Histogram(5) != nil || slow {
		t.Error("nothing has a median, a histogram or slow ones")
	}
	d.Remove(time.Second)
	d.Add(1 << 62)
	d.Add(-time.Second)
	d.Add(math.MinInt64)
	if got, _ := d.Quantile(1); got < 99*24*time.Hour || got > 103*24*time.Hour {
		t.Errorf("more than a hundred days reads as %v", got)
	}
	if got, _ := d.Median(); got != 0 || d.Count() != 3 {
		t.Errorf("the median of %d is %v", d.Count(), got)
	}
	for _, q := range []float64{-1, 2, math.Inf(-1), math.NaN()} {
		if _, ok := d.Quantile(q); !ok {
			t.Errorf("no quantile %v", q)
		}
	}
}

// The usual range leaves out the extremes, and needs some durations.
func TestDurationsUsual(t *testing.T) {
	t.Parallel()
	var d Durations
	for i := range 10 {
		_, _, ok := d.Usual()
		if ok != (i >= 5) {
			t.Errorf("%v of %d", ok, i)
		}
		d.Add(time.Duration(i+1) * time.Second)
	}
	if from, to, ok := d.Usual(); from != time.Second || to != 9*time.Second || !ok {
		t.Errorf("%v to %v, %v", from, to, ok)
	}
}

// The expected duration is the median, from as many on as the usual range.
func TestDurationsExpected(t *testing.T) {
	t.Parallel()
	var d Durations
	for i, took := range []time.Duration{9, 1, 5, 3, 4} {
		if expected, ok := d.Expected(); ok {
			t.Errorf("%v is expected after %d", expected, i)
		}
		d.Add(took * time.Second)
	}
	if expected, ok := d.Expected(); !ok || expected != 4*time.Second {
		t.Errorf("%v, %t", expected, ok)
	}
}
