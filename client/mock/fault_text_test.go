package mock_test

import (
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"

	"pgregory.net/rapid"
)

func TestParseFault(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]mock.Fault{
		"429 of list_operations p=0.1 retry-after=2": {
			Status: 429, Method: "GET", Path: "/projects/*/operations", Probability: 0.1, RetryAfter: 2 * time.Second,
		},
		"count=2 503\tretry-after=1m30s\n":          {Status: 503, RetryAfter: 90 * time.Second, Count: 2},
		"latency=100ms±50ms":                        {Latency: 100 * time.Millisecond, Jitter: 50 * time.Millisecond},
		"latency=1s+-1s of GET":                     {Latency: time.Second, Jitter: time.Second, Method: "GET"},
		"reset carry-out of POST /api_keys":         {Reset: true, CarryOut: true, Method: "POST", Path: "/api_keys"},
		"empty of /projects/*/operations skip=3":    {Empty: true, Path: "/projects/*/operations", Skip: 3},
		"429 of GET /api/v2/projects":               {Status: 429, Method: "GET", Path: "/projects"},
		"500 of /projects/shared":                   {Status: 500, Path: "/projects/shared"},
		"500 of HEAD /api_ke[x-z]s":                 {Status: 500, Method: "HEAD", Path: "/api_ke[x-z]s"},
		"503 retry-after=0":                         {Status: 503, RetryAtOnce: true},
		"truncate trickle=10s type=text/html":       {Truncate: true, Trickle: 10 * time.Second, ContentType: "text/html"},
		`body="<h1 class=\"x\">no</h1>" status=500`: {Body: `<h1 class="x">no</h1>`, Status: 500},
		`type="text/html; charset=utf-8"`:           {ContentType: "text/html; charset=utf-8"},
		`401 of="GET /projects/a b/operations"`:     {Status: 401, Method: "GET", Path: "/projects/a b/operations"},
	} {
		f, err := mock.ParseFault(text)
		if err != nil || f != want {
			t.Errorf("%s: %+v, %v", text, f, err)
		}
		if again, err := mock.ParseFault(f.String()); err != nil || again != f {
			t.Errorf("%s is written as %q, which is %+v, %v", text, f, again, err)
		}
	}
}

func TestParseFaultSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                          "nothing is to happen",
		"of list_keys":              "nothing is to happen",
		`{"status": 429}`:           `"{\"status\":" is not a word of a fault`,
		"bananas":                   `"bananas" is not a word of a fault: these are a status, retry-after, latency,`,
		"429 of listoperations":     `of: "listoperations" is not an endpoint (create_key, list_keys, revoke_key, list_projects, list_operations, get_operation)`,
		"429 of":                    `of: "" is not an endpoint`,
		"429 of GET of /x":          "of is given twice",
		"99":                        `status: "99" is not a status from 200 to 599`,
		"503 500":                   "status is given twice",
		"429 p=0":                   `p: "0" is not a share above 0 and up to 1`,
		"429 p=NaN":                 `p: "NaN" is not a share`,
		"429 p=1.5":                 `p: "1.5" is not a share`,
		"429 skip=-1":               "skip and count are not below 0",
		"429 count=0":               `count: "0" is not a whole number from 1; without count it goes on`,
		"429 of /projects?limit=*":  "without the query",
		"429 of /api/v2":            "begins with /api/v2",
		"429 of /branches":          `path "/branches" is that of no endpoint: these are /api_keys, `,
		"429 of /projects/":         "is that of no endpoint",
		"429 of /_mock/clock":       "is that of no endpoint",
		"429 of PUT":                "no endpoint answers to PUT",
		"429 of DELETE /projects":   `no endpoint at "/projects" answers to DELETE`,
		"latency=1s retry-after=0":  "retry-after needs a status",
		"429 count=two":             `count: "two" is not a whole number`,
		"429 retry-after=soon":      `retry-after: "soon" is not a number of seconds`,
		"latency=1s retry-after=2":  "retry-after needs a status",
		"latency=100":               `latency: "100" is not a duration such as 100ms`,
		"latency=1s±2s":             "a jitter of 2s is not from 0 to the latency, 1s",
		"latency=25h":               "latency 25h0m0s is not from 0 to 24h0m0s",
		"reset empty":               "choose one",
		"reset 500":                 "no answer to change",
		"empty truncate":            "no answer to change",
		"truncate carry-out":        "carry-out needs a status",
		"reset=maybe":               `reset: "maybe" is not true or false`,
		"429 of /[":                 "is not a pattern",
		"429 of get":                `of: "get" is not an endpoint`,
		`body="`:                    "body: the quoted value has no end",
		`body="a"b`:                 "body: there is text right after the closing quote",
		"body=":                     `body: "" is not a text of at least one character`,
		`type="a\nb"`:               "cannot travel in a header",
		"=x":                        `"" is not a word of a fault`,
		strings.Repeat("x", 65<<10): "longer than 65536 bytes",
	} {
		if _, err := mock.ParseFault(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: error %v, want %s", text, err, want)
		}
	}
}

// Whatever can be injected can be written and read.
func TestFaultTextIsTheSameFault(t *testing.T) {
	t.Parallel()
	duration := rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(0, int64(24*time.Hour)))
	rapid.Check(t, func(t *rapid.T) {
		f := mock.Fault{
			Method: rapid.OneOf(rapid.SampledFrom([]string{"", "GET", "HEAD", "POST"}), rapid.StringMatching(`[A-Z]{0,5}`)).Draw(t, "method"),
			Path: rapid.OneOf(
				rapid.SampledFrom([]string{"", "/*", "/projects", "/api/v2/projects", "/api_keys/1"}),
				rapid.Map(rapid.String(), func(s string) string { return "/projects/" + s + "/operations" }),
				rapid.Map(rapid.String(), func(s string) string { return "/" + s }),
			).Draw(t, "path"),
			Skip: rapid.IntRange(0, 9).Draw(t, "skip"), Count: rapid.IntRange(0, 9).Draw(t, "count"),
			Probability: rapid.Float64Range(0, 1).Draw(t, "p"),
			Latency:     time.Duration(duration.Draw(t, "latency")),
			Status:      rapid.SampledFrom([]int{0, 200, 401, 599}).Draw(t, "status"),
			RetryAfter:  time.Duration(duration.Draw(t, "retry after")),
			Body:        rapid.String().Draw(t, "body"), ContentType: rapid.StringMatching(`[ -~]{0,9}`).Draw(t, "type"),
			Truncate: rapid.Bool().Draw(t, "truncate"), Trickle: time.Duration(duration.Draw(t, "trickle")),
			RetryAtOnce: rapid.Bool().Draw(t, "retry at once"), Reset: rapid.Bool().Draw(t, "reset"), Empty: rapid.Bool().Draw(t, "empty"), CarryOut: rapid.Bool().Draw(t, "carry out"),
		}
		f.Jitter = f.Latency / time.Duration(rapid.IntRange(1, 9).Draw(t, "jitter"))
		srv, _ := newServer(t, mock.Options{Projects: -1})
		_, refused := srv.Inject(f)
		got, err := mock.ParseFault(f.String())
		if f.RetryAtOnce && f.RetryAfter > 0 || f.Path == mock.BasePath+"/projects" {
			// The words for both are those of one of them, and of a path written whole.
			if refused == nil {
				t.Fatalf("%+v was taken", f)
			}
			return
		}
		if (refused == nil) != (err == nil) || err == nil && got != f {
			t.Fatalf("%q: refused %v, read as %+v, %v", f, refused, got, err)
		}
	})
}

func FuzzParseFault(f *testing.F) {
	for _, text := range []string{
		"429 of list_operations p=0.1 retry-after=2", "latency=100ms±50ms", `body="a b" of="GET /x y"`,
		"of", "=", `"`, "{}",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fault, err := mock.ParseFault(text)
		if err != nil {
			return
		}
		if again, err := mock.ParseFault(fault.String()); err != nil || again != fault {
			t.Errorf("%q is written as %q, which is %+v, %v", text, fault, again, err)
		}
	})
}
