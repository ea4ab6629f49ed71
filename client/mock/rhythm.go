package mock

import (
	"math/rand/v2"
	"sort"
	"time"
)

const (
	hourMicros = int64(time.Hour / time.Microsecond)
	// usual is how busy a usual day of work is.
	usual = 4
	// fullWeight is the weight of an hour of such a day in which nobody rests.
	fullWeight = 16 * usual
	// dayWeight is the least share of the hours of work, from nine to six, in sixteenths.
	dayWeight = 13
	// yearDays is after how many days everything is as busy again: whole weeks.
	yearDays = 52 * 7
)

// calendar is how busy people are, hour by hour, in a cycle of whole days: work is
// measured in microseconds times the weight of their hour. Weights are whole numbers, so
// that the work done by a microsecond is exact, and the microsecond by which work is
// done as well.
type calendar struct {
	weights []int64
	before  []int64 // the work before each hour; the last is that of the whole cycle
}

// hours is a day with a morning, a lunch, and a night in which an eighth is done, in
// sixteenths.
func hours() [24]int64 {
	return [24]int64{3, 2, 2, 2, 2, 3, 5, 8, 12, 15, 16, 16, 13, 15, 16, 16, 15, 13, 10, 9, 8, 7, 5, 4}
}

// workdays is a year of days of which no two weeks are the same, and weekends in which
// less is done.
func workdays(rng *rand.Rand) *calendar {
	var weights []int64
	for d := range yearDays {
		level := usual + int64(rng.IntN(3)) - 1
		// The cycles are counted from a Thursday, the first of January 1970.
		if weekday := (d + 4) % 7; weekday == 0 || weekday == 6 {
			level = usual - 2 + int64(rng.IntN(2))
		}
		for _, w := range hours() {
			weights = append(weights, w*level)
		}
	}
	return newCalendar(weights)
}

// steadyDay is a day without hours, for what does not depend on people.
func steadyDay() *calendar {
	weights := make([]int64, 24)
	for h := range weights {
		weights[h] = fullWeight
	}
	return newCalendar(weights)
}

func newCalendar(weights []int64) *calendar {
	c := &calendar{weights: weights, before: make([]int64, 1, len(weights)+1)}
	for h, w := range weights {
		c.before = append(c.before, c.before[h]+w*hourMicros)
	}
	return c
}

// cycle is the work of a whole cycle.
func (c *calendar) cycle() int64 { return c.before[len(c.weights)] }

// perDay is the work of a day on average.
func (c *calendar) perDay() int64 { return c.cycle() / int64(len(c.weights)/24) }

// rhythm is a calendar in the local time of a region. It knows no summer time: the mock
// needs no time zone database.
type rhythm struct {
	*calendar

	east int64 // of UTC, in microseconds
}

// work is what is done in a time in which nobody rests.
func work(d time.Duration) int64 { return int64(d/time.Microsecond) * fullWeight }

// done returns the work done by a microsecond, since an arbitrary one.
func (r rhythm) done(micro int64) int64 {
	local, length := micro+r.east, int64(len(r.weights))*hourMicros
	cycles := floorDiv(local, length)
	rest := local - cycles*length
	h := rest / hourMicros
	return cycles*r.cycle() + r.before[h] + (rest-h*hourMicros)*r.weights[h]
}

// when returns the first microsecond by which the work is done.
func (r rhythm) when(done int64) int64 {
	cycles := floorDiv(done, r.cycle())
	rest := done - cycles*r.cycle()
	h := sort.Search(len(r.weights), func(h int) bool { return r.before[h+1] > rest })
	within := (rest - r.before[h] + r.weights[h] - 1) / r.weights[h]
	return (cycles*int64(len(r.weights))+int64(h))*hourMicros + within - r.east
}

// awake says whether people are up and at work, if it is a day of work.
func (r region) awake(at time.Time) bool {
	return hours()[at.Add(r.east).UTC().Hour()] >= dayWeight
}
