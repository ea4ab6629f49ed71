package main

import (
	"os"
	"testing"
	"testing/synctest"
	"time"
)

func demoTime(t *testing.T) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, demoClock)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// TestRecordings compares the recordings with the program, or writes them anew: fake time is to
// be had in tests only.
func TestRecordings(t *testing.T) {
	t.Parallel()
	write := os.Getenv(envWrite) != ""
	if !write && os.Getenv(envCompare) == "" {
		t.Skipf("set %s=1 to compare the recordings with the program, %s=1 to write them", envCompare, envWrite)
	}
	for _, r := range recordings() {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			var svg []byte
			synctest.Test(t, func(t *testing.T) { svg = roll(t, r).draw() })
			path := r.name + ".svg"
			if !write {
				if err := compare(path, svg); err != nil {
					t.Error(err)
				}
				return
			}
			if err := os.WriteFile(path, svg, 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}
