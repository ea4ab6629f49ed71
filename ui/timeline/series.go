package timeline

import (
	"slices"
	"sort"
)

// series is items in the order of their times, in blocks that know the sum of their items. A change costs one block;
// a range costs the sums of its blocks, and the items of those that are in it only in part.
type series[T, S any] struct {
	blocks  []*block[T, S]
	at      func(item *T) int64
	compare func(a, b T) int // by time first
	sum     func(items []T) S
}

const blockSize = 256

type block[T, S any] struct {
	items []T
	sum   S
	known bool // the sum is that of the items
}

func (s *series[T, S]) first(b *block[T, S]) int64 { return s.at(&b.items[0]) }
func (s *series[T, S]) last(b *block[T, S]) int64  { return s.at(&b.items[len(b.items)-1]) }

// total returns the sum of a block.
func (s *series[T, S]) total(b *block[T, S]) *S {
	if !b.known {
		b.sum, b.known = s.sum(b.items), true
	}
	return &b.sum
}

// find returns where an item is, or belongs. There must be a block.
func (s *series[T, S]) find(item T) (at, i int, ok bool) {
	at = len(s.blocks) - 1
	if s.compare(s.blocks[at].items[0], item) > 0 { // else it is in the last one, as most that come
		at = max(0, sort.Search(at, func(i int) bool { return s.compare(s.blocks[i].items[0], item) > 0 })-1)
	}
	if items := s.blocks[at].items; s.compare(items[len(items)-1], item) < 0 {
		return at, len(items), false
	}
	i, ok = slices.BinarySearchFunc(s.blocks[at].items, item, s.compare)
	return at, i, ok
}

func (s *series[T, S]) insert(item T) {
	if len(s.blocks) == 0 {
		s.blocks = []*block[T, S]{{items: []T{item}}}
		return
	}
	at, i, _ := s.find(item)
	b := s.blocks[at]
	if b.known = false; i == blockSize && at == len(s.blocks)-1 {
		s.blocks = append(s.blocks, &block[T, S]{items: []T{item}})
		return
	}
	if b.items = slices.Insert(b.items, i, item); len(b.items) > blockSize {
		half := &block[T, S]{items: slices.Clone(b.items[blockSize/2:])}
		clear(b.items[blockSize/2:])
		b.items = b.items[:blockSize/2]
		s.blocks = slices.Insert(s.blocks, at+1, half)
	}
}

func (s *series[T, S]) remove(item T) {
	if len(s.blocks) == 0 {
		return
	}
	at, i, ok := s.find(item)
	if !ok {
		return
	}
	b := s.blocks[at]
	b.items, b.known = slices.Delete(b.items, i, i+1), false
	if len(b.items) == 0 {
		s.blocks = slices.Delete(s.blocks, at, at+1)
	}
}

// each visits what lies from a time to before another, in order: a block by its sum where whole takes it, which is
// given its first and last time, and else item by item.
func (s *series[T, S]) each(from, to int64, whole func(first, last int64, sum *S) bool, one func(item *T)) {
	start := sort.Search(len(s.blocks), func(i int) bool { return s.last(s.blocks[i]) >= from })
	for _, b := range s.blocks[start:] {
		first, last := s.first(b), s.last(b)
		if first >= to {
			return
		}
		if first >= from && last < to && whole(first, last, s.total(b)) {
			continue
		}
		i := sort.Search(len(b.items), func(i int) bool { return s.at(&b.items[i]) >= from })
		for ; i < len(b.items) && s.at(&b.items[i]) < to; i++ {
			one(&b.items[i])
		}
	}
}

// next returns the first item from a time on, and previous the last one before a time.
func (s *series[T, S]) next(from int64) (item T, ok bool) {
	at := sort.Search(len(s.blocks), func(i int) bool { return s.last(s.blocks[i]) >= from })
	if at == len(s.blocks) {
		return item, false
	}
	items := s.blocks[at].items
	return items[sort.Search(len(items), func(i int) bool { return s.at(&items[i]) >= from })], true
}

func (s *series[T, S]) previous(before int64) (item T, ok bool) {
	at := sort.Search(len(s.blocks), func(i int) bool { return s.first(s.blocks[i]) >= before }) - 1
	if at < 0 {
		return item, false
	}
	items := s.blocks[at].items
	return items[sort.Search(len(items), func(i int) bool { return s.at(&items[i]) >= before })-1], true
}

// beside returns the item after an item of the series, or the one before it.
func (s *series[T, S]) beside(item T, after bool) (other T, ok bool) {
	if len(s.blocks) == 0 {
		return other, false
	}
	at, i, found := s.find(item)
	if !found {
		return other, false
	}
	if i--; after {
		i += 2
	}
	switch {
	case i < 0:
		at--
	case i == len(s.blocks[at].items):
		at, i = at+1, 0
	}
	if at < 0 || at == len(s.blocks) {
		return other, false
	}
	items := s.blocks[at].items
	if i < 0 {
		i = len(items) - 1
	}
	return items[i], true
}
