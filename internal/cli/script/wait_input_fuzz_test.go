package script

import (
	"testing"

	"pgtower/models"
)

// Anything may come from a pipe: it has operations with ids, or an error that can be printed says what is wrong.
func FuzzWaitInput(f *testing.F) {
	for _, seed := range []string{
		"5dfaa84f-1a6b-4d4c-8c8d-0f8f3f3c0a51\n", `{"id":"5dfaa84f-1a6b-4d4c-8c8d-0f8f3f3c0a51","project_id":"p"}`, "5dfaa84f-1a6b-4d4c-8c8d-0f8f3f3c0a51 napi_s3cret0",
		"", "null", "{}", "[]", `{"operations":[{"id":"a","project_id":"p"}]}`, `{"operation":{"id":"a"}}{"operations":[]}`,
		`{"operations":[{"id":"a"},{"id":"a"},{}]}`, `{"message":"no\u001b[31m"}`, `{"operations":{}}`, `{"operations":[1,null]}`,
		`{"OPERATIONS":[{"ID":"x"}],"operation":null}`, `{"message":"napi_s3cret0"}`, "{\"operation\":{\"id\":\"\xff\"}}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		operations, err := startedBy(text)
		if err != nil {
			said := err.Error()
			if operations != nil || said != models.Clean(said) || len(said) > 1000 || models.FindKey(said) >= 0 {
				t.Errorf("%q: %d operations, %q", text, len(operations), said)
			}
			return
		}
		if len(operations) == 0 {
			t.Errorf("%q: nothing to wait for", text)
		}
		known := map[string]bool{}
		for _, op := range operations {
			if known[op.ID] || op.ID == "" || op.ID != models.Clean(op.ID) {
				t.Errorf("%q: the id %q", text, op.ID)
			}
			known[op.ID] = true
		}
	})
}
