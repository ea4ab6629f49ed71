package query

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"pgtower/models"
)

// comparison is a comparison with a value. signs are the results of [cmp.Compare] for which it holds.
type comparison[V cmp.Ordered] struct {
	signs []int
	than  V
}

// holds reports whether a value is known and meets the comparison.
func (c comparison[V]) holds(v V, known bool) bool {
	return known && slices.Contains(c.signs, cmp.Compare(v, c.than))
}

// splitOperator splits a comparison such as <10m. signs are those of the [comparison], or nil for an unknown operator.
func splitOperator(text string) (operator, operand string, signs []int) {
	operand = strings.TrimLeft(text, "<>=")
	operator = text[:len(text)-len(operand)]
	meaning := map[string][]int{"": {0}, "<": {-1}, "<=": {-1, 0}, ">": {1}, ">=": {1, 0}}
	return operator, operand, meaning[operator]
}

// parseComparison parses a comparison with a duration.
func parseComparison(field string, v value) (c comparison[time.Duration], err *Error) {
	operator, digits, signs := splitOperator(v.text)
	position := v.at + len(operator)
	if v.quoted {
		position++
	}
	than, rest := models.CutDuration(digits)
	switch {
	case operator == "":
		example := v.text
		if rest != "" {
			example = "10m"
		}
		err = errorAt(v.at, v.size, "Add < or >: %s:<%s or %s:>%s.", field, example, field, example)
	case signs == nil:
		err = errorAt(position-len(operator), len(operator), "Compare with <, <=, > or >=, such as %s:<10m.", field)
	case digits == "":
		err = unfinishedAt(position, 0, "Write a duration after the %s, such as %s:%s10m.", operator, field, operator)
	case rest == "" && than < 0:
		err = errorAt(position, len(digits), "Write a shorter duration: this is more than 292 years.")
	case number.FindString(rest) == rest && rest != "":
		err = unfinishedAt(position, len(digits), "Add a unit to the number: ms, s, m, h, d or w.")
	case rest != "":
		const want = "Write the duration as a number and ms, s, m, h, d or w, such as %s:%s10m."
		err = errorAt(position, len(digits), want, field, operator)
	}
	return comparison[time.Duration]{signs, than}, err
}

var number = regexp.MustCompile(`^[0-9]+\.?[0-9]*`)

// comparisons suggests comparisons with a duration.
func comparisons(begun string) (out []string) {
	switch operator, digits, _ := splitOperator(begun); {
	case digits != "" && number.FindString(digits) == digits:
		for _, unit := range []string{"m", "s", "h", "d", "ms", "w"} {
			out = append(out, begun+unit)
		}
	case begun == "":
		return []string{"<10m", "<1h", "<24h", ">5s", ">1m", ">1h"}
	default:
		for _, d := range []string{"10m", "1h", "24h", "5s", "1m"} {
			out = append(out, operator+d)
		}
	}
	return out
}
