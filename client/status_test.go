package client_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/client"
	"pgtower/client/mock"
	"pgtower/client/mock/sim"
	"pgtower/models"
	"pgtower/models/status"
)

// pageAt returns the status page at an address. The options have a key, which must not be sent.
func pageAt(t *testing.T, address string) *client.StatusPage {
	t.Helper()
	page, err := client.NewStatusPage(client.Options{BaseURL: address, Clock: time.Now, Key: models.NewSecret("napi_s3cret-of-the-test")})
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// The page gets one request with GET, without a key, a cookie or anything else of the user, and a redirect is not followed.
func TestStatusPageGetsNoKey(t *testing.T) {
	t.Parallel()
	var asked []*http.Request
	var answer http.HandlerFunc
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r)
		answer(w, r)
	}))
	t.Cleanup(srv.Close)
	body := func(status int, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Location", srv.URL+"/elsewhere")
			w.WriteHeader(status)
			_, _ = w.Write([]byte(text))
		}
	}
	const works = `{"result": {"status": [{"name": "Console API", "status_code": 100}]}}`
	page := pageAt(t, srv.URL+"/1.0/status/6878")
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		kind   models.Kind
	}{
		"a page":       {body(200, works), 0},
		"an error":     {body(200, `{"error": "no such page"}`), models.KindMalformed},
		"a redirect":   {body(302, works), models.KindRedirect},
		"no sign-in":   {body(401, `{}`), models.KindForbidden},
		"a limit":      {body(429, `{}`), models.KindRateLimited},
		"a long one":   {body(200, works+strings.Repeat(" ", 2<<20)), models.KindTooLarge},
		"a web page":   {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) }, models.KindMalformed},
		"nothing":      {body(200, ""), models.KindMalformed},
		"another type": {body(200, `[1]`), models.KindMalformed},
	} {
		asked, answer = nil, c.answer
		read, err := page.Read(t.Context())
		if (err == nil) != (name == "a page") || len(asked) != 1 {
			t.Errorf("%s: %+v, %v after %d requests", name, read, err, len(asked))
		}
		if err != nil && models.KindOf(err) != c.kind {
			t.Errorf("%s is %v", name, err)
		}
		for _, r := range asked {
			for header := range r.Header {
				if !slices.Contains([]string{"Accept", "Accept-Encoding", "Connection", "User-Agent"}, header) {
					t.Errorf("%s: sent %s: %v", name, header, r.Header[header])
				}
			}
			if r.Method != http.MethodGet || r.RequestURI != "/1.0/status/6878" {
				t.Errorf("%s: %s %s", name, r.Method, r.RequestURI)
			}
		}
	}
}

// The page of the mock follows its incidents, works while the service does not, and lies if a fault says so.
func TestStatusPageOfTheMock(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 27, 19, 0, 0, 0, time.UTC)
	now := start
	server, err := mock.New(mock.Options{
		Clock: func() time.Time { return now },
		Incidents: []sim.Incident{
			{Region: "aws-us-east-2", From: -2 * time.Minute, For: time.Hour, Share: 0.5, Error: "no free capacity"},
			{Project: "billing"},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	server.StatusPage = true
	l, err := mock.Listen(t.Context(), server, mock.ListenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	page := pageAt(t, strings.TrimSuffix(l.BaseURL(), mock.BasePath)+mock.StatusPath)
	says := func() string {
		read, err := page.Read(t.Context())
		if err != nil {
			return models.KindOf(err).String()
		}
		return read.Of().Text(func(t time.Time) string { return t.Format("15:04") }, "")
	}
	inject := func(fault string) func() {
		remove, err := server.Inject(fault)
		if err != nil {
			t.Fatal(err)
		}
		return remove
	}
	const trouble = "aws-us-east-2 partly down since 18:58 (Database Connectivity)"
	if got := says(); got != trouble {
		t.Errorf("%q, not %q", got, trouble)
	}
	remove := inject("503")
	if got := says(); got != trouble {
		t.Errorf("while the service is down, %q", got)
	}
	remove()
	remove = inject("lies")
	if got := says(); got != "no incident" {
		t.Errorf("a lie is %q", got)
	}
	remove()
	remove = inject(`200 of get_status body="{\"error\": \"gone\"}"`)
	if got := says(); got != models.KindMalformed.String() {
		t.Errorf("a broken page is %q", got)
	}
	remove()
	now = start.Add(time.Hour)
	if got := says(); got != "no incident" {
		t.Errorf("after the incident, %q", got)
	}
	var none status.Page
	if none.Of("aws-us-east-2").Code != 0 {
		t.Error("a page that was not read says something")
	}
}
