package mock_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/client/mock"
)

// say adds a fault in words.
func say(t *testing.T, srv *mock.Server, text string) {
	t.Helper()
	f, err := mock.ParseFault(text)
	if err != nil {
		t.Fatal(err)
	}
	inject(t, srv, f)
}

// statuses makes n requests.
func statuses(t *testing.T, c target, n int) []int {
	t.Helper()
	var out []int
	for range n {
		out = append(out, c.call(t, http.MethodGet, "/api_keys", "").status)
	}
	return out
}

// Which requests are hit follows from the seed, and their share from the probability.
func TestFaultProbability(t *testing.T) {
	t.Parallel()
	run := func(seed uint64) []int {
		srv, _ := newServer(t, mock.Options{Seed: seed})
		say(t, srv, "503 p=0.25")
		return statuses(t, handlerTarget(srv), 1000)
	}
	first := run(1)
	if !slices.Equal(first, run(1)) {
		t.Error("two runs of the same seed meet different faults")
	}
	if slices.Equal(first, run(2)) {
		t.Error("two seeds meet the same faults")
	}
	hit := len(slices.DeleteFunc(first, func(status int) bool { return status == 200 }))
	if hit < 200 || hit > 300 {
		t.Errorf("%d of 1000 requests were hit, at p=0.25", hit)
	}
}

func TestFaultList(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	c := handlerTarget(srv)
	say(t, srv, "503 skip=1 count=2")
	say(t, srv, "500 of list_keys")
	if got := statuses(t, c, 2); !slices.Equal(got, []int{500, 503}) {
		t.Errorf("statuses %v", got)
	}
	all := srv.Faults()
	if len(all) != 2 || all[0].ID != 1 || all[0].Passed != 1 || all[0].Hits != 1 || all[1].ID != 2 || all[1].Hits != 1 {
		t.Errorf("the faults are %+v", all)
	}
	if !srv.Remove(2) || srv.Remove(2) || srv.Remove(3) {
		t.Error("a fault can be removed once")
	}
	if got := statuses(t, c, 2); !slices.Equal(got, []int{503, 200}) {
		t.Errorf("statuses %v", got)
	}
	if all := srv.Faults(); len(all) != 1 || !all[0].Spent() || all[0].Hits != 2 {
		t.Errorf("the faults are %+v", all)
	}
	if !srv.Remove(1) || len(srv.Faults()) != 0 {
		t.Errorf("left %v", srv.Faults())
	}
	say(t, srv, "500")
	say(t, srv, "501")
	srv.ClearFaults()
	if got := statuses(t, c, 1); got[0] != 200 || len(srv.Faults()) != 0 {
		t.Errorf("statuses %v, left %v", got, srv.Faults())
	}
}

// What only waits adds up, and hides nothing that comes after it.
func TestLatencies(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv, _ := newServer(t, mock.Options{})
		c := handlerTarget(srv)
		say(t, srv, "latency=1s±200ms")
		say(t, srv, "latency=10s")
		say(t, srv, "503 latency=100s")
		say(t, srv, "latency=1000s")
		seen := map[time.Duration]bool{}
		for range 100 {
			began := time.Now()
			if got := statuses(t, c, 1); got[0] != 503 {
				t.Errorf("status %d", got[0])
			}
			took := time.Since(began)
			if took < 110800*time.Millisecond || took > 111200*time.Millisecond {
				t.Errorf("it took %s", took)
			}
			seen[took.Truncate(10*time.Millisecond)] = true
		}
		if len(seen) < 20 {
			t.Errorf("the jitter has %d values only", len(seen))
		}
	})
}

func TestTrickle(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv, _ := newServer(t, mock.Options{})
		c := handlerTarget(srv)
		want := c.call(t, http.MethodGet, "/projects", "").body
		say(t, srv, "trickle=10s")
		began := time.Now()
		got := c.call(t, http.MethodGet, "/projects", "")
		if took := time.Since(began); took != 10*time.Second {
			t.Errorf("it took %s", took)
		}
		if string(got.body) != string(want) {
			t.Errorf("%s became %s", want, got.body)
		}
	})
}

func TestFaultsThatHangUp(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	c := overHTTP(t, srv)
	for _, text := range []string{"empty count=1", "reset count=1"} {
		say(t, srv, text)
		// A POST, because the transport repeats a GET on its own.
		resp, err := c.client.Do(c.request(t, http.MethodPost, "/api_keys", `{"key_name":"hangs up"}`))
		if err == nil {
			_ = resp.Body.Close()
			t.Errorf("%s: an answer", text)
		}
		if empty := errors.Is(err, io.EOF); empty != (text == "empty count=1") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if got := statuses(t, c, 1); got[0] != 200 {
		t.Errorf("status %d afterwards", got[0])
	}
}

// The fault of each status that clients have to live with, with the usual body.
func TestFaultStatuses(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	c := handlerTarget(srv)
	for _, status := range []int{401, 423, 429, 500, 502, 503, 504} {
		say(t, srv, fmt.Sprintf("%d count=1 retry-after=1500ms", status))
		a := c.call(t, http.MethodGet, "/projects", "")
		a.problem(t, status)
		if got := a.header.Get("Retry-After"); got != "2" {
			t.Errorf("%d: Retry-After %q", status, got)
		}
	}
}

// To come back at once is something that can be said.
func TestFaultRetryAtOnce(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	for text, want := range map[string][]string{"429 count=1": nil, "429 count=1 retry-after=0": {"0"}} {
		say(t, srv, text)
		if got := handlerTarget(srv).call(t, http.MethodGet, "/projects", "").header.Values("Retry-After"); !slices.Equal(got, want) {
			t.Errorf("%s: Retry-After %q", text, got)
		}
	}
}

// Spent faults are kept to be looked at, but not for ever, and at no cost to the others.
func TestSpentFaults(t *testing.T) {
	t.Parallel()
	srv, _, c := controlled(t, mock.Options{})
	api := handlerTarget(srv)
	say(t, srv, "503 of create_key")
	for range 130 {
		say(t, srv, "500 count=1 of list_keys")
		if got := statuses(t, api, 2); !slices.Equal(got, []int{500, 200}) {
			t.Fatalf("statuses %v", got)
		}
	}
	var list struct{ Faults []record }
	c.get(t, "/faults", &list)
	if n := len(list.Faults); n != 101 || list.Faults[0]["spent"] != false || fmt.Sprint(list.Faults[1]["id"]) != "32" || list.Faults[1]["spent"] != true {
		t.Errorf("%d faults, %v", n, list.Faults[:2])
	}
}
