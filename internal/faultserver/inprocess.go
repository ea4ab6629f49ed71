package faultserver

import (
	"cmp"
	"io"
	"net/http"
	"net/http/httptest"
)

// InProcess is a transport to a handler in this process. It has no network, so that a test can run in fake time.
type InProcess struct {
	http.Handler

	From string // the address of the client; empty: some address
}

// RoundTrip implements [http.RoundTripper]. A handler that panics breaks the connection.
func (p InProcess) RoundTrip(r *http.Request) (answer *http.Response, err error) {
	defer func() {
		if recover() != nil {
			answer, err = nil, io.ErrUnexpectedEOF
		}
	}()
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	sent := httptest.NewRequestWithContext(r.Context(), r.Method, r.URL.String(), r.Body)
	sent.Header, sent.RemoteAddr = r.Header, cmp.Or(p.From, sent.RemoteAddr)
	recorder := httptest.NewRecorder()
	p.ServeHTTP(recorder, sent)
	return recorder.Result(), nil
}
