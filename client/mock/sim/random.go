package sim

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// newRand returns the random numbers of a stream of a seed, the same every time.
func newRand(seed uint64, stream int64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, bits(stream))) //nolint:gosec // G404: a simulation must be repeatable
}

// draw returns the first random number.
func draw(seed uint64, stream int64) uint64 { return newRand(seed, stream).Uint64() }

// bits returns n's bit pattern: slots before the start have negative numbers.
func bits(n int64) uint64 {
	return uint64(n) //nolint:gosec // G115: wrapping keeps it one to one
}

// between returns a duration d with lo <= d < hi.
func between(rng *rand.Rand, lo, hi time.Duration) time.Duration {
	return lo + time.Duration(rng.Int64N(int64(hi-lo)))
}

// pick returns a random element of a list.
func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

//nolint:gochecknoglobals // the words that names are made of are split once
var (
	adjectives = strings.Fields(`amber bold brisk broad calm cold cool crimson damp dark dry dusty empty fancy flat floral
		frosty gentle green hidden holy icy jolly late little lively long lucky misty muddy old orange patient plain proud
		purple quiet rapid rough round royal shiny shy silent small snowy soft spring square still sweet tiny wild young`)
	nouns = strings.Fields(`art band bird block boat bread breeze brook bush cake cell cherry cloud dawn dew disk dream dust
		field fire flower fog forest frog frost glade grass hall hat haze heart hill king lab lake leaf meadow moon morning
		mouse mud night paper pine pond queen rain recipe rice river sea shadow silence sky smoke snow sound star sun surf
		thunder tree truth unit violet voice water wave wind wood`)
)

// newID returns an identifier such as br-bitter-sound-247814; the prefix includes its dash.
func newID(rng *rand.Rand, prefix string, number int) string {
	return prefix + pick(rng, adjectives) + "-" + pick(rng, nouns) + "-" + strconv.Itoa(100_000+number%900_000)
}

// UUID returns the id of an operation, a version 4 UUID. 60 of its free bits are random, and the others encode the
// operation's number with them. So an operation is found by its id without a search and without memory, and an id that was
// not issued is recognised. The key is that of the project.
func UUID(key uint64, number int64) string {
	hi := draw(key, number) >> 4
	return uuid(hi, bits(number)^draw(key+1, int64(hi)))
}

// operationNumber is the inverse of UUID.
func operationNumber(key uint64, id string) (number int64, ok bool) {
	digits := strings.ReplaceAll(id, "-", "")
	if len(digits) != 32 {
		return 0, false
	}
	hi, _ := strconv.ParseInt(digits[:12]+digits[13:16], 16, 64) // not a number: not issued
	lo, _ := strconv.ParseUint(digits[16:], 16, 64)
	number = int64((lo^draw(key+1, hi))<<2) >> 2 //nolint:gosec // G115: the variant's two bits are the number's sign
	return number, UUID(key, number) == id
}

// uuid places 60 and 62 bits around the version and the variant.
func uuid(hi, lo uint64) string {
	return fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x",
		hi>>28, hi>>12&0xffff, hi&0xfff, 0x8000|lo>>48&0x3fff, lo&(1<<48-1))
}
