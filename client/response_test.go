package client

import (
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/models"
)

// Each status has its kind of error.
func TestStatusIsKind(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]models.Kind{
		400: models.KindInvalid, 401: models.KindUnauthorized, 403: models.KindForbidden, 404: models.KindNotFound,
		405: models.KindInvalid, 422: models.KindInvalid, 423: models.KindLocked, 429: models.KindRateLimited,
		500: models.KindServer, 501: models.KindServer, 502: models.KindServer, 599: models.KindServer,
		300: models.KindRedirect, 304: models.KindRedirect, 600: models.KindUnknown, 999: models.KindUnknown,
	} {
		c := through(t, respond(status, "{}"))
		_, err := c.CreateAPIKey(t.Context(), "name", models.Reach{})
		if e := wantError(t, err, want); e.Status != status {
			t.Errorf("%d: got status %d", status, e.Status)
		}
	}
}

// The message and the id of a request are found in every form of an error's body; they are cleaned and shortened.
func TestErrorBodies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ body, message, id string }{
		{`{"request_id":"r-1","code":"","message":"no such key"}`, "no such key", "r-1"},
		{`{"request_id":"r-1","code":"NOT_FOUND","message":""}`, "NOT_FOUND", "r-1"},
		{`{"message":7,"code":null,"request_id":[]}`, "", "from-header"},
		{`{"error":"nope"}`, "nope", "from-header"},
		{`{"error":{"code":"LOCKED","message":"try later","request_id":"r-2"}}`, "try later", "r-2"},
		{`{"error":{"code":"LOCKED","message":""}}`, "LOCKED", "from-header"},
		{`{"error":{"message":"inner"},"message":"outer"}`, "outer", "from-header"},
		{`{"error":{"message":["no"]}}`, "", "from-header"},
		{`{}`, "", "from-header"},
		{`null`, "", "from-header"},
		{`[1]`, "[1]", "from-header"},
		{`{"message":"cut of`, `{"message":"cut of`, "from-header"},
		{"", "", "from-header"},
		{"  upstream is gone \r\nsecond line", "upstream is gone", "from-header"},
		{"<!DOCTYPE html>\n<title>502</title>", "", "from-header"},
		{`{"message":"\u001b]0;owned\u0007 \u009d0;x\u009c \u202e\nnext"}`, "\uFFFD]0;owned\uFFFD \uFFFD0;x\uFFFD \uFFFD\uFFFDnext", "from-header"},
		{"\x1b[2J\xff\xfe", "\uFFFD[2J\uFFFD\uFFFD", "from-header"},
		{`{"message":"` + strings.Repeat("é", 10_000) + `"}`, strings.Repeat("é", maxText/2) + "…", "from-header"},
		{"x" + strings.Repeat("é", 10_000), "x" + strings.Repeat("é", maxText/2-1) + "…", "from-header"},
	} {
		client := through(t, respond(400, c.body, "X-Request-Id", "from-header"))
		_, err := client.APIKeys(t.Context(), models.ListID{})
		e := wantError(t, err, models.KindInvalid)
		if e.Message != c.message || e.RequestID != c.id {
			t.Errorf("%.60q: got message %q and id %q", c.body, e.Message, e.RequestID)
		}
	}
}

// Retry-After is read in seconds and as a date, up to a maximum; anything else is none.
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for v, want := range map[string]time.Duration{
		"":                        0,
		"0":                       0,
		"7":                       7 * time.Second,
		" 7 ":                     7 * time.Second,
		"-7":                      0,
		"7.5":                     0,
		"soon":                    0,
		"99999999999999999999999": maxRetryAfter,
		"9999999":                 maxRetryAfter,
		now().Add(90 * time.Second).Format(http.TimeFormat): 90 * time.Second,
		now().Add(-time.Hour).Format(http.TimeFormat):       0,
		now().AddDate(9, 0, 0).Format(http.TimeFormat):      maxRetryAfter,
		now().Add(90 * time.Second).Format(time.ANSIC):      90 * time.Second,
	} {
		c := connect(t, Options{BaseURL: "https://console.example", Transport: respond(429, "", "Retry-After", v)})
		_, err := c.CreateAPIKey(t.Context(), "name", models.Reach{})
		if e := wantError(t, err, models.KindRateLimited); e.RetryAfter != want {
			t.Errorf("%q: got %v, want %v", v, e.RetryAfter, want)
		}
	}
}

// Only JSON is accepted, or no type at all; another type is named in the error, without control characters.
func TestContentTypes(t *testing.T) {
	t.Parallel()
	for v, ok := range map[string]bool{
		"":                                true,
		"application/json":                true,
		"Application/JSON; charset=UTF-8": true,
		"application/json; charset":       true,
		"application/problem+json":        true,
		"text/html":                       false,
		"text/plain; charset=utf-8":       false,
		"application/jsonp":               false,
		"image/svg+xml":                   false,
		";":                               false,
		"te\x1bxt":                        false,
	} {
		c := through(t, respond(200, "[]", "Content-Type", v))
		_, err := c.APIKeys(t.Context(), models.ListID{})
		if (err == nil) != ok {
			t.Errorf("%q: got %v", v, err)
		}
		if err != nil {
			if e := wantError(t, err, models.KindMalformed); strings.ContainsRune(e.Error(), '\x1b') {
				t.Errorf("%q can act on a terminal", e)
			}
		}
	}
}

// A response without an id is about the operation that was asked for; one about another operation is an error.
func TestIDOfAnOperation(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"id":"O"}`: "O", `{"status":"running"}`: "o", `{"id":"other"}`: "",
	} {
		c := through(t, respond(200, `{"operation":`+body+`}`, "Content-Type", "application/json"))
		op, err := c.Operation(t.Context(), "p", "o")
		if op.ID != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", body, op.ID, err)
		}
	}
}

// The error of a body that is not the API says what is wrong with it.
func TestBodiesThatAreNotTheAPI(t *testing.T) {
	t.Parallel()
	page := func(c *Client) error {
		_, err := c.Operations(t.Context(), "p", models.PageRequest{})
		return err
	}
	keys := func(c *Client) error { _, err := c.APIKeys(t.Context(), models.ListID{}); return err }
	operation := func(c *Client) error { _, err := c.Operation(t.Context(), "p", "o"); return err }
	create := func(c *Client) error { _, err := c.CreateAPIKey(t.Context(), "n", models.Reach{}); return err }
	for _, c := range []struct {
		call func(*Client) error
		body string
		says string
	}{
		{page, ``, "empty"},
		{page, `  `, "empty"},
		{page, `null`, "it is not an object"},
		{page, `[]`, "it is not an object"},
		{page, `"text"`, "it is not an object"},
		{page, `{}`, "operations is missing"},
		{page, `{"pagination":{"cursor":"c"}}`, "operations is missing"},
		{page, `{"operations":null}`, "operations is not an array"},
		{page, `{"operations":{}}`, "operations is not an array"},
		{page, `{"operations":7}`, "operations is not an array"},
		{page, `{"operations":true}`, "operations is not an array"},
		{page, `{"operations":[{"id":"a"}`, "incomplete"},
		{page, `{"operations":[]} {}`, "not JSON"},
		{page, `{operations:[]}`, "not JSON"},
		{page, `<html>`, "not JSON"},
		{page, "{\"operations\":[\"\x1b\"]}", "not JSON"},
		{page, `{"x":` + strings.Repeat("[", 20_000), "not JSON"},
		{page, `{"operations":[` + strings.Repeat("[", 20_000), "not JSON"},
		{keys, `{}`, "it is not an array"},
		{keys, `{"api_keys":[]}`, "it is not an array"},
		{keys, `null`, "it is not an array"},
		{keys, `[{},`, "incomplete"},
		{operation, `{}`, "operation is missing"},
		{operation, `{"operation":null}`, "operation is not an object"},
		{operation, `{"operation":[]}`, "operation is not an object"},
		{create, `null`, "it is not an object"},
		{create, `"napi_new"`, "it is not an object"},
	} {
		client := through(t, respond(200, c.body))
		err := c.call(client)
		if e := wantError(t, err, models.KindMalformed); e.Status != 200 || !strings.Contains(e.Error(), c.says) {
			t.Errorf("%.40q: %q does not say %q", c.body, err, c.says)
		}
	}
}

// White space, unknown fields, and fields in another order change nothing.
func TestBodiesThatAreTolerated(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"\n {\"operations\" : [ ] } \n\n":                                       `[] ""`,
		`{"pagination":{"cursor":"c","x":1},"operations":[{"id":"a"}]}`:         `[a] "c"`,
		`{"operations":[{"id":"a"}],"pagination":{"cursor":"\u001b \u202e+%"}}`: `[a] "\x1b \u202e+%"`,
		`{"a":null,"b":[[{}],"]"],"operations":[{"id":"a"},{"id":"b"}],"c":{}}`: `[a b] ""`,
	} {
		c := through(t, respond(200, body))
		page, err := c.Operations(t.Context(), "p", models.PageRequest{})
		if err != nil || summary(page) != want {
			t.Errorf("%q: got %s, %v, want %s", body, summary(page), err, want)
		}
	}
}

// A record that cannot be read is shown as damaged, beside those that can.
func TestRecordThatIsDamaged(t *testing.T) {
	t.Parallel()
	c := through(t, respond(200, `{"operations":[{"id":"a"},null,7,{"id":"b","failures_count":"x"},{"id":"c"}]}`))
	page, err := c.Operations(t.Context(), "p", models.PageRequest{})
	if err != nil || len(page.Items) != 5 {
		t.Fatalf("got %+v, %v", page, err)
	}
	for i, damaged := range []bool{false, true, true, true, false} {
		if op := page.Items[i]; (op.Damage != "") != damaged {
			t.Errorf("record %d: damage %q", i, op.Damage)
		}
	}
}

// A body of the maximum length is read, and one byte more is refused.
func TestBodyThatJustFits(t *testing.T) {
	t.Parallel()
	const body = `{"operations":[{"id":"a"}]}`
	for size, want := range map[int64]bool{int64(len(body)): true, int64(len(body)) - 1: false} {
		c := through(t, respond(200, body))
		c.maxBody = size
		_, err := c.Operations(t.Context(), "p", models.PageRequest{})
		if (err == nil) != want {
			t.Errorf("%d bytes: got %v", size, err)
		}
	}
}

// The memory for a response is bounded, whatever it consists of. It is measured, so no other test may run meanwhile.
func TestMemoryOfAHostileBody(t *testing.T) { //nolint:paralleltest // see above
	if testing.Short() {
		t.Skip("the race detector has memory of its own")
	}
	for _, part := range []string{"1,", "{},", `{"a":1},`, "[[[[],", `",",`, `{"a":"` + strings.Repeat("x", 20) + `"},`} {
		body := `{"operations":[` + strings.Repeat(part, (maxBody-100)/len(part)) + `{}]}`
		c := through(t, respond(200, body))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := c.Operations(t.Context(), "p", models.PageRequest{})
		runtime.ReadMemStats(&after)
		if used := int64(after.TotalAlloc - before.TotalAlloc); err == nil || used > 20*maxBody {
			t.Errorf("%d MiB for %q repeated, %v", used>>20, part, err)
		}
	}
}

// longRead is a long body that notes how many others are read beyond their beginning at the same time.
type longRead struct {
	io.Reader

	read        int
	begun       bool
	reads, most *atomic.Int64
}

func (b *longRead) Read(p []byte) (int, error) {
	if b.read >= longBody && !b.begun {
		b.begun = true
		now := b.reads.Add(1)
		for most := b.most.Load(); now > most && !b.most.CompareAndSwap(most, now); most = b.most.Load() {
		}
		time.Sleep(time.Second)
	}
	n, err := b.Reader.Read(p)
	b.read += n
	if err != nil {
		b.reads.Add(-1)
	}
	return n, err
}

func (b *longRead) Close() error { return nil }

// However many requests are answered at once, only few long bodies are in memory.
func TestLongBodiesTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const requests = 9
		doc := `{"operations":[{"id":"a","error":"` + strings.Repeat("x", 3<<20) + `"}]}`
		var reads, most atomic.Int64
		c := through(t, func(*http.Request) (*http.Response, error) {
			r := answer(200, "")
			r.Body = &longRead{Reader: strings.NewReader(doc), reads: &reads, most: &most}
			return r, nil
		})
		var read sync.WaitGroup
		for range requests {
			read.Go(func() {
				page, err := c.Operations(t.Context(), "p", models.PageRequest{})
				if err != nil || len(page.Items) != 1 {
					t.Errorf("%d records, %v", len(page.Items), err)
				}
			})
		}
		read.Wait()
		if most.Load() != longBodies {
			t.Errorf("%d long bodies were read at once", most.Load())
		}
	})
}
