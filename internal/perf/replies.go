package main

import "bytes"

// replies answers what programs ask a terminal at their start, as current terminals do:
// synchronised output and grapheme clusters are known, and the background is dark.
type replies struct {
	open map[string]string // answers by questions that were not asked yet
	tail []byte            // the end of what was read, where a question may have begun
}

func newReplies() replies {
	return replies{open: map[string]string{
		"\x1b[?2026$p": "\x1b[?2026;2$y",
		"\x1b[?2027$p": "\x1b[?2027;2$y",
		"\x1b]11;?":    "\x1b]11;rgb:1111/1111/1111\x1b\\",
	}}
}

// to returns the answers to what is asked in output. Each is given once.
func (r *replies) to(output []byte) []byte {
	if len(r.open) == 0 {
		return nil
	}
	const longest = 16
	seen := append(r.tail, output...)
	var out []byte
	for question, answer := range r.open {
		if bytes.Contains(seen, []byte(question)) {
			out = append(out, answer...)
			delete(r.open, question)
		}
	}
	r.tail = bytes.Clone(seen[max(0, len(seen)-longest):])
	return out
}
