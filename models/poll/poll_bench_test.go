package poll

import (
	"fmt"
	"testing"
	"time"
)

// fleet returns a poller of so many sources that are read in turn, all of which were read once, and its time.
func fleet(b *testing.B, n int) (*Poller, []Source, time.Time) {
	b.Helper()
	p, now := New(100), epoch()
	sources := make([]Source, n)
	for i := range sources {
		of := fmt.Sprint("p", i)
		sources[i] = Source{Subject: Subject{Kind: "page", Of: of}, Lane: Round, Rank: Rest}
		p.Put(quiet{}, of, sources[i])
	}
	for p.FirstRound() {
		requests, wait := p.Next(now)
		for _, r := range requests {
			p.Receive(Answer{Request: r}, now)
		}
		now = now.Add(wait)
	}
	b.ReportAllocs()
	return p, sources, now
}

// sizes are the sizes of fleets.
func sizes() []int { return []int{12, 400, 5000} }

// What a turn costs: to start, to be answered, and to be put again.
func BenchmarkTurn(b *testing.B) {
	for _, n := range sizes() {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p, sources, now := fleet(b, n)
			for _, s := range sources {
				p.Put(quiet{}, s.Of, s)
			}
			for b.Loop() {
				now = now.Add(time.Second / 80)
				requests, _ := p.Next(now)
				for _, r := range requests {
					p.Receive(Answer{Request: r}, now)
					p.Put(quiet{}, r.Of, Source{Subject: r.Subject, Lane: Round, Rank: Rest})
				}
			}
		})
	}
}

// What a call costs that starts nothing, such as after an answer.
func BenchmarkNextStartsNothing(b *testing.B) {
	for _, n := range sizes() {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p, sources, now := fleet(b, n)
			for _, s := range sources {
				s.From = now.Add(time.Hour)
				p.Put(quiet{}, s.Of, s)
			}
			for b.Loop() {
				p.Next(now)
			}
		})
	}
}

// What it costs to put a source again, at another time.
func BenchmarkPut(b *testing.B) {
	for _, n := range sizes() {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p, sources, now := fleet(b, n)
			p.Next(now)
			for i := 0; b.Loop(); i++ {
				s := sources[i%n]
				s.From = now.Add(time.Duration(i%977) * time.Second)
				p.Put(quiet{}, s.Of, s)
			}
		})
	}
}

// What it costs to receive an answer, and to put its source again.
func BenchmarkReceive(b *testing.B) {
	for _, n := range sizes() {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p, sources, now := fleet(b, n)
			p.Next(now)
			for i := 0; b.Loop(); i++ {
				it := p.items[sources[i%n].Subject]
				p.move(it, busy)
				p.Receive(Answer{Request: Request{Subject: it.Subject, sent: it.sent}}, now)
				p.Put(quiet{}, it.Of, Source{Subject: it.Subject, Lane: Round, Rank: Rest, From: now.Add(time.Minute)})
			}
		})
	}
}
