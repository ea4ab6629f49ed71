package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What is written into the documents has its place there.
func TestDocumentsHaveTheirParts(t *testing.T) {
	t.Parallel()
	for name, parts := range documents() {
		doc, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range parts {
			got, err := replacePart(doc, part, "text")
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			again, err := replacePart(got, part, "text")
			if err != nil || string(again) != string(got) {
				t.Errorf("%s: writing %q again changes it: %v", name, part, err)
			}
		}
	}
}

func TestReplacePart(t *testing.T) {
	t.Parallel()
	const doc = "a\n<!-- x -->\nold\n<!-- /x -->\nb\n"
	got, err := replacePart([]byte(doc), "x", "\nnew\n\n")
	if want := "a\n<!-- x -->\n\nnew\n\n<!-- /x -->\nb\n"; err != nil || string(got) != want {
		t.Errorf("%q, %v", got, err)
	}
	for _, wrong := range []string{"", "<!-- x -->\n", "<!-- /x -->\n<!-- x -->\n", doc + doc} {
		if _, err := replacePart([]byte(wrong), "x", ""); err == nil {
			t.Errorf("%q has a part", wrong)
		}
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	got := table([]figure{
		times("first screen", "ms", 20, 30, 1.5),
		times("too slow", "ms", 20, 30.2, 1.5),
		within("data", "ms", none(), 60.04, 60),
		within("bytes", "B", 0, 1234567, 300),
		plain("loading", "s", none(), 0.912),
		plain("never measured", "%", none(), none()),
		within("nothing", "B", 0, 0, 0),
	})
	want := `| | empty program | pgtower | ratio | bound | |
|---|--:|--:|--:|--:|---|
| first screen | 20 ms | 30 ms | 1.50× | ≤ 1.5× | ok |
| too slow | 20 ms | 30.2 ms | 1.51× | ≤ 1.5× | **over** |
| data | – | 60 ms | – | ≤ 60 ms | **over** |
| bytes | 0 B | 1,234,567 B | – | ≤ 300 B | **over** |
| loading | – | 0.91 s | – |  |  |
| never measured | – | – | – |  |  |
| nothing | 0 B | 0 B | – | ≤ 0 B | ok |
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

const benchOutput = `goos: linux
pkg: pgtower/ui
BenchmarkKey/200x60/1000-2         	      85	    1000000 ns/op	  118484 B/op	     501 allocs/op
BenchmarkKey/200x60/1000-2         	      85	    3000000 ns/op	  118484 B/op	     501 allocs/op
BenchmarkKey/200x60/1000-2         	      85	     800000 ns/op	  118484 B/op	     501 allocs/op
BenchmarkKey/200x60/1000000-2      	      97	    1400000 ns/op	  118497 B/op	     499 allocs/op
BenchmarkFilter/1000-2             	      49	   1834111 ns/op	   2162050 blocked-ns/op	  224986 B/op	    1488 allocs/op
BenchmarkMemory/1000 	       1	  58829604 ns/op	       446.1 B/operation
PASS
pkg: pgtower/client/mock
BenchmarkHandler-2         	      85	    1000 ns/op	  2000 req/s
`

func TestBenchmarkTables(t *testing.T) {
	t.Parallel()
	all, err := parseBenchmarks(strings.NewReader(benchOutput))
	if err != nil {
		t.Fatal(err)
	}
	got := growthTable(all) + "\n" + benchmarkTable(all)
	want := "| benchmark | 1,000 rows | 1,000,000 rows | ratio | bound |\n|---|--:|--:|--:|---|\n" +
		"| `ui Key/200x60` | 800 µs | 1.4 ms | 1.75× | ≤ 1.5× **over** |\n" + `
| benchmark | time | blocks keys | bytes | allocations | other | bound |
|---|--:|--:|--:|--:|--:|---|
` +
		"| `ui Key/200x60/1000` | 1 ms |  | 118 kB | 501 |  | ≤ 2 ms ok, ≤ 500 allocations **over** |\n" +
		"| `ui Key/200x60/1000000` | 1.4 ms |  | 118 kB | 499 |  | ≤ 2 ms ok, ≤ 500 allocations ok |\n" +
		"| `ui Filter/1000` | 1.83 ms | 2.16 ms | 225 kB | 1488 |  | ≤ 2 ms **over**, ≤ 30 ms ok |\n" +
		"| `ui Memory/1000` | 58.8 ms |  |  |  | 446 B for each operation | ≤ 600 B ok |\n" +
		"| `client/mock Handler` | 1 µs |  |  |  | 2000 requests/s |  |\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestSummary(t *testing.T) {
	t.Parallel()
	keys := answering{latency: samples{5, 6, 4}, cpu: samples{3}}
	m := measured{
		size: size{160, 45}, emptyKeys: keys, demoKeys: keys, manyKeys: keys, held: 80,
		emptyStart: starting{first: samples{20}, held: samples{8}}, demoStart: starting{data: samples{50}, held: samples{18.04}},
	}
	got := summary(&m, 100_000, 120)
	for _, line := range []string{
		"| pgtower, the demo | 50 ms | 5 / 6 ms | 3 ms | 18 MB |\n",
		"| pgtower, 100,000 operations |  | 5 / 6 ms | 3 ms | 80 MB |\n",
		"| an empty Bubble Tea program at 120 frames a second | 20 ms | 5 / 6 ms | 3 ms | 8 MB |\n",
		"| lazygit | 106 ms |",
	} {
		if !strings.Contains(got, line) {
			t.Errorf("no %q in\n%s", line, got)
		}
	}
	if figures := table(m.figures(100_000)); !strings.Contains(figures, "| exec to demo data | – | 50 ms | – | ≤ 60 ms | ok |") {
		t.Error(figures)
	}
}

func TestQuantile(t *testing.T) {
	t.Parallel()
	s := samples{5, 1, 4, 2, 3}
	for q, want := range map[float64]float64{0: 1, 0.2: 1, 0.5: 3, 0.99: 5, 1: 5} {
		if got := s.quantile(q); got != want {
			t.Errorf("%v: %v, want %v", q, got, want)
		}
	}
	if !math.IsNaN(samples(nil).median()) || s.mean() != 3 {
		t.Error("no samples have a median, or the mean is wrong")
	}
}

func TestReplies(t *testing.T) {
	t.Parallel()
	r := newReplies()
	for _, c := range []struct{ output, want string }{
		{"text \x1b[?20", ""},
		{"26$p", "\x1b[?2026;2$y"},
		{"\x1b[?2026$p", ""},
		{"\x1b]11;?\a\x1b[?u", "\x1b]11;rgb:1111/1111/1111\x1b\\"},
	} {
		if got := string(r.to([]byte(c.output))); got != c.want {
			t.Errorf("%q is answered by %q, want %q", c.output, got, c.want)
		}
	}
}

// A title and modes are not yet a screen.
func TestFirstScreen(t *testing.T) {
	t.Parallel()
	begin := time.Unix(0, 0)
	var chunks []chunk
	for i, text := range []string{"\x1b[?2026$p", "\x1b]2;pgt", "ower\a\x1b[2J  ", "\x1b[1mwo", "rd"} {
		chunks = append(chunks, chunk{begin.Add(time.Duration(i) * time.Second), []byte(text)})
	}
	if at, ok := firstScreen(chunks); !ok || at.Unix() != 3 {
		t.Errorf("%v, %v", at, ok)
	}
	if at, ok := firstText(chunks, "word"); !ok || at.Unix() != 4 {
		t.Errorf("%v, %v", at, ok)
	}
	if _, ok := firstScreen(chunks[:3]); ok {
		t.Error("there is a screen without a character")
	}
}
