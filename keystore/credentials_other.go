//go:build !darwin && !linux && !netbsd && !openbsd && !(freebsd && cgo) && !(dragonfly && cgo)

package keystore

import (
	"context"
	"errors"
	"io/fs"
)

// probe does nothing: only use shows whether the keyring works.
func probe(context.Context) error { return nil }

func platformReason(err error) Reason {
	if errors.Is(err, fs.ErrPermission) {
		return ReasonDenied
	}
	return ReasonOther
}
