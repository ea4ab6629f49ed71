package style

import "strings"

// Spark draws values as a line of bars, the largest as high as a cell.
func Spark(values []int) string {
	bars := []rune(" ▁▂▃▄▅▆▇█")
	most := 1
	for _, v := range values {
		most = max(most, v)
	}
	var b strings.Builder
	for _, v := range values {
		b.WriteRune(bars[(max(0, v)*8+most-1)/most])
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
	rest := []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}
	return strings.Repeat("█", eighths/8) + rest[eighths%8]
}
