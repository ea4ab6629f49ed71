package client

import (
	"net/http"
	"testing"

	"pgtower/models"
)

// What a change answers is about what was asked, or the change is unknown.
func TestAnswersAboutAnotherKeyAreNoSuccess(t *testing.T) {
	t.Parallel()
	asked := models.APIKey{ID: 7, Name: "ci"}
	for name, body := range map[string]string{
		"another id":    `{"id":8,"name":"ci","revoked":true}`,
		"another name":  `{"id":7,"name":"web","revoked":true}`,
		"no id":         `{"name":"ci","revoked":true}`,
		"no revoked":    `{"id":7,"name":"ci"}`,
		"not revoked":   `{"id":7,"name":"ci","revoked":false}`,
		"an empty body": `{}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := through(t, func(*http.Request) (*http.Response, error) { return answer(200, body), nil })
			err := ignoreNil(c.RevokeAPIKey(t.Context(), asked))
			wantKind(t, err, models.KindMalformed)
			if !models.MaybeRevoked(err) {
				t.Error("the revocation is not unknown")
			}
		})
	}
	for _, body := range []string{`{"id":7,"key":"napi_new","name":"web"}`, `{"key":"napi_new"}`, `{"id":0,"key":"napi_new"}`, `{}`} {
		c := through(t, func(*http.Request) (*http.Response, error) { return answer(200, body), nil })
		made, err := c.CreateAPIKey(t.Context(), "ci", models.Reach{})
		wantKind(t, err, models.KindMalformed)
		if !models.MaybeDone(err) || made != (models.CreatedAPIKey{}) {
			t.Errorf("%s: created %+v", body, made)
		}
	}
}

// A list is as of the time that its own answer tells: this computer's clock may have been set since the last one.
func TestKeysWhenTheyWereRead(t *testing.T) {
	t.Parallel()
	const body = `[{"id":1,"name":"a","created_at":"2026-01-01T00:00:00Z","last_used_at":"2026-11-23T12:00:05Z"},
		{"id":2,"name":"b","created_at":"2026-02-01T00:00:00Z"}]`
	for date, want := range map[string]string{
		"Mon, 23 Nov 2026 12:00:07 GMT": "12:00:07",
		"":                              "12:00:05",
		"yesterday":                     "12:00:05",
	} {
		c := through(t, func(*http.Request) (*http.Response, error) {
			r := answer(200, body)
			r.Header.Set("Date", date)
			return r, nil
		})
		all, err := c.APIKeys(t.Context(), models.ListID{})
		if err != nil || len(all) != 2 || all[0].AsOf.Format("15:04:05") != want || all[1].AsOf != all[0].AsOf {
			t.Errorf("%q: %v, %v", date, all, err)
		}
	}
}
