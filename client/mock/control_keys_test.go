package mock_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"pgtower/client/mock"
)

// Who has lost all keys makes another, and is told so where a state has none.
func TestControlMakesKeys(t *testing.T) {
	t.Parallel()
	srv, api, c := controlled(t, mock.Options{})
	if !srv.RevokeSecret(api.key) || srv.HasKeys() {
		t.Error("there is a key that can be used")
	}
	var state, loaded, created record
	c.get(t, "/state", &state)
	text, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	c.call(t, http.MethodPut, "/state", string(text)).ok(t, &loaded)
	if !strings.Contains(fmt.Sprint(loaded["warning"]), "no key of this state can be used") {
		t.Errorf("%v", loaded)
	}
	c.call(t, http.MethodPost, "/keys", `{"name":"rescue"}`).ok(t, &created)
	api.key = fmt.Sprint(created["key"])
	if key := findKey(t, api, fmt.Sprint(created["id"])); key["name"] != "rescue" {
		t.Errorf("%v", key)
	}
	c.get(t, "/state", &state)
	if text, err = json.Marshal(state); err != nil {
		t.Fatal(err)
	}
	loaded = nil
	c.call(t, http.MethodPut, "/state", string(text)).ok(t, &loaded)
	if loaded["warning"] != nil {
		t.Errorf("%v", loaded)
	}
	api.get(t, "/projects", &projectPage{})
}
