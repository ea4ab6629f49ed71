package models

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"testing"
)

func TestRedactorTakesKeysOutOfTexts(t *testing.T) {
	t.Parallel()
	const odd = `Ab+/="\%c~Z9`
	r := Redactor{}.With(NewSecret(hidden), NewSecret(odd), NewSecret("short"), Secret{})
	for text, want := range map[string]string{
		"":                                    "",
		"a short text":                        "a short text",
		"Bearer " + hidden + ", " + hidden:    "Bearer •••, •••",
		"x" + odd + "x":                       "x•••x",
		fmt.Sprintf("%q", odd):                `"•••"`,
		"/?key=" + url.QueryEscape(odd) + "&": "/?key=•••&",
		"/" + url.PathEscape(odd) + "/":       "/•••/",
	} {
		if got := r.Text(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
		if got := (Redactor{}).Text(text); got != text {
			t.Errorf("without a key, %q became %q", text, got)
		}
	}
}

func TestRedactorTakesKeysOutOfJSON(t *testing.T) {
	t.Parallel()
	r := Redactor{}.With(NewSecret("napi_s3cret/key"))
	for doc, want := range map[string]string{
		`{"a": [1, "b\/c", "\u00e4"]}`:                          `{"a": [1, "b\/c", "\u00e4"]}`,
		`{"a":"napi_s3cret/key", "n" : 9007199254740993}`:       `{"a":"•••", "n" : 9007199254740993}`,
		`{"napi_s3cret/key":[["x napi_s3cret/key"],null]}`:      `{"•••":[["x •••"],null]}`,
		`["\u006eapi_s3cret\/key", "\"\\", "napi_s3cret\/key"]`: `["•••", "\"\\", "•••"]`,
		`"napi_s3cret%2Fkey"`:                                   `"•••"`,
		`{}`:                                                    `{}`,
	} {
		if got := string(r.JSON([]byte(doc))); got != want {
			t.Errorf("%s became %s, want %s", doc, got, want)
		}
	}
}

func FuzzRedactor(f *testing.F) {
	f.Add(`{"id":"x","error":"napi_s3cret-key","n":1}`)
	f.Add(`["\u006eapi_s3cret-key",{"napi_s3cret-key":"\\"}]`)
	f.Fuzz(func(t *testing.T, doc string) {
		r := Redactor{}.With(NewSecret("napi_s3cret-key"))
		got := r.JSON([]byte(doc))
		var before, after any
		if json.Unmarshal([]byte(doc), &before) != nil {
			return // it ends and stays inside
		}
		if err := json.Unmarshal(got, &after); err != nil {
			t.Fatalf("%s became %s: %v", doc, got, err)
		}
		said, _ := json.Marshal(after)
		if bytes.Contains(said, []byte("napi_s3cret-key")) {
			t.Errorf("%s became %s", doc, got)
		}
		if plain, _ := json.Marshal(before); !bytes.Contains(plain, []byte("napi_s3cret-key")) && !reflect.DeepEqual(before, after) {
			t.Errorf("%s became %s", doc, got)
		}
	})
}
