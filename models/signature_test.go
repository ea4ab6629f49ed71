package models

import (
	"strings"
	"testing"
)

// Ids, numbers, times, quoted texts and names are blank; the rest stays. The signature of a signature is the same.
func TestSignatureLeavesOutWhatDiffers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"compute did not become ready in time":                        "compute did not become ready in time",
		"no connection to the compute within 10s":                     "no connection to the compute within …",
		"postgres exited with status 1":                               "postgres exited with status …",
		"branch br-bitter-sound-247814 of storefront is locked":       "branch … of … is locked",
		`role "web app" is in use`:                                    "role … is in use",
		"role='web app'x, in use":                                     "…, in use",
		"can't lock 'main' (attempt 3 of 5)":                          "can't lock … (attempt … of …)",
		"pageserver ps-3 (10.0.0.1:6400): timeout":                    "pageserver … (…): timeout",
		"retry at 2026-03-01 12:00:00 UTC":                            "retry at … UTC",
		"storefront-2 is not storefront, and “that” is":               "… is not …, and … is",
		"an unclosed \" stays":                                        "an unclosed ' stays",
		"  spaces \t and\nlines ":                                     "spaces and lines",
		"":                                                            "",
		"endpoint ep-a-1 ep-b-2 5dfaa84f-1a6b-4d4c-8c8d-0f8f3f3c0a51": "endpoint …",
	} {
		got := Signature(text, "storefront")
		if again := Signature(got, "storefront"); got != want || again != want {
			t.Errorf("Signature(%q) = %q, then %q, not %q", text, got, again, want)
		}
	}
}

// A text of any length is read once: quotes that are never closed, and names, do not make it slower.
func TestSignatureOfALongText(t *testing.T) {
	t.Parallel()
	const size = 1 << 20
	for unit, want := range map[string]string{
		"“ ":          strings.TrimSpace(strings.Repeat("“ ", size)),
		"storefront ": Blank,
		"x":           strings.Repeat("x", size),
		"'a' ":        Blank,
	} {
		if got := Signature(strings.Repeat(unit, size), "storefront"); got != want {
			t.Errorf("%q: got %d bytes, not %d", unit, len(got), len(want))
		}
	}
}
