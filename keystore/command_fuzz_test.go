package keystore

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgtower/models"
)

// A key command may print anything, in any pieces: what is kept is bounded, and what is shown has no key and acts on no
// terminal.
func FuzzKeyCommandOutput(f *testing.F) {
	f.Add([]byte(""), 1, 1)
	f.Add([]byte("napi_s3cret-key\n"), 3, 1)
	f.Add([]byte("x napi_s3cret-key\x1b[31m \xff\n"), 7, 9000)
	f.Add([]byte("0123456789abcdefghijklmnopqrstuvwxyz "), 1000, 4000)
	f.Add([]byte("\n"), 1, 100_000)
	f.Fuzz(func(t *testing.T, part []byte, size, times int) {
		const key = "napi_s3cret-key"
		times = min(max(1, times), 2*maxCommandOutput/max(1, len(part)))
		size = max(1, size, len(part)*times/1000)
		first, last := &output{}, &output{last: true}
		for range times {
			for rest := part; len(rest) > 0; rest = rest[min(size, len(rest)):] {
				for _, out := range []*output{first, last} {
					if n, err := out.Write(rest[:min(size, len(rest))]); err != nil || n != min(size, len(rest)) {
						t.Fatal(n, err)
					}
				}
			}
		}
		whole := strings.Repeat(string(part), times)
		if text := first.text(); !strings.HasPrefix(whole, text) || len(text) > maxCommandOutput {
			t.Errorf("the first part of %q × %d is another: %d bytes", part, times, len(text))
		}
		if text := last.text(); !strings.HasSuffix(whole, text) || len(text) > maxCommandOutput {
			t.Errorf("the last part of %q × %d is another: %d bytes", part, times, len(text))
		}
		shown := stderrTail(last.text(), models.NewSecret(key))
		if strings.Contains(shown, key) || models.FindKey(shown) >= 0 || shown != models.Clean(shown) || !utf8.ValidString(shown) {
			t.Errorf("%q × %d is shown as %q", part, times, shown)
		}
		// Cleaning replaces bytes by U+FFFD, which has three.
		if len(shown) > 3*maxStderr+len("…") {
			t.Errorf("%d bytes are shown", len(shown))
		}
	})
}
