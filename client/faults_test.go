package client

import (
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/internal/faultserver"
	"pgtower/models"
)

const (
	emptyPage = `{"operations":[]}`
	// begun are the headers of a response whose body never comes as a whole, zipped those of one that is compressed.
	begun  = faultserver.OK + "Content-Length: 1000000\r\n\r\n"
	zipped = faultserver.OK + "Content-Encoding: gzip\r\n\r\n"
	// fine is no kind of error.
	fine models.Kind = -1
)

func gzipped(text string) string {
	var out strings.Builder
	w := gzip.NewWriter(&out)
	_, _ = io.WriteString(w, text)
	_ = w.Close() // a builder takes all
	return out.String()
}

func listOperations(ctx context.Context, c *Client) error {
	_, err := c.Operations(ctx, "p", models.PageRequest{})
	return err
}

// Each fault on the wire has its own kind of error, after one request.
func TestFaultsOnTheWire(t *testing.T) {
	t.Parallel()
	const short = 100 * time.Millisecond
	for name, c := range map[string]struct {
		fault    faultserver.Fault
		timeouts Timeouts
		kind     models.Kind
	}{
		"no headers":             {faultserver.Stall(""), Timeouts{Headers: short}, models.KindTimeout},
		"half a status line":     {faultserver.Stall("HTTP/1.1 20"), Timeouts{Headers: short}, models.KindTimeout},
		"half the headers":       {faultserver.Stall("HTTP/1.1 200 OK\r\nContent-Ty"), Timeouts{Headers: short}, models.KindTimeout},
		"no body":                {faultserver.Stall(begun), Timeouts{Body: short}, models.KindStalled},
		"half a body":            {faultserver.Stall(begun + `{"operations":[{"id":"a"},`), Timeouts{Body: short}, models.KindStalled},
		"reset at once":          {faultserver.Reset(""), Timeouts{}, models.KindUnreachable},
		"reset in the headers":   {faultserver.Reset("HTTP/1.1 200 OK\r\nContent-Ty"), Timeouts{}, models.KindUnreachable},
		"nothing at all":         {faultserver.Raw(""), Timeouts{}, models.KindUnreachable},
		"another protocol":       {faultserver.Raw("220 mail.example ESMTP\x1b[31m\r\n"), Timeouts{}, models.KindMalformed},
		"reset in the body":      {faultserver.Reset("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"op"), Timeouts{}, models.KindCutOff},
		"shorter than announced": {faultserver.Raw(begun + emptyPage), Timeouts{}, models.KindCutOff},
		"bad chunks":             {faultserver.Raw(faultserver.OK + "Transfer-Encoding: chunked\r\n\r\n2\r\n[1\r\nnonsense\r\n]\r\n"), Timeouts{}, models.KindCutOff},
		"huge headers":           {faultserver.Raw(faultserver.OK + "X-Filler: " + strings.Repeat("x", 1<<20) + "\r\n\r\n[]"), Timeouts{}, models.KindTooLarge},
		"a body for ever":        {faultserver.Repeat(faultserver.OK+"\r\n"+`{"operations":[0`, strings.Repeat(",0", 1<<15), 0), Timeouts{}, models.KindTooLarge},
		"a bomb":                 {faultserver.Repeat(zipped+gzipped(`{"operations":["`), gzipped(strings.Repeat("x", 1<<20)), 0), Timeouts{}, models.KindTooLarge},
		"hints for ever":         {faultserver.Repeat("", "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", 0), Timeouts{}, models.KindTooLarge},
		"switching protocols":    {faultserver.Raw("HTTP/1.1 101 Now\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"), Timeouts{}, models.KindUnknown},
		"not compressed":         {faultserver.Raw(zipped + emptyPage), Timeouts{}, models.KindMalformed},
		"compressed badly":       {faultserver.Raw(zipped + "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xff\xff\xff\xff"), Timeouts{}, models.KindMalformed},
		"a redirect to itself":   {faultserver.JSON(307, "{}", "Location: /projects/p/operations"), Timeouts{}, models.KindRedirect},
		"locked":                 {faultserver.JSON(423, `{}`), Timeouts{}, models.KindLocked},
		"longer than announced":  {faultserver.Raw(faultserver.OK + "Content-Length: 17\r\n\r\n" + emptyPage + "]]]"), Timeouts{}, fine},
		"HTTP/1.0":               {faultserver.Raw("HTTP/1.0 200 OK\r\n\r\n" + emptyPage), Timeouts{}, fine},
		"a hint first":           {faultserver.Raw("HTTP/1.1 103 Early Hints\r\n\r\n" + "HTTP/1.0 200 OK\r\n\r\n" + emptyPage), Timeouts{}, fine},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := faultserver.Start(t, c.fault)
			err := listOperations(t.Context(), connect(t, Options{BaseURL: s.URL(), Timeouts: c.timeouts}))
			switch {
			case c.kind == fine && err != nil:
				t.Errorf("got %v", err)
			case c.kind != fine:
				if e := wantError(t, err, c.kind); strings.ContainsRune(e.Error(), '\x1b') {
					t.Errorf("%q can act on a terminal", e)
				}
				if reason := models.Reason(err); strings.Contains(reason, "127.0.0.1:") {
					t.Errorf("the reason %q differs between connections", reason)
				}
			}
			// The server may not have read the last request yet.
			for end := time.Now().Add(time.Minute); len(s.Asked()) < 1 && time.Now().Before(end); {
				time.Sleep(time.Millisecond)
			}
			if asked := len(s.Asked()); asked != 1 {
				t.Errorf("asked %d times", asked)
			}
		})
	}
}

// reading is a body.
type reading func(part []byte) (int, error)

func (f reading) Read(part []byte) (int, error) { return f(part) }

// A body has a time for each of its parts and one for the whole.
func TestBodiesThatAreSlow(t *testing.T) {
	t.Parallel()
	timeouts := Timeouts{Body: 2 * time.Second, Whole: 5 * time.Second}
	for name, c := range map[string]struct {
		pause time.Duration // before each part
		took  time.Duration
	}{
		"a part":    {time.Hour, timeouts.Body},
		"the whole": {time.Second, timeouts.Whole},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				asked, began := 0, time.Now()
				own := connect(t, Options{
					BaseURL: "https://console.example", Timeouts: timeouts, Clock: time.Now,
					Transport: tripper(func(r *http.Request) (*http.Response, error) {
						asked++
						resp := answer(200, "")
						resp.Body = io.NopCloser(reading(func(part []byte) (int, error) {
							part[0] = ' '
							select {
							case <-time.After(c.pause):
							case <-r.Context().Done():
							}
							return 1, r.Context().Err()
						}))
						return resp, nil
					}),
				})
				wantKind(t, listOperations(t.Context(), own), models.KindStalled)
				if took := time.Since(began); took != c.took || asked != 1 {
					t.Errorf("asked %d times, after %v", asked, took)
				}
			})
		})
	}
}

// The message about an incomplete response says what happened, and does not blame the network.
func TestErrorsOfIncompleteResponses(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]struct {
		fault    faultserver.Fault
		timeouts Timeouts
	}{
		"the response stalled (status 200): no data for 50ms":   {faultserver.Stall(begun + "{"), Timeouts{Body: 50 * time.Millisecond}},
		"the response was cut off (status 200): unexpected EOF": {faultserver.Raw(begun + emptyPage[:3]), Timeouts{}},
		"the response is too large: ":                           {faultserver.Raw(faultserver.OK + "X-Filler: " + strings.Repeat("x", 1<<20) + "\r\n\r\n[]"), Timeouts{}},
	} {
		s := faultserver.Start(t, c.fault)
		err := listOperations(t.Context(), connect(t, Options{BaseURL: s.URL(), Timeouts: c.timeouts}))
		if !strings.Contains(err.Error(), want) || strings.Contains(models.AdviceOf(err), "network") {
			t.Errorf("%v %s, want %q", err, models.AdviceOf(err), want)
		}
	}
}

// A change is never sent twice, whatever the outcome of the first time.
func TestChangesAreSentOnce(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]faultserver.Fault{
		"reset":            faultserver.Reset(""),
		"closed":           faultserver.Raw(""),
		"broken off":       faultserver.Raw(begun + `{"i`),
		"too many":         faultserver.JSON(429, `{}`, "Retry-After: 0"),
		"busy":             faultserver.JSON(503, `{}`),
		"locked":           faultserver.JSON(423, `{}`),
		"behind a gateway": faultserver.JSON(502, `{}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := faultserver.Start(t, fault)
			c := connect(t, Options{BaseURL: s.URL()})
			if _, err := c.CreateAPIKey(t.Context(), "n", models.Reach{}); err == nil {
				t.Error("created")
			}
			if _, err := c.RevokeAPIKey(t.Context(), keyOf(7)); err == nil {
				t.Error("revoked")
			}
			if asked := strings.Join(s.Asked(), ", "); asked != "POST /api_keys, DELETE /api_keys/7" {
				t.Errorf("asked %s", asked)
			}
		})
	}
}

// If the body of an error stalls, the error has the status and the part that arrived.
func TestErrorBodyThatStalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		c := through(t, func(r *http.Request) (*http.Response, error) {
			body, service := io.Pipe()
			go func() {
				_, _ = io.WriteString(service, "wrong key")
				<-r.Context().Done()
				_ = service.CloseWithError(r.Context().Err())
			}()
			resp := answer(401, "")
			resp.Body = body
			return resp, nil
		})
		e := wantError(t, listOperations(t.Context(), c), models.KindUnauthorized)
		if took := time.Since(start); e.Message != "wrong key" || took != errorPatience {
			t.Errorf("got %q after %v", e.Message, took)
		}
	})
}

// Nothing is sent over TLS unless the certificate is valid for the host now, and signed by a trusted authority.
func TestCertificates(t *testing.T) {
	t.Parallel()
	year := func(n int) time.Time { return time.Now().AddDate(n, 0, 0) }
	authority, stranger := faultserver.NewAuthority(t, time.Now()), faultserver.NewAuthority(t, time.Now())
	good := authority.Certificate(year(-1), year(1), "127.0.0.1")
	for name, c := range map[string]struct {
		server *faultserver.Server
		kind   models.Kind
	}{
		"good":         {faultserver.StartTLS(t, good, faultserver.JSON(200, emptyPage)), fine},
		"a stranger's": {faultserver.StartTLS(t, stranger.Certificate(year(-1), year(1), "127.0.0.1"), faultserver.JSON(200, emptyPage)), models.KindTLS},
		"expired":      {faultserver.StartTLS(t, authority.Certificate(year(-2), year(-1), "127.0.0.1"), faultserver.JSON(200, emptyPage)), models.KindTLS},
		"not yet":      {faultserver.StartTLS(t, authority.Certificate(year(1), year(2), "127.0.0.1"), faultserver.JSON(200, emptyPage)), models.KindTLS},
		"another host": {faultserver.StartTLS(t, authority.Certificate(year(-1), year(1), "console.example", "10.0.0.1"), faultserver.JSON(200, emptyPage)), models.KindTLS},
		"hostile name": {faultserver.StartTLS(t, authority.Certificate(year(-1), year(1), "*.\x1b[31m."+testKey), faultserver.JSON(200, emptyPage)), models.KindTLS},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := listOperations(t.Context(), connect(t, Options{BaseURL: c.server.URL(), RootCAs: authority.Pool()}))
			if c.kind == fine {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if e := wantError(t, err, c.kind); strings.ContainsRune(e.Error(), '\x1b') {
				t.Errorf("%q can act on a terminal", e)
			}
			if asked := c.server.Asked(); len(asked) > 0 {
				t.Errorf("asked %v over a connection that is not safe", asked)
			}
		})
	}
}
