package mock

import "time"

const (
	hourMicros = int64(time.Hour / time.Microsecond)
	dayMicros  = 24 * hourMicros
	// fullWeight is the weight of an hour in which nobody rests.
	fullWeight = 16
	// dayWeight is the least weight of the hours of work, from nine to six.
	dayWeight = 13
)

// day is how busy people are through a day: work is measured in microseconds times the
// weight of their hour. Weights are whole numbers, so that the work done by a
// microsecond is exact, and the microsecond by which work is done as well.
type day struct {
	weights [24]int64
	before  [25]int64 // the work of the day before each hour; the last is the whole day's
}

// workday is a day with a morning, a lunch, and a night in which an eighth is done.
func workday() *day {
	return newDay([24]int64{3, 2, 2, 2, 2, 3, 5, 8, 12, 15, 16, 16, 13, 15, 16, 16, 15, 13, 10, 9, 8, 7, 5, 4})
}

// steadyDay is a day without hours, for what does not depend on people.
func steadyDay() *day {
	var all [24]int64
	for h := range all {
		all[h] = fullWeight
	}
	return newDay(all)
}

func newDay(weights [24]int64) *day {
	d := &day{weights: weights}
	for h, w := range weights {
		d.before[h+1] = d.before[h] + w*hourMicros
	}
	return d
}

// rhythm is a day in the local time of a region. It knows no summer time: the mock
// needs no time zone database.
type rhythm struct {
	*day
	east int64 // of UTC, in microseconds
}

// work is what is done in a time in which nobody rests.
func work(d time.Duration) int64 { return int64(d/time.Microsecond) * fullWeight }

// done returns the work done by a microsecond, since an arbitrary one.
func (r rhythm) done(micro int64) int64 {
	local := micro + r.east
	days := floorDiv(local, dayMicros)
	rest := local - days*dayMicros
	h := rest / hourMicros
	return days*r.before[24] + r.before[h] + (rest-h*hourMicros)*r.weights[h]
}

// when returns the first microsecond by which the work is done.
func (r rhythm) when(done int64) int64 {
	days := floorDiv(done, r.before[24])
	rest := done - days*r.before[24]
	h := 0
	for r.before[h+1] <= rest {
		h++
	}
	within := (rest - r.before[h] + r.weights[h] - 1) / r.weights[h]
	return days*dayMicros + int64(h)*hourMicros + within - r.east
}

// awake says whether people are at work at the microsecond.
func (r rhythm) awake(micro int64) bool {
	local := micro + r.east
	return r.weights[(local-floorDiv(local, dayMicros)*dayMicros)/hourMicros] >= dayWeight
}
