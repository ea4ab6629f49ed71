package apikeys

import (
	"fmt"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/poll"
)

// BenchmarkLoaded is what each answer with 10,000 keys costs on the UI's goroutine: every tenth has a successor. Its audit
// takes about 10 ms on two busy cores, in the command that reads.
func BenchmarkLoaded(b *testing.B) {
	var keys []models.APIKey
	for i := range 9000 {
		name := fmt.Sprintf("key-%d", i)
		keys = append(keys, models.APIKey{ID: int64(i + 1), Name: name, CreatedAt: time.Unix(int64(i), 0)})
		if i%9 == 0 {
			keys = append(keys, models.APIKey{ID: int64(20000 + i), Name: name + "-20260101", CreatedAt: time.Unix(1e6, 0)})
		}
	}
	p := benchOf(b, account.New(account.Options{}), Options{}, keys)
	list := p.keys.all[0]
	for b.Loop() {
		p.loaded(list, poll.Answer{Value: list.listing})
	}
}
