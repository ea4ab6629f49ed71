package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/dustin/go-humanize"
)

// figure is one line of a table: what was measured of both programs, and what is allowed.
type figure struct {
	name string
	unit string
	// empty and own are the values of the empty program and of pgtower, NaN for none.
	empty, own float64
	// most is the highest value that is allowed, and ratio the highest multiple of the
	// empty program's; NaN for none.
	most, ratio float64
}

// plain is a figure that nothing is asked of.
func plain(name, unit string, empty, own float64) figure {
	return figure{name: name, unit: unit, empty: empty, own: own, most: none(), ratio: none()}
}

// within is a figure with a highest value.
func within(name, unit string, empty, own, most float64) figure {
	return figure{name: name, unit: unit, empty: empty, own: own, most: most, ratio: none()}
}

// times is a figure with a highest multiple of the empty program's.
func times(name, unit string, empty, own, ratio float64) figure {
	return figure{name: name, unit: unit, empty: empty, own: own, most: none(), ratio: ratio}
}

// multiple is how many times the empty program's value pgtower's is.
func (f figure) multiple() float64 {
	if f.empty == 0 {
		return none()
	}
	return f.own / f.empty
}

// bound says what is allowed.
func (f figure) bound() string {
	switch {
	case !math.IsNaN(f.most):
		return "≤ " + quantity(f.most, f.unit)
	case !math.IsNaN(f.ratio):
		return fmt.Sprintf("≤ %g×", f.ratio)
	}
	return ""
}

// verdict says whether what was measured is allowed.
func (f figure) verdict() string {
	switch {
	case f.own > f.most, f.multiple() > f.ratio:
		return "**over**"
	case f.bound() == "" || math.IsNaN(f.own):
		return ""
	}
	return "ok"
}

// quantity writes a value with three digits, and its unit.
func quantity(v float64, unit string) string {
	switch {
	case math.IsNaN(v):
		return "–"
	case unit == "%":
		return plainQuantity(v) + " %"
	}
	return plainQuantity(v) + " " + unit
}

// plainQuantity writes a value with three digits.
func plainQuantity(v float64) string {
	digits := 0
	for limit := 100.0; math.Abs(v) < limit && digits < 2 && v != math.Trunc(v); limit /= 10 {
		digits++
	}
	return humanize.CommafWithDigits(math.Round(v*math.Pow10(digits))/math.Pow10(digits), digits)
}

// comma writes a number as 100,000.
func comma(n int) string { return humanize.Comma(int64(n)) }

// table writes figures as Markdown.
func table(figures []figure) string {
	var b strings.Builder
	b.WriteString("| | empty program | pgtower | ratio | bound | |\n|---|--:|--:|--:|--:|---|\n")
	for _, f := range figures {
		ratio := "–"
		if r := f.multiple(); !math.IsNaN(r) {
			ratio = fmt.Sprintf("%.2f×", r)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n",
			f.name, quantity(f.empty, f.unit), quantity(f.own, f.unit), ratio, f.bound(), f.verdict())
	}
	return b.String()
}
