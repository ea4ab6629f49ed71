package faultserver

import (
	"compress/gzip"
	"io"
	"net"
	"net/http"
	"strings"
)

// chunk is how much of an endless body is written at once, in bytes.
const chunk = 64 << 10

// Endless sends a body that begins with a text and goes on with parts for ever.
func Endless(begin, part string) Fault {
	return func(conn net.Conn, _ *http.Request) {
		if say(conn, okJSON+"\r\n") {
			pour(conn, begin, part)
		}
	}
}

// GzipBomb is [Endless], compressed: a thousandth of it crosses the network.
func GzipBomb(begin, part string) Fault {
	return func(conn net.Conn, _ *http.Request) {
		if say(conn, okJSON+"Content-Encoding: gzip\r\n\r\n") {
			pour(gzip.NewWriter(conn), begin, part)
		}
	}
}

func pour(w io.Writer, begin, part string) {
	_, err := io.WriteString(w, begin)
	parts := strings.Repeat(part, max(1, chunk/len(part)))
	for err == nil {
		_, err = io.WriteString(w, parts)
	}
}

// BadGzip claims that a body is compressed.
func BadGzip(body string) Fault {
	return Raw(okJSON + "Content-Encoding: gzip\r\n\r\n" + body)
}
