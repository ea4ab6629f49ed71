package timeline

import (
	"slices"
	"sort"
)

// series is a list of items in the order of their times, in blocks that cache the sum of their items. A change costs
// one block. A range costs the sums of its blocks, and the items of the blocks that are only partly in it.
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
	known bool // sum is up to date
}

func (s *series[T, S]) first(b *block[T, S]) int64 { return s.at(&b.items[0]) }
func (s *series[T, S]) last(b *block[T, S]) int64  { return s.at(&b.items[len(b.items)-1]) }

// total returns the sum of a block, cached.
func (s *series[T, S]) total(b *block[T, S]) *S {
	if !b.known {
		b.sum, b.known = s.sum(b.items), true
	}
	return &b.sum
}

// find returns the position of an item, or where it would be inserted. There must be a block.
func (s *series[T, S]) find(item T) (at, i int, ok bool) {
	at = len(s.blocks) - 1
	if s.compare(s.blocks[at].items[0], item) > 0 { // otherwise it is in the last one, as most new items are
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

// each visits the items from a time to before another, in order. A block within the range is passed to whole, with its
// first and last time and its sum; if whole returns false, and in all other blocks, one gets the items.
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

// next returns the first item at a time or later, and previous the last one before it.
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

// neighbour returns the next or the previous item of the series.
func (s *series[T, S]) neighbour(item T, after bool) (other T, ok bool) {
	if len(s.blocks) == 0 {
		return other, false
	}
	at, i, found := s.find(item)
	if !found {
		return other, false
	}
	switch items := s.blocks[at].items; {
	case after && i+1 < len(items):
		return items[i+1], true
	case after && at+1 < len(s.blocks):
		return s.blocks[at+1].items[0], true
	case !after && i > 0:
		return items[i-1], true
	case !after && at > 0:
		earlier := s.blocks[at-1].items
		return earlier[len(earlier)-1], true
	}
	return other, false
}
