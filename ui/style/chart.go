package style

import (
	"slices"
	"strings"
)

// Spark draws values as a line of bars, the largest as high as a cell.
func Spark(values []int) string {
	most := 0
	if len(values) > 0 {
		most = slices.Max(values)
	}
	bars := [...]rune{'▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'}
	var b strings.Builder
	for _, v := range values {
		switch {
		case v <= 0 || most == 0:
			b.WriteRune(' ')
		default:
			b.WriteRune(bars[(v*len(bars)-1)/most])
		}
	}
	return b.String()
}

// Bar draws a part of a whole as a bar of at most width cells. A part that is not
// nothing shows as something.
func Bar(part, whole, width int) string {
	if part <= 0 || whole <= 0 || width <= 0 {
		return ""
	}
	eighths := max(1, part*width*8/whole)
	bar := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		bar += string([...]rune{' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'}[rest])
	}
	return bar
}
