package incident

import (
	"fmt"
	"iter"
	"math"

	"pgtower/models"
)

const (
	// leastFailures is how many failures of a value there must be: fewer are in one place by chance too often.
	leastFailures = 4
	// unlikely is the greatest probability at which failures count as concentrated. It is for all values that were
	// compared together, so one window of noise in 2,000 has a value that is concentrated by chance.
	unlikely = 0.0005
)

// Concentration is a value that most failures have in common, far beyond its share of the operations.
type Concentration struct {
	By    Dimension // not [Errors]: only failures have one
	Value string    // see [Dimension.Of]
	// Failed of Ended operations with the value failed, FailedElsewhere of EndedElsewhere of the others.
	Failed, Ended, FailedElsewhere, EndedElsewhere int
}

// Failures is the number of all failures.
func (c Concentration) Failures() int { return c.Failed + c.FailedElsewhere }

// Text says it with two numbers: "7 of 8 failures in 15 min: aws-us-east-1 (7 of 52); elsewhere 1 of 140". label names the
// value; when is " in 15 min" or empty.
func (c Concentration) Text(when, label string) string {
	return fmt.Sprintf("%d of %d failures%s: %s (%d of %d); elsewhere %d of %d",
		c.Failed, c.Failures(), when, label, c.Failed, c.Ended, c.FailedElsewhere, c.EndedElsewhere)
}

// Concentrated returns where the failures among operations lie, if they lie together. Only operations that failed or
// finished count. The rule: at least four failures have the value, at least half of all have it, there are operations
// without it, and if the failures were spread over all operations by chance, as many would have one of the values that
// occur with a probability of less than 0.0005 (the hypergeometric tail times the number of values).
//
// If several values meet it, it is the one that is the least likely; if equally, the narrowest.
func Concentrated(operations iter.Seq[Operation]) (best Concentration, found bool) {
	all, by := tallied(operations)
	least := math.Log(unlikely / float64(max(1, len(by))))
	for at, t := range by {
		if t.failed < leastFailures || 2*t.failed < all.failed || t.ended == all.ended {
			continue
		}
		c := Concentration{at.by, at.value, t.failed, t.ended, all.failed - t.failed, all.ended - t.ended}
		p := logTail(all, *t)
		if p < least || found && p == least && c.narrower(best) {
			best, least, found = c, p, true
		}
	}
	return best, found
}

// place is a value of a dimension.
type place struct {
	by    Dimension
	value string
}

// tally counts operations that failed or finished.
type tally struct{ ended, failed int }

// tallied counts operations: all, and those with each value.
func tallied(operations iter.Seq[Operation]) (all tally, by map[place]*tally) {
	by = map[place]*tally{}
	for o := range operations {
		failed := number(o.Status.Failed())
		if o.Gone || failed == 0 && o.Status != models.StatusFinished {
			continue
		}
		all.ended++
		all.failed += failed
		for _, d := range []Dimension{Projects, Actions, Organizations, Regions} {
			at := place{d, d.Of(o)}
			if at.value == "" {
				continue
			}
			if by[at] == nil {
				by[at] = &tally{}
			}
			by[at].ended++
			by[at].failed += failed
		}
	}
	return all, by
}

func number(is bool) int {
	if is {
		return 1
	}
	return 0
}

// narrower reports whether a value is to be named in place of another one that is as unlikely.
func (c Concentration) narrower(than Concentration) bool {
	rank := map[Dimension]int{Projects: 0, Actions: 1, Organizations: 2, Regions: 3}
	if c.By != than.By {
		return rank[c.By] < rank[than.By]
	}
	return c.Value < than.Value
}

// logTail returns the logarithm of the probability that at least as many of some operations fail as did, if as many of
// all fail as did, and each is as likely to.
func logTail(all, some tally) float64 {
	sum := math.Inf(-1)
	for i := some.failed; i <= min(all.failed, some.ended); i++ {
		if some.ended-i > all.ended-all.failed {
			continue
		}
		ways := logChoose(all.failed, i) + logChoose(all.ended-all.failed, some.ended-i)
		one := ways - logChoose(all.ended, some.ended)
		high, low := max(sum, one), min(sum, one)
		sum = high + math.Log1p(math.Exp(low-high))
	}
	return sum
}

// logChoose returns the logarithm of the number of ways to choose k of n.
func logChoose(n, k int) float64 { return logFactorial(n) - logFactorial(k) - logFactorial(n-k) }

func logFactorial(n int) float64 {
	out, _ := math.Lgamma(float64(n) + 1)
	return out
}
