package main

import (
	"fmt"
	"math"
	"regexp"
	"strings"
)

// The units of go test.
const (
	unitTime     = "ns/op"
	unitBlocked  = "blocked-ns/op"
	unitBytes    = "B/op"
	unitAllocs   = "allocs/op"
	unitEachRow  = "B/operation"
	unitRequests = "req/s"
)

// limit is what is asked of benchmarks: a highest value in a unit.
type limit struct {
	names *regexp.Regexp
	unit  string
	most  float64
}

func limits() []limit {
	const million = 1e6 // nanoseconds in a millisecond
	of := func(names, unit string, most float64) limit { return limit{regexp.MustCompile(names), unit, most} }
	return []limit{
		of(`^ui (Key|Open|Tick)/`, unitTime, 2*million),
		of(`^ui (Key|Open|Tick)/200x60/`, unitAllocs, 500),
		of(`^ui Pages/`, unitTime, 2*million),
		of(`^ui (Filter|Sort)/(1000|10000|100000)$`, unitBlocked, 2*million),
		of(`^ui Filter/(1000|10000|100000)$`, unitTime, 30*million),
		of(`^models/feed (FeedMerge/100000|TimelineMerge/.*rows=100000)$`, unitTime, million),
		of(`^(ui|models/feed) .*Memory/`, unitEachRow, 600),
	}
}

// growth is how much more a benchmark may cost with a million rows than with a thousand.
const growth = 1.5

// verdicts are what is asked of a benchmark and whether it is met, or nothing.
func (b benchmark) verdicts() string {
	var out []string
	for _, l := range limits() {
		v := b.value(l.unit)
		if !l.names.MatchString(b.name) || math.IsNaN(v) {
			continue
		}
		verdict := "ok"
		if v > l.most {
			verdict = "**over**"
		}
		out = append(out, fmt.Sprintf("≤ %s %s", measure(l.most, l.unit), verdict))
	}
	return strings.Join(out, ", ")
}

// measure writes a value in a unit of go test.
func measure(v float64, unit string) string {
	if math.IsNaN(v) {
		return ""
	}
	switch unit {
	case unitTime, unitBlocked:
		for _, step := range []string{"ns", "µs", "ms"} {
			if v < 1000 {
				return quantity(v, step)
			}
			v /= 1000
		}
		return quantity(v, "s")
	case unitBytes, unitEachRow:
		for _, step := range []string{"B", "kB", "MB"} {
			if v < 1000 {
				return quantity(v, step)
			}
			v /= 1000
		}
		return quantity(v, "GB")
	case unitAllocs:
		return fmt.Sprintf("%.0f allocations", v)
	case unitRequests:
		return fmt.Sprintf("%.0f requests/s", v)
	}
	return quantity(v, unit)
}

// benchmarkTable writes benchmarks as Markdown.
func benchmarkTable(all []benchmark) string {
	var b strings.Builder
	b.WriteString("| benchmark | time | blocks keys | bytes | allocations | other | bound |\n|---|--:|--:|--:|--:|--:|---|\n")
	for _, one := range all {
		allocations := ""
		if v := one.value(unitAllocs); !math.IsNaN(v) {
			allocations = fmt.Sprintf("%.0f", v)
		}
		var other []string
		for _, unit := range []string{unitEachRow, unitRequests, "MB/s"} {
			if said := measure(one.value(unit), unit); said != "" {
				other = append(other, said)
			}
		}
		if v := one.value(unitEachRow); !math.IsNaN(v) {
			other = []string{measure(v, unitEachRow) + " for each operation"}
		}
		// A bar would end the cell.
		name := strings.ReplaceAll(one.name, "|", `\|`)
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s | %s |\n", name, measure(one.value(unitTime), unitTime),
			measure(one.value(unitBlocked), unitBlocked), measure(one.value(unitBytes), unitBytes),
			allocations, strings.Join(other, ", "), one.verdicts())
	}
	return b.String()
}

// growthTable says how the cost of a frame follows the rows that are loaded. It takes the
// fastest runs: a ratio of two medians would say more about what else the machine did.
func growthTable(all []benchmark) string {
	times := map[string]float64{}
	for _, one := range all {
		times[one.name] = one.values[unitTime].quantile(0)
	}
	var b strings.Builder
	b.WriteString("| benchmark | 1,000 rows | 1,000,000 rows | ratio | bound |\n|---|--:|--:|--:|---|\n")
	for _, one := range all {
		stem, ok := strings.CutSuffix(one.name, "/1000")
		most, measured := times[stem+"/1000000"]
		if !ok || !measured || !regexp.MustCompile(`^ui(/rowlist)? (Key|Open|Tick|View)/`).MatchString(stem) {
			continue
		}
		verdict := "ok"
		if most > growth*times[one.name] {
			verdict = "**over**"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %.2f× | ≤ %g× %s |\n", stem,
			measure(times[one.name], unitTime), measure(most, unitTime), most/times[one.name], growth, verdict)
	}
	return b.String()
}
