package query

import (
	"math"
	"regexp"
	"unicode"
	"unicode/utf8"
)

// pattern searches texts for a text, ignoring the case, and also for its abbreviations.
//
// It scans a text once, following all possible matches in parallel: bit i of a state is set if the first i+1 characters
// of the pattern have been found. Most texts lack some character of the pattern, which is tested first.
type pattern struct {
	ascii  [256]uint64     // the positions of each character in the pattern
	others map[rune]uint64 // the same, for characters of more than one byte
	whole  uint64          // the state of a complete match
	abbrev bool            // abbreviations count
	long   *regexp.Regexp  // used instead for patterns with more characters than a state has bits
}

// kind is the role of a character in the words of a text.
type kind uint8

const (
	separator kind = 0 // between words
	letter    kind = 1
	digit     kind = 2
	border         = letter | digit // between a letter and a digit
	symbol    kind = 4              // part of the word around it
)

func newPattern(s string, abbrev bool) *pattern {
	runes := []rune(s)
	if len(runes) > 64 {
		return &pattern{long: regexp.MustCompile("(?i)" + regexp.QuoteMeta(string(runes)))}
	}
	p := &pattern{whole: 1 << (len(runes) - 1), abbrev: abbrev, others: map[rune]uint64{}}
	for c := utf8.RuneSelf; c < len(p.ascii); c++ {
		p.ascii[c] = math.MaxUint64 // a part of a character, which may be any
	}
	for i, r := range runes {
		p.add(r, 1<<i)
		if r == ' ' {
			p.add('_', 1<<i) // the screen shows spaces for the service's underscores
		}
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			p.add(other, 1<<i)
		}
	}
	return p
}

func (p *pattern) add(r rune, place uint64) {
	if r < utf8.RuneSelf {
		p.ascii[r] |= place
	} else {
		p.others[r] |= place
	}
}

func (p *pattern) in(s string) bool {
	if p.long != nil {
		return p.long.MatchString(s)
	}
	var seen uint64
	for i := range len(s) {
		seen |= p.ascii[s[i]]
	}
	all := p.whole | (p.whole - 1)
	return seen&all == all && p.walk(s)
}

func (p *pattern) walk(s string) bool {
	var run uint64   // matches without a break
	var piece uint64 // the pieces that can still continue
	var ends uint64  // the pieces that ended in the last word, to continue in the next one
	before := separator
	for _, r := range s {
		k, places := kindOf(r), p.ascii[r&0x7f]
		if r >= utf8.RuneSelf {
			places = p.others[r]
		}
		run = (run<<1 | 1) & places
		switch {
		case k == separator:
			piece = 0
			ends |= ends << 1 & places
		case before == separator || before|k == border:
			piece = (ends<<1 | 1) & places
			ends = piece
		default:
			piece = piece << 1 & places
			ends |= piece
		}
		before = k
		if run&p.whole != 0 || p.abbrev && ends&p.whole != 0 {
			return true
		}
	}
	return false
}

func kindOf(r rune) kind {
	switch {
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return letter
	case unicode.IsNumber(r):
		return digit
	case r == '_' || r == '-' || r == '.' || r == ':' || r == '/' || unicode.IsSpace(r):
		return separator
	}
	return symbol
}
