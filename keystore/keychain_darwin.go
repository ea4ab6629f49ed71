package keystore

import (
	"context"
	"errors"
	"os/exec"
)

// exitReasons are the reasons by exit code of security(1), which is the low byte of the framework's status.
var exitReasons = map[int]Reason{
	36:  ReasonLocked, // errSecInteractionNotAllowed, -25308
	51:  ReasonDenied, // errSecAuthFailed, -25293
	128: ReasonDenied, // errSecUserCanceled, -128
}

// probe does nothing: only use shows whether the keychain works.
func probe(context.Context) error { return nil }

func platformReason(err error) Reason {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return ReasonOther
	}
	return exitReasons[exit.ExitCode()]
}
