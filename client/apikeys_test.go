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
	c := through(t, func(*http.Request) (*http.Response, error) {
		return answer(200, `{"id":7,"key":"napi_new","name":"web"}`), nil
	})
	made, err := c.CreateAPIKey(t.Context(), "ci", models.Reach{})
	wantKind(t, err, models.KindMalformed)
	if !models.MaybeDone(err) || made != (models.CreatedAPIKey{}) {
		t.Errorf("created %+v", made)
	}
}
