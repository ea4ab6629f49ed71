package apikeys

import (
	"fmt"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/account"
	"pgtower/ui/page"
)

// BenchmarkReaudit is what each answer with 10,000 keys costs on the UI's goroutine, which is about 10 ms on two busy cores:
// every tenth has a successor.
func BenchmarkReaudit(b *testing.B) {
	var keys []models.APIKey
	for i := range 9000 {
		name := fmt.Sprintf("key-%d", i)
		keys = append(keys, models.APIKey{ID: int64(i + 1), Name: name, CreatedAt: time.Unix(int64(i), 0)})
		if i%9 == 0 {
			keys = append(keys, models.APIKey{ID: int64(20000 + i), Name: name + "-20260101", CreatedAt: time.Unix(1e6, 0)})
		}
	}
	s := &fakeService{keys: keys, fails: map[models.ListID]error{}}
	p := &bench{Page: New(page.NewSession(b.Context(), 1, time.Now), s, account.New(account.Options{}), Options{})}
	p.do(p.Shown())
	b.ResetTimer()
	for b.Loop() {
		p.reaudit()
	}
}
