package mock

import (
	"testing"

	"pgregory.net/rapid"
)

func TestOperationIDsAreReversible(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key, other := rapid.Uint64().Draw(t, "key"), rapid.Uint64().Draw(t, "other")
		number := rapid.OneOf(
			rapid.Int64Range(-1<<35, 1<<35),
			rapid.Int64Range(startedBias, startedBias+1<<20),
		).Draw(t, "number")
		id := operationID(key, number)
		if !isUUID(id) || id[14] != '4' {
			t.Fatalf("%s is not a version 4 UUID", id)
		}
		if got, ok := operationNumber(key, id); !ok || got != number {
			t.Fatalf("%d became %d", number, got)
		}
		if _, ok := operationNumber(other, id); ok && other != key {
			t.Fatalf("%s is known to another project", id)
		}
	})
}

func FuzzOperationNumber(f *testing.F) {
	f.Add(operationID(1, 1))
	f.Add("00000000-0000-4000-8000-000000000000")
	f.Add("")
	f.Fuzz(func(t *testing.T, id string) {
		number, ok := operationNumber(1, id)
		if ok && number >= 0 && operationID(1, number) == "" {
			t.Error(id)
		}
	})
}
