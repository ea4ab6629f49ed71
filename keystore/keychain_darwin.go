package keystore

import (
	"context"
	"errors"
	"os/exec"
)

// Exit codes of security(1), which go-keyring runs: the low byte of the framework's status.
const (
	exitInteractionNotAllowed = 36  // errSecInteractionNotAllowed, -25308
	exitAuthFailed            = 51  // errSecAuthFailed, -25293
	exitCanceled              = 128 // errSecUserCanceled, -128
)

// probe has nothing to ask: whether the keychain answers shows when it is used.
func probe(context.Context) error { return nil }

// platformReason tells the errors of security(1) apart.
func platformReason(err error) Reason {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return ReasonOther
	}
	switch exit.ExitCode() {
	case exitInteractionNotAllowed:
		return ReasonLocked
	case exitAuthFailed, exitCanceled:
		return ReasonDenied
	}
	return ReasonOther
}
