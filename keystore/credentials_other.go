//go:build !darwin && !linux && !netbsd && !openbsd && !(freebsd && cgo) && !(dragonfly && cgo)

package keystore

import (
	"context"
	"errors"
	"io/fs"
)

// probe has nothing to ask: whether a keyring answers shows when it is used.
func probe(context.Context) error { return nil }

func platformReason(err error) Reason {
	if errors.Is(err, fs.ErrPermission) {
		return ReasonDenied
	}
	return ReasonOther
}
