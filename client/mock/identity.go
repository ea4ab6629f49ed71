package mock

import (
	"encoding/binary"
	"encoding/hex"
	"strings"
)

// An operation's id is a version 4 UUID that holds the operation's number, so that
// any operation is found without a search and without remembering it. Of the 122
// free bits 60 are the number, scrambled, and 62 are a checksum of them: an id that
// the mock did not give out is known as such. Both depend on the project's key.
const (
	halfBits = 30
	halfMask = 1<<halfBits - 1
	rounds   = 4
	// numberBias makes the numbers of operations before the start positive.
	numberBias = 1 << 40
	// startedBias is where the numbers of started operations begin, beyond any of
	// the simulation's.
	startedBias = 1 << 50
)

func operationID(key uint64, number int64) string {
	hi := scramble(key, bits(number+numberBias))
	return formatUUID(hi, checksum(key, hi))
}

// operationNumber is the inverse of operationID.
func operationNumber(key uint64, id string) (number int64, ok bool) {
	hi, lo, ok := parseUUID(id)
	if !ok || checksum(key, hi) != lo {
		return 0, false
	}
	n := unscramble(key, hi)
	if n > startedBias<<1 {
		return 0, false
	}
	return int64(n) - numberBias, true
}

func checksum(key, hi uint64) uint64 { return mix(key, hi) >> 2 }

// scramble permutes the numbers of 60 bits (a Feistel network: it is one to one
// whatever mix does).
func scramble(key, n uint64) uint64 {
	l, r := n>>halfBits, n&halfMask
	for round := range uint64(rounds) {
		l, r = r, l^mix(key, round, r)&halfMask
	}
	return l<<halfBits | r
}

func unscramble(key, n uint64) uint64 {
	l, r := n>>halfBits, n&halfMask
	for round := range uint64(rounds) {
		l, r = r^mix(key, rounds-1-round, l)&halfMask, l
	}
	return l<<halfBits | r
}

// formatUUID lays 60 and 62 bits around the version and the variant.
func formatUUID(hi, lo uint64) string {
	var raw [16]byte
	binary.BigEndian.PutUint64(raw[:8], hi>>12<<16|4<<12|hi&0xfff)
	binary.BigEndian.PutUint64(raw[8:], 2<<62|lo)
	var out [36]byte
	at := 0
	for i, n := range [...]int{4, 2, 2, 2, 6} {
		if i > 0 {
			out[at] = '-'
			at++
		}
		hex.Encode(out[at:], raw[(at-i)/2:(at-i)/2+n])
		at += 2 * n
	}
	return string(out[:])
}

func parseUUID(s string) (hi, lo uint64, ok bool) {
	if !isUUID(s) {
		return 0, 0, false
	}
	raw, err := hex.DecodeString(strings.ReplaceAll(s, "-", ""))
	if err != nil {
		return 0, 0, false
	}
	hi, lo = binary.BigEndian.Uint64(raw[:8]), binary.BigEndian.Uint64(raw[8:])
	if hi>>12&0xf != 4 || lo>>62 != 2 {
		return 0, 0, false
	}
	return hi>>16<<12 | hi&0xfff, lo & (1<<62 - 1), true
}

// isUUID says whether s has the shape of a UUID, of whatever version.
func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		c := s[i] | 0x20
		switch {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if s[i] != '-' {
				return false
			}
		case s[i] >= '0' && s[i] <= '9' || c >= 'a' && c <= 'f':
		default:
			return false
		}
	}
	return true
}
