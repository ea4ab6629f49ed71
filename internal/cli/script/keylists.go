package script

import (
	"context"
	"slices"
	"time"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/models/poll"
)

// keyLists reads lists of API keys again and again. It is a [poll.Reader]; see [newKeyLists].
type keyLists struct {
	from  *Source
	every func() time.Duration // how often each list is read
	// heard is called with each answer and its list, which has only its id after an error.
	heard func(list *keys.Listed, a poll.Answer)
	ids   []models.ListID
	asOf  map[models.ListID]time.Time // of the newest answer that told the list
}

// newKeyLists returns a reader of lists. heard is called with each answer.
func newKeyLists(from *Source, every func() time.Duration, heard func(list *keys.Listed, a poll.Answer)) *keyLists {
	return &keyLists{from: from, every: every, heard: heard, asOf: map[models.ListID]time.Time{}}
}

// put replaces the lists that are read.
func (k *keyLists) put(ids []models.ListID) {
	if !slices.Equal(ids, k.ids) {
		k.ids = ids
		k.hand()
	}
}

// hand has the loop read all lists. Each is due again some time after the last request, even if that failed.
func (k *keyLists) hand() {
	var sources []poll.Source
	for _, id := range k.ids {
		source := poll.Source{Subject: keysOf(id), Lane: poll.User, Rank: poll.Rest}
		if tried := k.from.loop.Freshness(source.Subject).Tried; !tried.IsZero() {
			source.From = tried.Add(k.every())
		}
		sources = append(sources, source)
	}
	k.from.loop.Put(k, "", sources...)
}

// Call implements [poll.Reader].
func (k *keyLists) Call(s poll.Subject, _ time.Time) (poll.Call, time.Time) {
	id, api, asked := models.ListID{Org: s.Of}, k.from.API, k.from.process.Steady()
	return func(ctx context.Context) (any, error) { return requestList(ctx, api, id, asked) }, time.Time{}
}

// Receive implements [poll.Reader]. It passes on no answer that is older than the last one, or of a list that the key no longer
// reaches.
func (k *keyLists) Receive(a poll.Answer, _ time.Time) {
	id := models.ListID{Org: a.Of}
	list, read := a.Value.(keys.Listed)
	if !read || a.Err != nil {
		list = keys.Listed{Of: id}
	}
	if a.AsOf.After(k.asOf[id]) && slices.Contains(k.ids, id) {
		k.heard(&list, a)
		if a.Err == nil {
			k.asOf[id] = a.AsOf
		}
	}
	k.hand()
}
