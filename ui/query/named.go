package query

import "time"

// Named returns what a query over the texts finds: everything where it asks for nothing,
// and nothing where it is no query. It is for lists of names, in which no time matters.
func Named[R any](typed string, all []R, texts ...Field[R]) []R {
	for i := range texts {
		texts[i] = texts[i].Visible()
	}
	q, err := Parse(typed, texts)
	var out []R
	for _, one := range all {
		if err == nil && (q.Empty() || q.Match(one, time.Time{})) {
			out = append(out, one)
		}
	}
	return out
}
