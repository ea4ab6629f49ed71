package feed

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// ranking is a sorted list of members. Their order must not change while they are in it.
type ranking struct {
	items   []*member
	compare func(a, b *member) int
	filling bool // unsorted: sorting many at once is faster
}

func (r *ranking) filled() {
	r.filling = false
	slices.SortFunc(r.items, r.compare)
}

func (r *ranking) insert(m *member) {
	if r.filling {
		r.items = append(r.items, m)
		return
	}
	i, _ := slices.BinarySearchFunc(r.items, m, r.compare)
	r.items = slices.Insert(r.items, i, m)
}

func (r *ranking) remove(m *member) {
	if i, ok := slices.BinarySearchFunc(r.items, m, r.compare); ok {
		r.items = slices.Delete(r.items, i, i+1)
	}
}

// mark adds a member to a set, or removes it.
func mark(set map[*member]struct{}, m *member, belongs bool) {
	if belongs {
		set[m] = struct{}{}
	} else {
		delete(set, m)
	}
}

// member is a feed with the values it was ranked by. The rankings find it by these values, so they change only in
// [Timeline.rank].
type member struct {
	feed  *Feed
	front *entry // the row at which the feed stops, nil at the end of its history
	asOf  time.Time
	read  bool
}

func byFront(a, b *member) int { return compare(a.front, b.front) }

func byAge(a, b *member) int {
	return cmp.Or(a.asOf.Compare(b.asOf), strings.Compare(a.feed.project, b.feed.project))
}
