package mock

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// ServeHTTP answers requests with a valid key (section 5), within the rate limit. Without a key, responses reveal
// nothing, not even which paths exist.
func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !below(r.URL.Path, BasePath) {
		newProblem(http.StatusNotFound, "the API is below %s", BasePath).write(w, r)
		return
	}
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	key := a.platform.UseKey(bearer(r), host)
	callOf(r).key = key
	if key.KeyID == 0 {
		w.Header().Set("WWW-Authenticate", "Bearer")
		newProblem(http.StatusUnauthorized,
			"a valid API key is required: Authorization: Bearer <API_KEY>").write(w, r)
		return
	}
	if wait := a.limit.delay(a.clock()); wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
		newProblem(http.StatusTooManyRequests, "too many requests: %s", a.limit.text).write(w, r)
		return
	}
	serveRoute(a.routes, w, r)
}

// bearer returns the API key of a request, or "".
func bearer(r *http.Request) string {
	scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimLeft(secret, " ")
}

// oneWord reports whether a text is a valid header value without spaces.
func oneWord(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) < 0
}

// burst is how many requests may come at once before the rate limit applies.
const burst = 40

// limit is the rate limit of the account, as a token bucket of burst requests.
type limit struct {
	text  string
	every time.Duration
	slack time.Duration // how far ahead of the rate requests may be

	mu   sync.Mutex
	next time.Time // when a request would be exactly at the rate
}

// LimitRequests sets a rate limit: "700/m" allows so many a minute (or s, h), of which 40 may come at once. An empty
// text is no limit. Call it before the first request. The error says what is malformed.
func (s *Server) LimitRequests(text string) error {
	if text == "" {
		return nil
	}
	count, per, _ := strings.Cut(text, "/")
	n, err := strconv.ParseUint(count, 10, 31)
	unit, found := map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour}[per]
	if err != nil || n == 0 || !found {
		return errors.New("must be a number of requests a second, minute or hour, such as 700/m")
	}
	every := unit / time.Duration(n)
	s.api.limit = &limit{
		text:  fmt.Sprintf("the limit is %s, with a burst of %d", text, min(n, burst)),
		every: every, slack: every * time.Duration(min(n, burst)-1),
	}
	return nil
}

// delay counts a request, or returns how long it has to wait.
func (l *limit) delay(now time.Time) time.Duration {
	if l == nil {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.next.Before(now) {
		l.next = now
	}
	if wait := l.next.Sub(now) - l.slack; wait > 0 {
		return wait
	}
	l.next = l.next.Add(l.every)
	return 0
}
