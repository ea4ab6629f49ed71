package mock

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// cannedHeader ends the header of what net/http answers by itself to a request that it
// cannot read: one with a bad escape, say, which no handler gets to see. No handler's
// answer has these two fields alone.
const cannedHeader = "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"

// worded is a listener whose connections put the API's words in place of net/http's.
type worded struct {
	net.Listener

	refused atomic.Uint64     // how many requests could not be read
	log     func(slog.Record) // nil for none
	clock   func() time.Time
}

// Accept returns the next connection.
func (l *worded) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if tcp, ok := c.(*net.TCPConn); ok {
		return &wordedConn{tcp, l}, err
	}
	return c, err
}

// wordedConn is one connection. It is a TCP one in all else: net/http and faults end it
// by halves and with resets.
type wordedConn struct {
	*net.TCPConn

	listener *worded
}

// Write sends what net/http writes, but for its own answers, which come in one piece.
func (c *wordedConn) Write(b []byte) (int, error) {
	status, reason, ok := canned(b)
	if !ok {
		return c.TCPConn.Write(b)
	}
	if _, err := c.TCPConn.Write(c.listener.answer(status, reason)); err != nil {
		return 0, err //nolint:wrapcheck // net/http knows the errors of connections.
	}
	return len(b), nil
}

// canned takes one of net/http's own answers apart.
func canned(b []byte) (status int, reason string, ok bool) {
	head, body, ok := bytes.Cut(b, []byte(cannedHeader))
	if !ok || bytes.IndexByte(head, '\r') >= 0 || !bytes.HasPrefix(head, []byte("HTTP/1.1 ")) {
		return 0, "", false
	}
	line := string(head[len("HTTP/1.1 "):])
	number, _, _ := strings.Cut(line, " ")
	status, err := strconv.Atoi(number)
	usual := fmt.Sprintf("%d %s", status, http.StatusText(status))
	return status, strings.TrimPrefix(strings.TrimPrefix(string(body), usual), ": "), err == nil
}

// answer returns what is said instead, and logs it. It is never a 5xx: whatever net/http
// does not know (another version of HTTP, a transfer encoding) is the request's fault.
func (l *worded) answer(status int, reason string) []byte {
	if status >= http.StatusInternalServerError {
		status = http.StatusBadRequest
	}
	message := "the request cannot be read"
	switch {
	case status == http.StatusRequestHeaderFieldsTooLarge:
		message = fmt.Sprintf("the header of the request is larger than %d bytes", maxHeader)
	case reason != "":
		message += ": " + reason
	}
	n := l.refused.Add(1)
	hi := mix(^uint64(0), n)
	id := formatUUID(hi>>4, mix(hi)>>2)
	body, err := json.Marshal(wireError{RequestID: id, Message: message})
	if err != nil {
		panic("mock: " + err.Error()) // Three texts: this is a bug here.
	}
	body = append(body, '\n')
	l.note(status, len(body), id, message)
	return fmt.Appendf(nil, "HTTP/1.1 %d %s\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: %d\r\n"+
		"Cache-Control: no-store\r\n%s: %s\r\nConnection: close\r\n\r\n%s",
		status, http.StatusText(status), len(body), requestIDHeader, id, body)
}

// note writes the request's line. What was sent is not in it, nor any key.
func (l *worded) note(status, length int, id, message string) {
	if l.log == nil {
		return
	}
	record := slog.NewRecord(l.clock(), slog.LevelInfo, "request", 0)
	record.AddAttrs(
		slog.String("method", ""), slog.String("path", ""), slog.String("unreadable", message),
		slog.Int("status", status), slog.Int("bytes", length), slog.String("request_id", id),
	)
	l.log(record)
}
