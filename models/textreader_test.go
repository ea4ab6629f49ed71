package models

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// A text is read without its byte order mark, up to a limit; UTF-16 is an error.
func TestReadText(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text, want, says string
	}{
		"empty":                {"", "", ""},
		"a mark alone":         {"\uFEFF", "", ""},
		"marked":               {"\uFEFFa = 1", "a = 1", ""},
		"marked twice":         {"\uFEFF\uFEFFa", "\uFEFFa", ""},
		"a mark in it":         {"a\uFEFF", "a\uFEFF", ""},
		"the half of a mark":   {"\xEF\xBB", "\xEF\xBB", ""},
		"the mark's beginning": {"\xEFabc", "\xEFabc", ""},
		"an odd byte":          {"\xFFa", "\xFFa", ""},
		"of Windows":           {"\xFF\xFEa\x00", "", "it is UTF-16, not UTF-8: save it as UTF-8"},
		"of another order":     {"\xFE\xFF\x00a", "", "UTF-16"},
		"as long as allowed":   {"\uFEFF" + strings.Repeat("x", 1<<10), strings.Repeat("x", 1<<10), ""},
		"too long":             {strings.Repeat("x", 1<<10+1), "", "too long: more than 1 KiB"},
	} {
		got, err := ReadText(iotest.OneByteReader(strings.NewReader(c.text)), 1<<10)
		if string(got) != c.want || (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if tooLong := name == "too long"; errors.Is(err, ErrTooLong) != tooLong {
			t.Errorf("%s: %v", name, err)
		}
	}
	broken := iotest.ErrReader(errors.New("broken"))
	if _, err := ReadText(io.MultiReader(strings.NewReader("\xEF"), broken), 9); err == nil || err.Error() != "broken" {
		t.Error(err)
	}
}

// A line that is typed is read before there is another one.
func TestTextReaderDoesNotWaitForMore(t *testing.T) {
	t.Parallel()
	in, out := io.Pipe()
	go func() { _, _ = out.Write([]byte("y")) }()
	got := make([]byte, 8)
	if n, err := NewTextReader(in).Read(got); n != 1 || got[0] != 'y' || err != nil {
		t.Errorf("%d, %q, %v", n, got, err)
	}
}

// Whatever comes, in whatever pieces: the result is the bytes without one mark, or an error.
func FuzzReadText(f *testing.F) {
	for _, seed := range []string{"", "\uFEFF", "\uFEFFa", "\xEF\xBBa", "\xFF\xFEa\x00", "\xFE", "plain", "\uFEFF\uFEFF"} {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, doc []byte, pieces bool) {
		var from io.Reader = bytes.NewReader(doc)
		if pieces {
			from = iotest.DataErrReader(iotest.OneByteReader(from))
		}
		const limit = 1 << 12
		got, err := ReadText(from, limit)
		want := bytes.TrimPrefix(doc, []byte("\uFEFF"))
		wide := bytes.HasPrefix(doc, []byte{0xFE, 0xFF}) || bytes.HasPrefix(doc, []byte{0xFF, 0xFE})
		switch {
		case wide || len(want) > limit:
			if err == nil || got != nil {
				t.Errorf("%q: %q, %v", doc, got, err)
			}
		case err != nil || !bytes.Equal(got, want):
			t.Errorf("%q: %q, %v", doc, got, err)
		}
	})
}
