package keystore

import (
	"math"
	"testing"

	"pgtower/models"
)

// An item has the id of the key, if that is known, and is read as it was written.
func TestKeyItem(t *testing.T) {
	t.Parallel()
	for item, want := range map[string]Key{
		"s3cret":                     {Secret: models.NewSecret("s3cret")},
		"165440 s3cret":              {Secret: models.NewSecret("s3cret"), ID: 165440},
		"9223372036854775807 s3cret": {Secret: models.NewSecret("s3cret"), ID: math.MaxInt64},
		"165440":                     {Secret: models.NewSecret("165440")},
	} {
		if got := want.item(); got != item {
			t.Errorf("the item of %d is %q, want %q", want.ID, got, item)
		}
		if got := parseItem(item); got != want {
			t.Errorf("%q: got %d %q", item, got.ID, got.Secret.Reveal())
		}
	}
}

// An item that another program has written is read as a key if it can be one, and else whole as a secret.
func TestKeyItemOfAnotherProgram(t *testing.T) {
	t.Parallel()
	for item, want := range map[string]Key{
		"":                            {},
		" \n":                         {},
		"  s3cret\n":                  {Secret: models.NewSecret("s3cret")},
		" 165440   s3cret \n":         {Secret: models.NewSecret("s3cret"), ID: 165440},
		"-1 s3cret":                   {Secret: models.NewSecret("-1 s3cret")},
		"0 s3cret":                    {Secret: models.NewSecret("0 s3cret")},
		"two words":                   {Secret: models.NewSecret("two words")},
		"99999999999999999999 s3cret": {Secret: models.NewSecret("99999999999999999999 s3cret")},
	} {
		if got := parseItem(item); got != want {
			t.Errorf("%q: got %d %q", item, got.ID, got.Secret.Reveal())
		}
	}
}
