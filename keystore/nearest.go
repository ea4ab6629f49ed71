package keystore

// maxTypos is how many letters may be wrong, missing or too many in a word for it to be
// taken for another.
const maxTypos = 2

// nearest returns the known word that the given one is a misspelling of, or nothing.
func nearest(word string, known []string) string {
	best, fewest := "", maxTypos+1
	for _, k := range known {
		if n := distance(word, k); n < fewest && n < len(k)/2 {
			best, fewest = k, n
		}
	}
	return best
}

// distance is how many letters have to be changed, added or removed to get from one
// word to the other.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
