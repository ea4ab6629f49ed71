package script

import (
	"context"
	"slices"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/control"
	"pgtower/models/keys"
	"pgtower/models/poll"
)

// numbered is a service whose lists have one key, with the number of the request as its id.
type numbered struct {
	control.API

	requests int64
}

func (n *numbered) APIKeys(context.Context, models.ListID) ([]models.APIKey, error) {
	n.requests++
	return []models.APIKey{{ID: n.requests}}, nil
}

// An answer that comes too late is still used, unless a newer one came before it.
func TestKeyListsTakeNoOlderAnswer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ order, want []int64 }{
		"the newer one last":  {[]int64{0, 1}, []int64{1, 2}},
		"the newer one first": {[]int64{1, 0}, []int64{2}},
	} {
		now := time.Date(2026, 11, 27, 19, 0, 0, 0, time.UTC)
		clock := func() time.Time { return now }
		from := NewSource(Process{Clock: clock}, &Options{}, control.Connection{API: &numbered{}}, clock)
		var heard []int64
		every := func() time.Duration { return time.Minute }
		k := newKeyLists(from, every, func(list *keys.Listed, a poll.Answer) {
			if a.Err == nil {
				heard = append(heard, list.Keys[0].ID)
			}
		})
		k.put([]models.ListID{{}})
		var answers []poll.Answer
		for range 2 {
			requests, _ := from.loop.Next(now)
			if len(requests) != 1 {
				t.Fatalf("%s: %d requests", name, len(requests))
			}
			answers = append(answers, requests[0].Do(t.Context()))
			now = now.Add(2 * time.Minute) // longer than an answer is waited for
			from.loop.Next(now)
			now = now.Add(2 * time.Minute)
		}
		for _, i := range c.order {
			from.loop.Receive(answers[i], now)
		}
		if !slices.Equal(heard, c.want) {
			t.Errorf("%s: heard %v, want %v", name, heard, c.want)
		}
	}
}
