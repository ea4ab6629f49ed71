package mock_test

import (
	"net/http"
	"testing"
	"time"

	"pgtower/client/mock"
)

func TestParseSpan(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for text, want := range map[string]time.Duration{
		"1d": day, "2d12h": 2*day + 12*time.Hour, "0.5d": day / 2, "90s": 90 * time.Second, "1h30m": 90 * time.Minute, "0": 0, "-1h": -time.Hour,
	} {
		if got, err := mock.ParseSpan(text); err != nil || got != want {
			t.Errorf("%s is %s, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "d", "1", "1d-2h", "-1d", "NaNd", "1e9d", "1dd", "12hd", "1d 2h", "1d2000000h"} {
		if got, err := mock.ParseSpan(text); err == nil {
			t.Errorf("%q was read as %s", text, got)
		}
	}
}

func TestControlAdvancesByDays(t *testing.T) {
	t.Parallel()
	srv, _, c := controlled(t, mock.Options{})
	before := srv.Now()
	var clock record
	c.call(t, http.MethodPost, "/clock", `{"advance": "1d1s"}`).ok(t, &clock)
	if ahead := srv.Now().Sub(before); ahead != 24*time.Hour+time.Second {
		t.Errorf("advanced by %s", ahead)
	}
}
