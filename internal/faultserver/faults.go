package faultserver

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// OK begins a good response.
const OK = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

// send writes, and reports whether the client still reads.
func send(conn net.Conn, text string) bool {
	_, err := io.WriteString(conn, text)
	return err == nil
}

// Raw sends bytes, which need not be HTTP, and closes the connection.
func Raw(bytes string) Fault {
	return func(conn net.Conn, _ *http.Request) { send(conn, bytes) }
}

// JSON responds normally, with a body and header lines such as "Retry-After: 1".
func JSON(status int, body string, header ...string) Fault {
	return Raw(fmt.Sprintf(
		"HTTP/1.1 %d Status\r\nContent-Type: application/json\r\nConnection: close\r\n%sContent-Length: %d\r\n\r\n%s",
		status, strings.Join(append(header, ""), "\r\n"), len(body), body))
}

// sendThen sends bytes and then, if the client still reads, does something else with the connection.
func sendThen(bytes string, then func(net.Conn)) Fault {
	return func(conn net.Conn, _ *http.Request) {
		if send(conn, bytes) {
			then(conn)
		}
	}
}

// Stall sends bytes, and then nothing until the client hangs up.
func Stall(bytes string) Fault { return sendThen(bytes, drain) }

func drain(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }

// Reset sends bytes, and resets the connection.
func Reset(bytes string) Fault { return sendThen(bytes, resetAtClose) }

func resetAtClose(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
}

// Repeat sends bytes, and then others for ever, with a pause before each.
func Repeat(bytes, part string, pause time.Duration) Fault {
	return sendThen(bytes, func(conn net.Conn) { repeat(conn, part, pause) })
}

func repeat(conn net.Conn, part string, pause time.Duration) {
	for ok := true; ok; ok = send(conn, part) {
		time.Sleep(pause)
	}
}

// Sequence uses one fault for each request, in order; the last one is repeated.
func Sequence(faults ...Fault) Fault {
	var request atomic.Int64
	return func(conn net.Conn, r *http.Request) {
		faults[min(int(request.Add(1)), len(faults))-1](conn, r)
	}
}
