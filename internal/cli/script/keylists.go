package script

import (
	"context"
	"slices"
	"time"

	"pgtower/internal/metrics"
	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/models/poll"
)

// keyLists reads the lists of API keys again and again, beside what a command follows. It is a [poll.Reader].
type keyLists struct {
	from  *Source
	ids   []models.ListID
	lists map[models.ListID]metrics.KeyList // those that were read
	take  func(*keys.Listed)                // completes a list that was read
}

func newKeyLists(from *Source) *keyLists {
	return &keyLists{from: from, lists: map[models.ListID]metrics.KeyList{}}
}

// put hands over the lists that there are for the key, if they are others than before. A command about some projects has none.
func (k *keyLists) put() {
	if len(k.from.options.Projects) > 0 {
		return
	}
	ids := k.from.Account.KeyLists()
	if slices.Equal(ids, k.ids) {
		return
	}
	for id := range k.lists {
		if !slices.Contains(ids, id) {
			delete(k.lists, id)
		}
	}
	k.ids = ids
	k.hand()
}

// hand hands over all lists.
func (k *keyLists) hand() {
	var sources []poll.Source
	for _, id := range k.ids {
		one := poll.Source{Subject: keysOf(id), Lane: poll.User, Rank: poll.Rest}
		if tried := k.from.loop.Freshness(one.Subject).Tried; !tried.IsZero() {
			one.From = tried.Add(k.every())
		}
		sources = append(sources, one)
	}
	k.from.loop.Put(k, "", sources...)
}

// every returns how often each list is read: once a minute, or more rarely if that would be more than a twentieth of the requests.
func (k *keyLists) every() time.Duration {
	const least, share = time.Minute, 20
	budget := max(1, k.from.options.Budget)
	return max(least, time.Duration(share*len(k.ids))*time.Second/time.Duration(budget))
}

// Call is of [poll.Reader].
func (k *keyLists) Call(s poll.Subject, _ time.Time) (poll.Call, time.Time) {
	id, api, asked := models.ListID{Org: s.Of}, k.from.API, k.from.process.Steady()
	return func(ctx context.Context) (any, error) {
		list, err := api.APIKeys(ctx, id)
		return keys.NewListed(id, list, asked), err
	}, time.Time{}
}

// Receive is of [poll.Reader]. A list that is refused is not claimed any more; of one that cannot be read now, the time tells how
// old it is.
func (k *keyLists) Receive(a poll.Answer, _ time.Time) {
	id := models.ListID{Org: a.Of}
	list, told := a.Value.(keys.Listed)
	switch {
	case a.Err == nil && told && slices.Contains(k.ids, id):
		k.take(&list)
		k.lists[id] = k.rotations(&list, a.AsOf)
	case a.Err != nil && !models.Passing(a.Err) && models.Answered(a.Err):
		delete(k.lists, id)
	}
	k.hand()
}

// rotations returns what a list tells of the keys that are being replaced.
func (k *keyLists) rotations(list *keys.Listed, read time.Time) metrics.KeyList {
	own, told := k.from.own(), metrics.KeyList{Org: list.Of.Org, Read: read}
	for _, pair := range keys.ReadTogether(list.Of, list.Keys, &list.Memory, 0).Pairs {
		told.Rotations = append(told.Rotations, pair.Phase(own))
	}
	return told
}

// known returns what is known of the lists, in their order.
func (k *keyLists) known() (all []metrics.KeyList) {
	for _, id := range k.ids {
		if list, read := k.lists[id]; read {
			all = append(all, list)
		}
	}
	return all
}
