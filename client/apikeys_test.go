package client

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/models"
	keymodel "pgtower/models/keys"
)

// A response to a change that is about another key, or lacks an id or the confirmation, leaves the outcome unknown.
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
			c := through(t, respond(200, body))
			err := ignoreNil(c.RevokeAPIKey(t.Context(), asked))
			wantKind(t, err, models.KindMalformed)
			if keymodel.Refused(err) {
				t.Error("the revocation is not unknown")
			}
		})
	}
	for _, body := range []string{`{"id":7,"key":"napi_new","name":"web"}`, `{"key":"napi_new"}`, `{"id":0,"key":"napi_new"}`, `{}`} {
		c := through(t, respond(200, body))
		made, err := c.CreateAPIKey(t.Context(), "ci", models.Reach{})
		wantKind(t, err, models.KindMalformed)
		if keymodel.Refused(err) || made != (models.CreatedAPIKey{}) {
			t.Errorf("%s: created %+v", body, made)
		}
	}
}

// A single date proves nothing: the list is then as of the newest time in it, or of its date if that is earlier.
func TestKeysWhenTheyWereRead(t *testing.T) {
	t.Parallel()
	const body = `[{"id":1,"name":"a","created_at":"2026-01-01T00:00:00Z","last_used_at":"2026-11-23T12:00:05Z"},
		{"id":2,"name":"b","created_at":"2026-02-01T00:00:00Z"}]`
	for date, want := range map[string]string{
		"Mon, 23 Nov 2026 12:00:07 GMT": "12:00:05",
		"Mon, 23 Nov 2026 12:00:03 GMT": "12:00:03",
		"":                              "12:00:05",
		"yesterday":                     "12:00:05",
	} {
		c := through(t, func(*http.Request) (*http.Response, error) {
			r := answer(200, body)
			r.Header.Set("Date", date)
			return r, nil
		})
		all, err := c.APIKeys(t.Context(), models.ListID{})
		if err != nil || len(all) != 2 || all[0].AsOf.Early.Round(time.Second).Format("15:04:05") != want || all[1].AsOf != all[0].AsOf {
			t.Errorf("%q: %v, %v", date, all, err)
		}
		if !all[0].AsOf.Late.IsZero() {
			t.Errorf("%q bounds the time", date)
		}
	}
}

// Dates that agree bound the time of a list, and its own date, which may be wrong, only makes it earlier.
func TestKeysAreNotDatedLaterByAWrongDate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const ahead = 2 * time.Hour // the service's clock
		wrong := time.Duration(0)
		c := through(t, func(*http.Request) (*http.Response, error) {
			date := time.Now().Add(ahead + wrong).UTC().Format(http.TimeFormat)
			return answer(200, `[{"id":1,"created_at":"2026-01-01T00:00:00Z"}]`, "Date", date), nil
		})
		read := func() models.Moment {
			time.Sleep(time.Second / 3)
			all, err := c.APIKeys(t.Context(), models.ListID{})
			if err != nil {
				t.Fatal(err)
			}
			return all[0].AsOf
		}
		for range maxOffsets {
			read()
		}
		for _, wrong = range []time.Duration{0, 48 * time.Hour, -48 * time.Hour} {
			got, truth := read(), time.Now().Add(ahead)
			if got.Early.After(truth) || got.Late.Before(truth) || got.Late.Sub(truth) > time.Second {
				t.Errorf("with a date that is %s off: %v, it is %v", wrong, got, truth)
			}
			if early := truth.Sub(got.Early); wrong >= 0 && early > time.Second {
				t.Errorf("with a date that is %s off: %s early", wrong, early)
			}
		}
	})
}
