package keystore

import (
	"sync"

	"github.com/zalando/go-keyring"
)

// fakeRing is a keyring in memory, with a hook before each call.
type fakeRing struct {
	mu     sync.Mutex
	items  map[string]string
	before func(op string) error
	// dismiss makes Set store nothing and return no error.
	dismiss bool
	// more are further items of every account, which are found once the first one is deleted.
	more []string
	// keeps makes Delete delete nothing and return no error.
	keeps bool
	calls []string
}

func (f *fakeRing) enter(op string) error {
	f.mu.Lock()
	f.calls = append(f.calls, op)
	before := f.before
	f.mu.Unlock()
	if before != nil {
		return before(op)
	}
	return nil
}

// count returns the number of started calls.
func (f *fakeRing) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.calls)
}

func (f *fakeRing) Get(service, user string) (string, error) {
	if err := f.enter("get"); err != nil {
		return "", err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	s, ok := f.items[service+"/"+user]
	if !ok {
		return "", keyring.ErrNotFound
	}
	return s, nil
}

func (f *fakeRing) Set(service, user, secret string) error {
	if err := f.enter("set"); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.items == nil {
		f.items = map[string]string{}
	}
	if !f.dismiss {
		f.items[service+"/"+user] = secret
	}
	return nil
}

func (f *fakeRing) Delete(service, user string) error {
	if err := f.enter("delete"); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, ok := f.items[service+"/"+user]; !ok {
		return keyring.ErrNotFound
	}
	switch {
	case f.keeps:
	case len(f.more) > 0:
		f.items[service+"/"+user], f.more = f.more[0], f.more[1:]
	default:
		delete(f.items, service+"/"+user)
	}
	return nil
}
