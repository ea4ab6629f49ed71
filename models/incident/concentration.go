package incident

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"time"

	"pgtower/models"
)

const (
	// LeastFailures is the least number of failures in a place: fewer lie together by chance too often.
	LeastFailures = 4
	// unlikely is the greatest probability at which failures count as concentrated. All claims of a search share it: the
	// values that are compared, the spans, and every further place. So one window of noise in 2,000 has a false claim.
	unlikely = 0.0005
	// patience is how much greater that probability may be for a place that was found before: between two failures of a small
	// place it rises for some seconds, and a place that is no longer named reads as if it no longer failed.
	patience = 100
	// mostEnded is how many operations must have ended before most of them can fail, and mostFailed which share of them then must
	// have, or still must if it had. That is counted rather than inferred: what fails everywhere lies together nowhere.
	mostEnded                   = 30
	mostFailed, stillMostFailed = 0.6, 0.51
)

// Spans returns the times before now in which failures are searched, the shortest first: new failures outnumber the noise
// of three minutes sooner than that of fifteen.
func Spans() []time.Duration {
	return []time.Duration{3 * time.Minute, 5 * time.Minute, 15 * time.Minute}
}

// Concentration is a value that many failures have in common, far beyond its share of the operations: a place.
type Concentration struct {
	By    Dimension // not [Errors]: only failures have one
	Value string    // see [Dimension.Of]
	// Failed of the Ended operations with the value failed, and FailedElsewhere of the EndedElsewhere ones without it.
	// Those of earlier places are left out.
	Failed, Ended, FailedElsewhere, EndedElsewhere int

	Span time.Duration // the time before now in which these ended, or 0 for all operations
	// Since is the time of the failure from which on the operations of the place most likely fail as often as in the
	// span, or zero without a readable time.
	Since time.Time
	// Last is the time of its last failure, and Quiet reports whether that is before the shortest of [Spans].
	Last  time.Time
	Quiet bool
	// Open is set if no operation that was read shows that it began then, so that it may fail for longer.
	Open bool
}

// Failures is the number of all failures.
func (c *Concentration) Failures() int { return c.Failed + c.FailedElsewhere }

// Has reports whether an operation belongs to the place.
func (c *Concentration) Has(o Operation) bool { return c.By.Of(o) == c.Value }

// RegionsOf returns the regions of places, those of the first one first: their own, or those of all projects. regions has the region
// of each project, by its id.
func RegionsOf(places []Concentration, regions map[string]string) (list []string) {
	for _, c := range places {
		var own []string
		switch c.By {
		case Regions:
			own = []string{c.Value}
		case Projects:
			own = []string{regions[c.Value]}
		default:
			own = slices.Sorted(maps.Values(regions))
		}
		for _, region := range own {
			if region != "" && !slices.Contains(list, region) {
				list = append(list, region)
			}
		}
	}
	return list
}

// Rate says how many of the operations of the place failed: "33 of 48 (69 %)".
func (c *Concentration) Rate() string {
	percent := "<1"
	if n := math.Round(100 * float64(c.Failed) / float64(c.Ended)); n > 0 {
		percent = fmt.Sprint(n)
	}
	return fmt.Sprintf("%s of %s (%s %%)", models.Count(c.Failed), models.Count(c.Ended), percent)
}

// Elsewhere says how many of the others failed: ", elsewhere 6 of 170", or "" if there are none.
func (c *Concentration) Elsewhere() string {
	if c.EndedElsewhere == 0 {
		return ""
	}
	return fmt.Sprintf(", elsewhere %s of %s", models.Count(c.FailedElsewhere), models.Count(c.EndedElsewhere))
}

// Verb says that it fails, or that it failed some minutes ago, which need not mean that it works.
func (c *Concentration) Verb() string {
	switch {
	case c.Quiet:
		return "failed"
	case c.By == Everything:
		return "fail"
	}
	return "fails"
}

// Begin says since when it fails, with the time of Since as it is shown: "since 19:02", or "since 19:02 or before".
func (c *Concentration) Begin(since string) string {
	if c.Open {
		return "since " + since + " or before"
	}
	return "since " + since
}

// Concentrated returns the places where failures lie together, the first one first, in the shortest span before now that has
// them, or in all operations if there are no spans. ended are operations that ended, the last one first: it reads those of the
// longest span, and as far back as the places have failed. Only those that failed or finished count. complete is the time after
// which none of them is missing, or zero if none is missing at all. previous are the places that were found when it was asked
// last.
//
// The rule: at least four failures have the value, there are operations without it, and if the failures were spread over all
// operations by chance, as many would have one of the values that occur with a probability below 0.0005 (the hypergeometric
// tail times the number of values), divided by the number of spans. The first place is the value that is the least likely; if
// equally, the narrowest. Then its operations are taken out, and what is left is searched in the same way, for half of the
// probability each time. At least half of the failures must lie in the places of the span together. A place that was found
// before remains with up to a hundred times the probability, comes before others that are not a hundred times less likely, and
// fails since the same time, unless it was quiet.
//
// If most operations of a span fail, the place is [Everything], unless places of it and of the longer spans explain that.
func Concentrated(
	ended iter.Seq[Operation], now, complete time.Time, previous []Concentration, spans ...time.Duration,
) []Concentration {
	if len(spans) == 0 {
		spans = []time.Duration{0}
	}
	s := search{
		ended: ended, now: now, complete: complete, spans: len(spans), numbers: map[place]int{}, previous: map[place]Concentration{},
	}
	for _, c := range previous {
		s.previous[place{c.By, c.Value}] = c
	}
	s.read(slices.Max(spans))
	for i, span := range spans {
		s.found = nil
		all, _ := s.tally(span)
		s.takePlaces(span)
		mostly := all.ended >= mostEnded && s.mostly(all)
		if !mostly && !s.most(span) {
			continue
		}
		for _, longer := range spans[i+1:] {
			s.takePlaces(longer)
		}
		if mostly && !s.explains(span, all) {
			s.found = []Concentration{{By: Everything, Span: span, Failed: all.failed, Ended: all.ended}}
		}
		for i := range s.found {
			s.date(i)
		}
		s.order(previous)
		return s.found
	}
	return nil
}

// place is a value of a dimension.
type place struct {
	by    Dimension
	value string
}

// sample is an operation that failed or finished, with the numbers of its values.
type sample struct {
	ended  time.Time
	failed bool
	values [dimensions]int
}

// dimensions is in how many dimensions places are searched.
const dimensions = 4

// search is a search for places.
type search struct {
	ended    iter.Seq[Operation]
	now      time.Time
	complete time.Time // the time after which no operation is missing
	spans    int       // how many are searched
	places   []place
	numbers  map[place]int // of the places, from 0
	previous map[place]Concentration
	recent   []sample // of the longest span
	found    []Concentration
}

// read reads the operations of the longest span.
func (s *search) read(longest time.Duration) {
	for o := range s.ended {
		if !s.in(longest, o.EndedAt()) {
			return
		}
		if outcome(o) {
			s.recent = append(s.recent, s.sample(o))
		}
	}
}

// sample returns an operation with the numbers of its values; a missing value is -1.
func (s *search) sample(o Operation) sample {
	entry := sample{ended: o.EndedAt(), failed: o.Status.Failed()}
	for i, dimension := range [dimensions]Dimension{Projects, Actions, Organizations, Regions} {
		key := place{dimension, dimension.Of(o)}
		number, found := s.numbers[key]
		switch {
		case key.value == "":
			number = -1
		case !found:
			number = len(s.places)
			s.numbers[key] = number
			s.places = append(s.places, key)
		}
		entry.values[i] = number
	}
	return entry
}

// outcome reports whether an operation failed or finished.
func outcome(o Operation) bool {
	return !o.Gone && (o.Status.Failed() || o.Status == models.StatusFinished)
}

// in reports whether a time is in a span.
func (s *search) in(span time.Duration, instant time.Time) bool {
	return span == 0 || instant.After(s.now.Add(-span))
}

// takePlaces adds the places of a span, until none is left.
func (s *search) takePlaces(span time.Duration) {
	for {
		bound := unlikely / float64(s.spans) / math.Pow(2, float64(len(s.found)))
		c, found := s.least(span, bound)
		if !found {
			return
		}
		s.found = append(s.found, c)
	}
}

// order moves the places that have become quiet to the end: what still fails comes first, and the place that was first before stays
// so. Each counts what is in none of those before it.
func (s *search) order(previous []Concentration) {
	rank := func(c Concentration) int {
		switch {
		case c.Quiet:
			return 2
		case len(previous) > 0 && c.By == previous[0].By && c.Value == previous[0].Value:
			return 0
		}
		return 1
	}
	ordered := slices.SortedStableFunc(slices.Values(s.found), func(a, b Concentration) int { return rank(a) - rank(b) })
	s.found = nil
	for _, c := range ordered {
		total, counts := s.tally(c.Span)
		own := total
		if c.By != Everything {
			own = counts[s.numbers[place{c.By, c.Value}]]
		}
		c.Failed, c.Ended = own.failed, own.ended
		c.FailedElsewhere, c.EndedElsewhere = total.failed-own.failed, total.ended-own.ended
		if c.Failed > 0 {
			s.found = append(s.found, c)
		}
	}
}

// explains reports whether the places have at least half of the failures of a span, and most operations outside of them do not fail.
func (s *search) explains(span time.Duration, all tally) bool {
	elsewhere, _ := s.tally(span)
	return 2*elsewhere.failed <= all.failed && (elsewhere.failed < LeastFailures || !s.mostly(elsewhere))
}

// mostly reports whether most of some operations failed, or still do.
func (s *search) mostly(some tally) bool {
	if _, remains := s.previous[place{by: Everything}]; remains {
		return some.fails(stillMostFailed)
	}
	return some.fails(mostFailed)
}

// most reports whether at least half of the failures of a span belong to the places that were found.
func (s *search) most(span time.Duration) bool {
	failures, failed := 0, 0
	for _, entry := range s.recent {
		if entry.failed && s.in(span, entry.ended) {
			failures++
		}
	}
	for _, c := range s.found {
		failed += c.Failed
	}
	return failed > 0 && 2*failed >= failures
}

// least returns the value whose failures are the least likely by chance among the remaining operations of a span, if
// their probability is below a bound.
func (s *search) least(span time.Duration, bound float64) (best Concentration, found bool) {
	total, counts := s.tally(span)
	values := 0
	for _, t := range counts {
		if t.ended > 0 {
			values++
		}
	}
	low, bar := 0.0, math.Log(bound/float64(max(1, values)))
	for number, t := range counts {
		if t.failed < LeastFailures || t.failed*total.ended <= total.failed*t.ended {
			continue
		}
		c := Concentration{
			By: s.places[number].by, Value: s.places[number].value, Span: span, Failed: t.failed, Ended: t.ended,
			FailedElsewhere: total.failed - t.failed, EndedElsewhere: total.ended - t.ended,
		}
		p := logTail(total, t)
		if _, remains := s.previous[s.places[number]]; remains { // and keeps its name, while no other explains much more
			p -= math.Log(patience)
		}
		if p < bar && (p < low || p == low && c.narrower(&best)) {
			best, low, found = c, p, true
		}
	}
	return best, found
}

// tally counts operations that failed or finished.
type tally struct{ ended, failed int }

func (t *tally) add(failed bool) {
	t.ended++
	if failed {
		t.failed++
	}
}

// fails reports whether at least a share of them failed.
func (t *tally) fails(share float64) bool { return float64(t.failed) >= share*float64(t.ended) }

// tally counts the remaining operations of a span: all, and those with each value.
func (s *search) tally(span time.Duration) (total tally, counts []tally) {
	counts = make([]tally, len(s.places))
	for _, entry := range s.recent {
		if !s.in(span, entry.ended) || s.taken(entry) {
			continue
		}
		total.add(entry.failed)
		for _, number := range entry.values {
			if number >= 0 {
				counts[number].add(entry.failed)
			}
		}
	}
	return total, counts
}

// taken reports whether an operation belongs to a place that was found.
func (s *search) taken(entry sample) bool {
	for _, c := range s.found {
		if slices.Contains(entry.values[:], s.numbers[place{c.By, c.Value}]) {
			return true
		}
	}
	return false
}

// date finds out when a place failed last, and since when it fails: since a run of its operations begins that most likely fail as
// often as in the span, while those before it fail as often as elsewhere. It reads back until an earlier beginning is a thousand
// times less likely. In a shorter span than before, the run can be shorter: a place that went on to fail has not begun anew.
func (s *search) date(i int) {
	const certain = 7
	c := &s.found[i]
	score := 0.0
	failure, success := c.evidence()
	var r run
	for o := range s.ended {
		ended := o.EndedAt()
		earlier := slices.ContainsFunc(s.found[:i], func(c Concentration) bool { return c.Has(o) })
		if !outcome(o) || ended.IsZero() || !c.Has(o) || earlier {
			continue
		}
		evidence := success
		if o.Status.Failed() {
			evidence = failure
			r.pass(ended)
			if c.Last.IsZero() {
				c.Last = ended
			}
		}
		score = max(0, score+evidence)
		r.add(ended, score)
		if r.less(score, certain) && !s.in(c.Span, ended) {
			break
		}
	}
	c.Quiet = !s.in(Spans()[0], c.Last)
	c.Since, c.Open = r.since, !r.since.IsZero() && !r.begins(s.complete)
	previous := s.previous[place{c.By, c.Value}]
	if !previous.Quiet && !previous.Since.IsZero() && (c.Since.IsZero() || previous.Since.Before(c.Since)) {
		c.Since, c.Open = previous.Since, previous.Open
	}
}

// run is the operations of a place from the first one of those that most likely fail as often as in the span. Those of the place
// are added from the last one on.
type run struct {
	since    time.Time     // when the first one ended
	best     float64       // the score there
	pause    time.Duration // the longest time between two of its failures
	preceded bool          // the operations before the first one are unlikely in the run

	last    time.Time     // when the failure ended that was passed last
	longest time.Duration // between two failures that were passed
}

// pass notes a failure, before it is added.
func (r *run) pass(ended time.Time) {
	if !r.last.IsZero() {
		r.longest = max(r.longest, r.last.Sub(ended))
	}
	r.last = ended
}

// add adds an operation that ended before the others, with the score of a run that begins with it.
func (r *run) add(ended time.Time, score float64) {
	const likely = 3 // twenty times
	switch {
	case score > r.best:
		r.best, r.since, r.pause, r.preceded = score, ended, r.longest, false
	case ended.Before(r.since):
		r.preceded = r.preceded || r.less(score, likely)
	}
}

// less reports whether a beginning with this score is less likely than the best one, by the logarithm of how many times. Without
// a score, nothing speaks for it.
func (r *run) less(score, times float64) bool { return score <= max(0, r.best-times) }

// begins reports whether what was read shows that the run begins there. Nothing may be missing since before it. Then the operations
// of the place that came before show it, or the time: one without the run that is longer than its pauses. That time is at least
// [MaxRun], because failures may come in bursts.
func (r *run) begins(complete time.Time) bool {
	return complete.Before(r.since) && (r.preceded || r.since.Sub(complete) >= max(MaxRun, r.pause))
}

// evidence returns how much a failure and a success support that a place fails as in the span: the logarithm of how much
// likelier each is there than elsewhere.
func (c *Concentration) evidence() (failure, success float64) {
	inside := (float64(c.Failed) + 0.5) / (float64(c.Ended) + 1)
	elsewhere := (float64(c.FailedElsewhere) + 0.5) / (float64(c.EndedElsewhere) + 1)
	if c.By == Everything { // with nothing elsewhere, it is told from a time in which most worked
		elsewhere = 1 - mostFailed
	}
	return math.Log(inside / elsewhere), math.Log((1 - inside) / (1 - elsewhere))
}

// narrower reports whether a value is named in place of another one with the same probability.
func (c *Concentration) narrower(than *Concentration) bool {
	rank := map[Dimension]int{Projects: 0, Actions: 1, Organizations: 2, Regions: 3}
	return cmp.Or(cmp.Compare(rank[c.By], rank[than.By]), cmp.Compare(c.Value, than.Value)) < 0
}

// logTail returns the logarithm of the probability that at least part.failed of part.ended operations fail, if
// total.failed of total.ended do, each with the same probability.
func logTail(total, part tally) float64 {
	// The probability of each number is that of the one before it times a ratio.
	first := max(part.failed, part.ended-(total.ended-total.failed))
	sum, term := 1.0, 1.0
	for i := first; i < min(total.failed, part.ended) && term > sum*1e-17; i++ {
		term *= float64(total.failed-i) * float64(part.ended-i)
		term /= float64(i+1) * float64(total.ended-total.failed-part.ended+i+1)
		sum += term
	}
	ways := logChoose(total.failed, first) + logChoose(total.ended-total.failed, part.ended-first)
	return min(0, ways-logChoose(total.ended, part.ended)+math.Log(sum))
}

// logChoose returns the logarithm of the number of ways to choose k of n.
func logChoose(n, k int) float64 { return logFactorial(n) - logFactorial(k) - logFactorial(n-k) }

func logFactorial(n int) float64 {
	out, _ := math.Lgamma(float64(n) + 1)
	return out
}
