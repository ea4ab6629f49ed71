package faultserver

import (
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

const okJSON = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

// send writes, and reports whether the client still reads.
func send(w io.Writer, s string) bool {
	_, err := io.WriteString(w, s)
	return err == nil
}

// untilHangUp reads until the client hangs up.
func untilHangUp(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }

// Raw sends bytes that need not be HTTP.
func Raw(bytes string) Fault {
	return func(conn net.Conn, _ *http.Request) { send(conn, bytes) }
}

// JSON responds normally, with a body and header lines such as "Retry-After: 1".
func JSON(status int, body string, header ...string) Fault {
	return Raw(fmt.Sprintf(
		"HTTP/1.1 %d Status\r\nContent-Type: application/json\r\nConnection: close\r\n%sContent-Length: %d\r\n\r\n%s",
		status, strings.Join(append(header, ""), "\r\n"), len(body), body))
}

// Redirect redirects the client to an address, or to the same one if it is empty.
func Redirect(status int, to string) Fault {
	return func(conn net.Conn, r *http.Request) {
		location := to
		if location == "" {
			location = r.RequestURI
		}
		JSON(status, "{}", "Location: "+location)(conn, r)
	}
}

// Sequence uses one fault for each request, in order; the last one is repeated.
func Sequence(faults ...Fault) Fault {
	var request atomic.Int64
	return func(conn net.Conn, r *http.Request) {
		faults[min(int(request.Add(1)), len(faults))-1](conn, r)
	}
}

// Stall never responds.
func Stall() Fault { return StallAfter("") }

// StallInBody sends the headers and a part of the body, and then nothing more.
func StallInBody(part string) Fault {
	return StallAfter(okJSON + "Content-Length: 1000000\r\n\r\n" + part)
}

// StallAfter sends bytes, and then nothing more.
func StallAfter(bytes string) Fault {
	return func(conn net.Conn, _ *http.Request) {
		if send(conn, bytes) {
			untilHangUp(conn)
		}
	}
}

// Trickle sends white space a byte at a time, for ever, with a pause between.
func Trickle(pause time.Duration) Fault {
	return func(conn net.Conn, _ *http.Request) {
		left := make(chan struct{})
		go func() { defer close(left); untilHangUp(conn) }()
		drip := time.NewTicker(pause)
		defer drip.Stop()
		for ok := send(conn, okJSON+"\r\n"); ok; {
			select {
			case <-drip.C:
				ok = send(conn, " ")
			case <-left:
				ok = false
			}
		}
		_ = conn.Close()
		<-left
	}
}

// Reset resets the connection after a part of the response, which may be empty.
func Reset(part string) Fault {
	return func(conn net.Conn, _ *http.Request) {
		send(conn, part)
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
	}
}

// Truncate announces the whole body and sends only that many bytes of it.
func Truncate(body string, sent int) Fault {
	return Raw(fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", okJSON, len(body), body[:sent]))
}

// TooMuch announces only that many bytes of the body and sends all of it.
func TooMuch(body string, announced int) Fault {
	return Raw(fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", okJSON, announced, body))
}

// HTTP10 responds as HTTP/1.0 does: without a length; the end of the connection ends the body.
func HTTP10(body string) Fault {
	return Raw("HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n" + body)
}

// BadChunks sends a body with invalid chunks.
func BadChunks() Fault {
	return Raw(okJSON + "Transfer-Encoding: chunked\r\n\r\n2\r\n[1\r\nnonsense\r\n]\r\n0\r\n\r\n")
}

// HugeHeader sends a header of that many bytes.
func HugeHeader(size int) Fault {
	return Raw(okJSON + "X-Filler: " + strings.Repeat("x", size) + "\r\nContent-Length: 2\r\n\r\n[]")
}

// BadGzip claims that a plain body is compressed.
func BadGzip(body string) Fault { return Raw(okJSON + "Content-Encoding: gzip\r\n\r\n" + body) }

// Flood1xx sends informational responses for ever.
func Flood1xx() Fault {
	return func(conn net.Conn, _ *http.Request) {
		pour(conn, "", "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
	}
}

// Endless sends a body that begins with a text and repeats a part for ever.
func Endless(begin, part string) Fault {
	return func(conn net.Conn, _ *http.Request) { pour(conn, okJSON+"\r\n"+begin, part) }
}

// GzipBomb is [Endless], compressed: a thousandth of it crosses the network.
func GzipBomb(begin, part string) Fault {
	return func(conn net.Conn, _ *http.Request) {
		if send(conn, okJSON+"Content-Encoding: gzip\r\n\r\n") {
			pour(gzip.NewWriter(conn), begin, part)
		}
	}
}

// pour writes without end, 64 kB of parts at once.
func pour(w io.Writer, begin, part string) {
	parts := strings.Repeat(part, max(1, 64<<10/len(part)))
	for ok := send(w, begin); ok; {
		ok = send(w, parts)
	}
}
