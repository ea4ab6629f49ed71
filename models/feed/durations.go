package feed

import (
	"math"
	"slices"
	"time"
)

// Durations is a histogram of durations. It is accurate to 2 % from a millisecond to a hundred days, and takes a few
// kilobytes however many there are. Each duration is read as the average of its bucket, so a bucket of equal durations is
// exact. Shorter durations count as 0, longer ones as a hundred days. The zero value is empty.
type Durations struct {
	first   int    // the bucket of the shortest duration ever added
	buckets []pile // from first to the longest
	total   int
}

// pile has the number of durations in a bucket, and the sum of how far each is above the bucket's lower bound.
type pile struct {
	count uint32
	above int64 // in microseconds: nanoseconds would overflow
}

// Bin is a histogram column: the number of durations d with From <= d < To.
type Bin struct {
	From, To time.Duration
	Count    int
}

const (
	bucketGrowth = 1.02                // the ratio of a bucket's bounds
	logGrowth    = 0.01980262729617973 // the natural logarithm of bucketGrowth
	lastBucket   = 1156                // begins at a hundred days
	fewSamples   = 20                  // too few to call anything unusual
	fewUsual     = 5                   // too few to call anything usual
)

// Add adds a duration.
func (d *Durations) Add(took time.Duration) {
	i := bucket(took)
	d.cover(i, i+1)
	p := &d.buckets[i-d.first]
	p.count++
	p.above += above(i, took)
	d.total++
}

// Remove removes a duration that was added.
func (d *Durations) Remove(took time.Duration) {
	number := bucket(took)
	i := number - d.first
	if i >= 0 && i < len(d.buckets) && d.buckets[i].count > 0 {
		d.buckets[i].count--
		d.buckets[i].above -= above(number, took)
		d.total--
	}
}

// above returns how far a duration is above the lower bound of its bucket, in microseconds. The first and the last bucket
// have no such bound.
func above(bucket int, took time.Duration) int64 {
	if bucket == 0 || bucket == lastBucket {
		return 0
	}
	return (took - floor(bucket)).Microseconds()
}

// floor returns the lower bound of a bucket in whole microseconds, so that what is added to it gives the duration back.
func floor(bucket int) time.Duration { return lower(bucket).Truncate(time.Microsecond) }

// cover makes room for the buckets from first up to end.
func (d *Durations) cover(first, end int) {
	if d.buckets == nil {
		d.first = first
	}
	if missing := d.first - first; missing > 0 {
		d.buckets = slices.Insert(d.buckets, 0, make([]pile, missing)...)
		d.first = first
	}
	if missing := end - d.first - len(d.buckets); missing > 0 {
		d.buckets = append(d.buckets, make([]pile, missing)...)
	}
}

// Count returns the number of durations.
func (d *Durations) Count() int { return d.total }

// Quantile returns the duration that the fraction q of all does not exceed, and whether there are any.
func (d *Durations) Quantile(q float64) (time.Duration, bool) {
	if d.total == 0 {
		return 0, false
	}
	i := d.quantile(q)
	p := d.buckets[i-d.first]
	return floor(i) + time.Duration(p.above/int64(p.count))*time.Microsecond, true
}

// Median returns the duration that half of all do not exceed, and whether there are any.
func (d *Durations) Median() (time.Duration, bool) { return d.Quantile(0.5) }

// Slow returns the 95th percentile, above which a duration is slow. It is not ok among fewer than 20 durations.
func (d *Durations) Slow() (beyond time.Duration, ok bool) {
	if d.total < fewSamples {
		return 0, false
	}
	return lower(d.quantile(0.95) + 1), true
}

// Usual returns the range in which eight of ten durations are. It is not ok among fewer than five.
func (d *Durations) Usual() (from, longest time.Duration, ok bool) {
	from, _ = d.Quantile(0.1)
	longest, _ = d.Quantile(0.9)
	return from, longest, d.total >= fewUsual
}

// Expected returns how long another one is expected to take: the median. It is not ok among fewer than five.
func (d *Durations) Expected() (took time.Duration, ok bool) {
	took, _ = d.Median()
	return took, d.total >= fewUsual
}

// Histogram returns at most n bins from the shortest to the longest duration, equally wide on a logarithmic scale.
func (d *Durations) Histogram(n int) []Bin {
	if d.total == 0 || n <= 0 {
		return nil
	}
	from, end := d.quantile(0), d.quantile(1)+1
	width := (end - from + n - 1) / n
	var bins []Bin
	for ; from < end; from += width {
		bin := Bin{From: lower(from), To: lower(from + width)}
		for i := from; i < min(from+width, end); i++ {
			bin.Count += int(d.buckets[i-d.first].count)
		}
		bins = append(bins, bin)
	}
	return bins
}

// quantile returns the bucket of the q-quantile. There must be a duration.
func (d *Durations) quantile(q float64) int {
	rank := max(1, int(math.Ceil(min(q, 1)*float64(d.total))))
	i := 0
	for below := int(d.buckets[0].count); below < rank; below += int(d.buckets[i].count) {
		i++
	}
	return d.first + i
}

// bucket returns the bucket of a duration. The first one is for everything below a millisecond.
func bucket(took time.Duration) int {
	if took < time.Millisecond {
		return 0
	}
	steps := math.Log(float64(took)/float64(time.Millisecond)) / logGrowth
	return min(1+int(steps), lastBucket)
}

// lower returns the lower bound of a bucket.
func lower(bucket int) time.Duration { return scale(float64(bucket - 1)) }

// scale returns the duration that many buckets above a millisecond, and 0 below it.
func scale(buckets float64) time.Duration {
	if buckets < 0 {
		return 0
	}
	return time.Duration(float64(time.Millisecond) * math.Pow(bucketGrowth, buckets))
}
