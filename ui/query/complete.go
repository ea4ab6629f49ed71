package query

import "strings"

// Complete proposes what the text before the cursor, a place in bytes, may become: names of
// fields and words that they know. A proposal replaces s[from:cursor].
func Complete[R any](s string, cursor int, fields []Field[R]) (from int, proposals []string) {
	s = s[:max(0, min(cursor, len(s)))]
	from = len(s) - len(strings.TrimLeft(s[strings.LastIndexAny(s, " \t")+1:], "!"))
	name, named := fieldName(s[from:])
	if !named {
		for _, name := range beginning(names(fields), s[from:]) {
			proposals = append(proposals, name+":")
		}
		return from, proposals
	}
	from = max(from+len(name), strings.LastIndexByte(s, ',')) + 1
	for _, f := range fields {
		if strings.EqualFold(f.name, name) {
			return from, beginning(f.proposals(), s[from:])
		}
	}
	return from, nil
}
