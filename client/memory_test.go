package client

import (
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"pgtower/internal/faultserver"
	"pgtower/models"
)

// weighed measures the live memory while bodies are read.
type weighed struct {
	http.RoundTripper
	base, most uint64
}

func (w *weighed) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := w.RoundTripper.RoundTrip(r)
	if err == nil {
		resp.Body = &weighedBody{ReadCloser: resp.Body, w: w}
	}
	return resp, err
}

type weighedBody struct {
	io.ReadCloser

	w    *weighed
	read int
}

func (b *weighedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	before := b.read
	b.read += n
	// Often at the beginning: bodies that take much memory for few bytes end there.
	if step := min(1<<20, max(32<<10, before)); before == 0 || b.read/step != before/step {
		b.w.most = max(b.w.most, alive())
	}
	return n, err
}

func alive() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Whatever the body, reading it ends, and takes at most twice the memory of the size limit.
func TestMemoryIsBounded(t *testing.T) { //nolint:paralleltest // measures the memory of the process
	const bound = 2 * maxBody
	wide := `{"operations":[{"id":"a"` + strings.Repeat(`,"":0`, maxValue/6)
	for name, c := range map[string]struct { //nolint:paralleltest // measures the memory of the process
		fault faultserver.Fault
		kind  models.Kind
	}{
		"the shortest records":  {faultserver.Endless(`{"operations":[0`, ",0"), models.KindTooLarge},
		"empty records":         {faultserver.Endless(`{"operations":[{}`, ",{}"), models.KindTooLarge},
		"long names":            {faultserver.Endless(`{"operations":[0`, `,{"id":"`+strings.Repeat("x", 100_000)+`"}`), models.KindTooLarge},
		"one long text":         {faultserver.Endless(`{"operations":["`, "x"), models.KindTooLarge},
		"one long number":       {faultserver.Endless(`{"operations":[1`, "0"), models.KindTooLarge},
		"many fields":           {faultserver.Endless(wide, `,"":0`), models.KindTooLarge},
		"white space":           {faultserver.Endless(`{"operations":[`, " "), models.KindTooLarge},
		"members":               {faultserver.Endless(`{"":0`, `,"":0`), models.KindTooLarge},
		"a long name":           {faultserver.Endless(`{"`, `x`), models.KindTooLarge},
		"what is skipped":       {faultserver.Endless(`{"skipped":[0`, `,{"":[0]}`), models.KindTooLarge},
		"lists over and over":   {faultserver.Endless(`{"operations":[]`, `,"operations":[`+strings.Repeat("0,", maxOperations-1)+`0]`), models.KindTooLarge},
		"a long cursor":         {faultserver.Endless(`{"pagination":{"cursor":"`, "x"), models.KindTooLarge},
		"behind the end":        {faultserver.Endless(`{"operations":[]}`, " "), models.KindTooLarge},
		"deeper and deeper":     {faultserver.Endless(`{"operations":[`, "["), models.KindMalformed},
		"a bomb of records":     {faultserver.GzipBomb(`{"operations":[0`, ",0"), models.KindTooLarge},
		"a bomb of text":        {faultserver.GzipBomb(`{"operations":["`, "x"), models.KindTooLarge},
		"a bomb of white space": {faultserver.GzipBomb(``, " "), models.KindTooLarge},
		"an error for ever":     {faultserver.Raw("HTTP/1.1 400 No\r\n\r\n" + strings.Repeat("no ", 1<<20)), models.KindInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			s := faultserver.Start(t, c.fault)
			own := connect(t, Options{BaseURL: s.URL(), Timeouts: Timeouts{Whole: 3 * time.Minute}})
			w := &weighed{RoundTripper: own.options.Transport, base: alive()}
			own.options.Transport = w
			err := listOperations(t.Context(), own)
			e := wantError(t, err, c.kind)
			if took := int64(w.most) - int64(w.base); took > bound || w.most == 0 {
				t.Errorf("took %d MiB", took>>20)
			}
			if len(e.Error()) > 2*maxText {
				t.Errorf("an error of %d bytes", len(e.Error()))
			}
			own.options.Transport = w.RoundTripper
		})
	}
}
