package fault

import (
	"slices"
	"strings"
	"testing"
	"time"
)

const base = "/api/v2"

// Each word of a fault sets its field, and the help names all endpoints and words.
func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Fault{
		"429 of list_operations p=0.1 retry-after=2": {
			Status: 429, method: "GET", path: "/projects/*/operations", share: 0.1, RetryAfter: "2",
		},
		"count=2 503\tretry-after=1m30.5s\n":     {Status: 503, RetryAfter: "91", count: 2},
		"latency=100ms±50ms":                     {latency: 100 * time.Millisecond, jitter: 50 * time.Millisecond},
		"latency=1s+-1s of GET":                  {latency: time.Second, jitter: time.Second, method: "GET"},
		"reset carry-out of POST  /api_keys":     {Reset: true, CarryOut: true, method: "POST", path: "/api_keys"},
		"empty of /projects/*/operations skip=3": {Empty: true, path: "/projects/*/operations", skip: 3},
		"429 of GET /api/v2/projects":            {Status: 429, method: "GET", path: "/projects"},
		"500 of /projects/shared":                {Status: 500, path: "/projects/shared"},
		"500 of HEAD /api_keys":                  {Status: 500, method: "HEAD", path: "/api_keys"},
		"503 retry-after=0":                      {Status: 503, RetryAfter: "0"},
		"truncate trickle=10s type=text/html":    {Truncate: true, Trickle: 10 * time.Second, ContentType: "text/html"},
		"left org=org-a-1":                       {Variant: Left, org: "org-a-1"},
		"lag=8s":                                 {Variant: Late, Lag: 8 * time.Second},
		"lag=8s of list_branches":                {Variant: Late, Lag: 8 * time.Second, method: "GET", path: "/projects/*/branches"},
		"untold of list_projects":                {Variant: Untold, method: "GET", path: "/projects"},
		"unavailable=2 of list_projects count=1": {
			Variant: Unavailable, Missing: 2, method: "GET", path: "/projects", count: 1,
		},
		`body="<h1 class=\"x\">no</h1>" status=500`: {Body: `<h1 class="x">no</h1>`, Status: 500},
		`type="text/html; charset=utf-8"`:           {ContentType: "text/html; charset=utf-8"},
		"fail retry=30s of list_operations count=1": {
			Fail: true, Retry: 30 * time.Second, method: "GET", path: "/projects/*/operations", count: 1,
		},
		"fail of /projects/a/operations/b":    {Fail: true, path: "/projects/a/operations/b"},
		`401 of="GET /projects/a/operations"`: {Status: 401, method: "GET", path: "/projects/a/operations"},
	} {
		if f, err := parseFault(text, base); err != nil || f != want {
			t.Errorf("%s: %+v, %v", text, f, err)
		}
	}
	for _, e := range endpoints {
		if _, err := parseFault("503 of "+e.name, base); err != nil {
			t.Error(err)
		}
		if !strings.Contains(Help, e.name) {
			t.Errorf("the help does not name %s", e.name)
		}
	}
	for name := range words {
		if name != "status" && !strings.Contains(Help, name) {
			t.Errorf("the help does not name %s", name)
		}
	}
}

// The error of a malformed fault names the word and what it must be, or what the fault lacks.
func TestParseErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                         "no effect",
		"of list_keys":             "no effect",
		`{"status": 429}`:          `unknown word "{\"status\":"`,
		"bananas":                  `unknown word "bananas": use a status, body, carry-out,`,
		"lag=0s":                   "lag=0s: must be a duration such as 8s",
		"lag=8s of list_projects":  "lag needs requests that list operations, branches, computes or keys",
		"lag=8s of get_branch":     "lag needs requests that list",
		"lag=8s 503":               "lag changes what the service does",
		"429 of listoperations":    "of listoperations: must be an endpoint such as list_operations",
		"429 of":                   "of: must be an endpoint",
		"429 of GET of /x":         "of is given twice",
		"99":                       "99: must be a status from 200 to 599",
		"503 500":                  "status is given twice",
		"429 p=0":                  "p=0: must be a share above 0 and up to 1",
		"429 p=NaN":                "p=NaN: must be a share",
		"429 p=1.5":                "p=1.5: must be a share",
		"429 skip=-1":              "skip=-1: must be a whole number from 1",
		"429 count=two":            "count=two: must be a whole number from 1",
		"429 of /projects?limit=*": "of /projects?limit=*: must be an endpoint",
		"429 of /api/v2":           "no endpoint matches",
		"429 of /branches":         "no endpoint matches /branches: the endpoints are [create_key list_keys ",
		"429 of /projects/":        "no endpoint matches",
		"429 of /_mock/clock":      "no endpoint matches",
		"429 of PUT":               "no endpoint matches PUT",
		"429 of DELETE /projects":  "no endpoint matches DELETE /projects",
		"latency=1s retry-after=0": "retry-after needs a status",
		"429 retry-after=soon":     "retry-after=soon: must be a number of seconds",
		"latency=100":              "latency=100: must be a duration such as 100ms",
		"latency=1s±2s":            "latency=1s±2s: must be a duration",
		"latency=25h":              "latency=25h: must be a duration",
		"reset empty":              "choose one",
		"reset 500":                "no response to change",
		"empty truncate":           "no response to change",
		"truncate carry-out":       "carry-out needs a status",
		"other 503":                "other changes what the service does",
		"left=org-a":               "left=org-a: must be without a value",
		"unavailable=0":            "unavailable=0: must be a whole number from 1",
		"503 org=":                 "org=: must be the id of an organization",
		"reset=maybe":              "reset=maybe: must be without a value",
		"429 of /[":                "of /[: must be an endpoint",
		"429 of get":               "of get: must be an endpoint",
		`body="`:                   "the quote is not closed",
		`body="a"b`:                "the quote is not closed, or text follows it directly",
		"body=":                    "body=: must be a text of at least one character",
		`type="a\nb"`:              "must be a content type",
		"fail":                     "fail needs requests that read operations",
		"fail of list_projects":    "fail needs requests that read operations",
		"fail of POST":             "fail needs requests that read operations",
		"503 retry=30s":            "retry needs fail",
		"fail retry=0s":            "retry=0s: must be a duration such as 30s",
		"=x":                       `at "=x"`,
	} {
		if f, err := parseFault(text, base); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %+v, error %v, want %s", text, f, err, want)
		}
	}
}

// A fault hits its count of the matching requests.
func TestList(t *testing.T) {
	t.Parallel()
	l := NewList(base, 7)
	hits := func(method, path string, n int) (out []int) {
		for i := range n {
			h := l.Next(method, base+path, "", uint64(i))
			out = append(out, h.Status)
		}
		return out
	}
	add := func(text string) {
		if _, err := l.Add(text); err != nil {
			t.Fatal(err)
		}
	}
	add("503 skip=1 count=2")
	add("500 of list_keys")
	if got := hits("GET", "/api_keys", 4); !slices.Equal(got, []int{500, 503, 503, 500}) {
		t.Errorf("%v", got)
	}
	if got := hits("POST", "/api_keys", 1); got[0] != 0 {
		t.Errorf("%v", got)
	}
	all := l.All()
	if len(all) != 2 || all[0].Passed != 1 || all[0].Hits != 2 || !all[0].Spent || all[1].ID != 2 || all[1].Hits != 2 || all[1].Spent {
		t.Errorf("the faults are %+v", all)
	}
	if !l.Remove(2) || l.Remove(2) || l.Remove(3) || len(l.All()) != 1 {
		t.Error("a fault can be removed once")
	}
	l.Clear()
	add("404 of /projects/*/operations/*")
	if hits("GET", "/projects/a/operations", 1)[0] != 0 || hits("GET", "/projects/a/operations/b", 1)[0] != 404 {
		t.Error("a star stands for one part of the path")
	}
}

// A fault of an organization hits the requests about it, and its variants also those about all. Variants add up, and do
// not hide other faults.
func TestFaultsOfAnOrganization(t *testing.T) {
	t.Parallel()
	l := NewList(base, 7)
	for _, text := range []string{"left org=org-a", "mfa org=org-b", "503 org=org-a"} {
		if _, err := l.Add(text); err != nil {
			t.Fatal(err)
		}
	}
	for org, want := range map[string]struct {
		variants []Variant
		status   int
	}{"": {[]Variant{Left, MFA}, 0}, "org-a": {[]Variant{Left}, 503}, "org-b": {[]Variant{MFA}, 0}, "org-c": {}} {
		h := l.Next("GET", base+"/projects", org, 1)
		var got []Variant
		for _, f := range h.Variants {
			got = append(got, f.Variant)
		}
		if !slices.Equal(got, want.variants) || h.Status != want.status {
			t.Errorf("%q: %v and status %d", org, got, h.Status)
		}
	}
}

// The star of /projects/* is an id: the list of shared projects is another endpoint.
func TestStarsAreIDs(t *testing.T) {
	t.Parallel()
	l := NewList(base, 7)
	if _, err := l.Add("503 of get_project"); err != nil {
		t.Fatal(err)
	}
	if l.Next("GET", base+"/projects/shared", "", 1).ID != 0 || l.Next("GET", base+"/projects/a", "", 2).ID == 0 {
		t.Error("the fault of one project hits the list of shared ones, or not the project")
	}
}

// The seed decides which requests are hit, and p their share.
func TestShare(t *testing.T) {
	t.Parallel()
	run := func(seed uint64) (out []uint64) {
		l := NewList(base, seed)
		if _, err := l.Add("503 p=0.25"); err != nil {
			t.Fatal(err)
		}
		for n := range uint64(1000) {
			if l.Next("GET", base+"/projects", "", n).ID != 0 {
				out = append(out, n)
			}
		}
		return out
	}
	first := run(1)
	if !slices.Equal(first, run(1)) || slices.Equal(first, run(2)) || len(first) < 200 || len(first) > 300 {
		t.Errorf("%d of 1000 requests were hit", len(first))
	}
}

// Delays add up, and do not hide faults that come after them.
func TestLatencies(t *testing.T) {
	t.Parallel()
	l := NewList(base, 7)
	for _, text := range []string{"latency=1s±200ms", "latency=10s", "503 latency=100s", "latency=1000s"} {
		if _, err := l.Add(text); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[time.Duration]bool{}
	for n := range uint64(100) {
		h := l.Next("GET", base+"/projects", "", n)
		if h.Status != 503 || h.ID != 3 || h.Latency < 110800*time.Millisecond || h.Latency > 111200*time.Millisecond {
			t.Errorf("%+v", h)
		}
		seen[h.Latency.Truncate(10*time.Millisecond)] = true
	}
	if len(seen) < 20 {
		t.Errorf("the jitter has %d values only", len(seen))
	}
}

// There are at most a thousand faults at a time.
func TestFaultsAreBounded(t *testing.T) {
	t.Parallel()
	l := NewList("", 1)
	for n := range 1001 {
		if _, err := l.Add("503"); (err != nil) != (n == 1000) {
			t.Errorf("fault %d: %v", n+1, err)
		}
	}
}

// A fault means the same with white space around it, and no text breaks the parser.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"429 of list_operations p=0.1 retry-after=2", "latency=100ms±50ms", `body="a b" of="GET /x y"`, "of", "=", `"`, "{}",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		f, err := parseFault(text, base)
		again, same := parseFault(" "+text+"\n", base)
		if (err == nil) != (same == nil) || f != again {
			t.Errorf("%q is %+v, %v, and with blanks %+v, %v", text, f, err, again, same)
		}
	})
}
