package keys

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"pgtower/models"
)

// dated matches the name of a successor: the base name, the date of its creation, and a number if that was taken.
var dated = regexp.MustCompile(`^(.+)(-(\d{8})(?:-\d{1,4})?)$`)

const dateForm = "20060102"

// mayBeDated reports whether the digits at the end of a name can be a date, or a number after one. It spares most names
// the expression, which is slow.
func mayBeDated(name string) bool {
	const digits = "0123456789"
	head := strings.TrimRight(name, digits)
	n := len(name) - len(head)
	head = strings.TrimSuffix(head, "-")
	return n == 8 || 1 <= n && n <= 4 && head != strings.TrimRight(head, digits)
}

// split returns the base name of a key, and the suffix that makes it the name of a successor, or "".
func split(name string) (base, suffix string) {
	if !mayBeDated(name) {
		return name, ""
	}
	parts := dated.FindStringSubmatch(name)
	if parts == nil {
		return name, ""
	}
	if _, err := time.Parse(dateForm, parts[3]); err != nil {
		return name, ""
	}
	return parts[1], parts[2]
}

// Parts returns the base name of a key, and the end with the date that tells it apart from others of that base, or "".
func Parts(name string) (base, date string) { return split(name) }

// cut returns the part of a base name that fits before a suffix.
func cut(base, suffix string) string {
	room := models.MaxAPIKeyName - utf8.RuneCountInString(suffix)
	if len(base) <= room { // most names
		return base
	}
	if runes := []rune(base); len(runes) > room {
		return string(runes[:room])
	}
	return base
}

// SuccessorName returns a free name for the successor of a key: its base name with the date, such as ci-deploy-20261123
// for ci-deploy or ci-deploy-20250101. It is no longer than a name may be.
func SuccessorName(old string, now time.Time, free func(name string) bool) string {
	base, _ := split(old)
	date := "-" + now.UTC().Format(dateForm)
	suffix := date
	for n := 2; !free(cut(base, suffix) + suffix); n++ {
		suffix = fmt.Sprintf("%s-%d", date, n)
	}
	return cut(base, suffix) + suffix
}

// OwnName returns the name that [SuccessorName] gets for pgtower's own key. If the old name is unknown or just pgtower,
// it has the name of the computer: otherwise, the keys of two computers would seem to replace each other.
func OwnName(old, computer string) string {
	const own = "pgtower"
	if base, _ := split(old); old != "" && base != own {
		return old
	}
	if computer = cleanHost(computer); computer == "" {
		return own
	}
	return own + "-" + computer
}

// cleanHost returns a host's name for the name of a key: letters, digits and hyphens, and no date at its end.
func cleanHost(host string) string {
	const longest = 32
	host, _, _ = strings.Cut(strings.ToLower(host), ".")
	host = strings.Map(hostCharacter, host)
	host = strings.Trim(host[:min(len(host), longest)], "-")
	if base, date := split(host); date != "" {
		return base + strings.ReplaceAll(date, "-", "")
	}
	return host
}

func hostCharacter(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
		return r
	}
	return '-'
}

// succeeds reports whether a name is that of a successor of a key with another name.
func succeeds(name, old string) bool {
	base, suffix := split(name)
	oldBase, _ := split(old)
	return suffix != "" && base == cut(oldBase, suffix)
}
