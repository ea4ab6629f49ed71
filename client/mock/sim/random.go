package sim

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// mix folds numbers into one of which every bit depends on every bit of theirs (the finalizer of splitmix64, chained).
func mix(values ...uint64) uint64 {
	var h uint64
	for _, v := range values {
		h += v + 0x9e3779b97f4a7c15
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		h ^= h >> 31
	}
	return h
}

// bits returns n's bit pattern: slots before the start have negative numbers.
func bits(n int64) uint64 {
	return uint64(n) //nolint:gosec // G115: wrapping is what makes it one to one
}

// newRand returns the random numbers that belong to a seed, the same every time.
func newRand(seed uint64, stream int64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, bits(stream))) //nolint:gosec // G404: a simulation must be repeatable
}

// between returns a duration from lo up to, not including, hi.
func between(rng *rand.Rand, lo, hi time.Duration) time.Duration {
	return lo + time.Duration(rng.Int64N(int64(hi-lo)))
}

// pick returns one of all.
func pick[T any](rng *rand.Rand, all []T) T { return all[rng.IntN(len(all))] }

// vocabulary is the words that names are made of, split once.
type vocabulary struct{ adjectives, nouns []string }

func newVocabulary() *vocabulary {
	return &vocabulary{
		strings.Fields(`amber bold brisk broad calm cold cool crimson damp dark dry dusty empty fancy flat floral frosty
			gentle green hidden holy icy jolly late little lively long lucky misty muddy old orange patient plain proud purple quiet
			rapid rough round royal shiny shy silent small snowy soft spring square still sweet tiny wild winter young`),
		strings.Fields(`art band bird block boat bread breeze brook bush cake cell cherry cloud dawn dew disk dream dust field
			fire flower fog forest frog frost glade grass hall hat haze heart hill king lab lake leaf meadow moon morning mouse
			mud night paper pine pond queen rain recipe rice river sea shadow silence sky smoke snow sound star sun surf
			thunder tree truth unit violet voice water wave wind wood`),
	}
}

// id returns an identifier such as br-bitter-sound-247814; the prefix brings its dash.
func (v *vocabulary) id(rng *rand.Rand, prefix string) string {
	return prefix + pick(rng, v.adjectives) + "-" + pick(rng, v.nouns) + "-" + strconv.Itoa(100_000+rng.IntN(900_000))
}

// An operation's id is a version 4 UUID: 60 of its free bits are the operation's number, scrambled, and 62 are a
// checksum. So any operation is found without a search and without remembering it, and an id that was not given out is
// known as such. Both depend on the project's key.
const (
	numberMask   = 1<<60 - 1
	numberBias   = 1 << 40 // makes the numbers of operations before the start positive
	scrambling   = 0xe3779b97f4a7c15
	unscrambling = 0x1de83e19937733d // the inverse of scrambling modulo 2^60
)

func operationID(key uint64, number int64) string {
	hi := (bits(number+numberBias)*scrambling ^ key) & numberMask
	return uuid(hi, mix(key, hi)>>2)
}

// operationNumber is the inverse of operationID.
func operationNumber(key uint64, id string) (number int64, ok bool) {
	if len(id) != 36 {
		return 0, false
	}
	hi, err := strconv.ParseUint(id[:8]+id[9:13]+id[15:18], 16, 60)
	n := int64((hi^key)*unscrambling&numberMask) - numberBias
	return n, err == nil && n < 2*startedNumber && operationID(key, n) == id
}

// UUID returns the version 4 UUID that belongs to some numbers.
func UUID(values ...uint64) string {
	hi := mix(values...)
	return uuid(hi>>4, mix(hi)>>2)
}

// uuid lays 60 and 62 bits around the version and the variant.
func uuid(hi, lo uint64) string {
	return fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x", hi>>28, hi>>12&0xffff, hi&0xfff, 0x8000|lo>>48, lo&(1<<48-1))
}
