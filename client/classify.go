package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"strings"

	"pgtower/models"
)

// failed completes the failure for an error of the network or of the context. Where the
// failure has a status, the service did answer, but not to the end.
func (c *Client) failed(ctx context.Context, failure *models.Error, err error) *models.Error {
	failure.Kind = kindOfFailure(ctx, err)
	if failure.Status != 0 {
		switch failure.Kind {
		case models.KindTimeout:
			failure.Kind = models.KindStalled
		case models.KindUnreachable, models.KindTLS:
			failure.Kind = models.KindCutOff
		default:
		}
	}
	failure.Err = c.sealed(err)
	return failure
}

// kindOfFailure tells apart what a user would do different things about. The
// caller's context comes first: when it is over, whatever else broke did so because
// of that.
func kindOfFailure(ctx context.Context, err error) models.Kind {
	var timeout interface{ Timeout() bool }
	switch {
	case errors.Is(ctx.Err(), context.Canceled), errors.Is(err, context.Canceled):
		return models.KindCanceled
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return models.KindTimeout
	case isTLS(err):
		return models.KindTLS
	}
	return kindOfHTTP(err.Error())
}

// kindOfHTTP tells an answer that is not HTTP, or too much of it, from a connection that
// failed. Package net/http has only texts for these.
func kindOfHTTP(text string) models.Kind {
	switch {
	case strings.Contains(text, "headers exceeded"), strings.Contains(text, "header list larger"):
		return models.KindTooLarge
	case strings.Contains(text, "malformed HTTP"):
		return models.KindMalformed
	}
	return models.KindUnreachable
}

func isTLS(err error) bool {
	if errors.Is(err, http.ErrSchemeMismatch) {
		return true
	}
	var (
		verification *tls.CertificateVerificationError
		header       tls.RecordHeaderError
		authority    x509.UnknownAuthorityError
		hostname     x509.HostnameError
		invalid      x509.CertificateInvalidError
		op           *net.OpError
	)
	switch {
	case errors.As(err, &verification), errors.As(err, &header),
		errors.As(err, &authority), errors.As(err, &hostname), errors.As(err, &invalid):
		return true
	case isOldTLS(err):
		return true
	case errors.As(err, &op):
		// What crypto/tls calls an alert, received and sent; its type is its own.
		return op.Op == "remote error" || op.Op == "local error"
	}
	return false
}

// isOldTLS reports whether the two sides have no version of TLS in common: pgtower takes none below 1.2. crypto/tls has no
// type for either of its errors.
func isOldTLS(err error) bool {
	return strings.Contains(err.Error(), "tls: protocol version not supported") ||
		strings.Contains(err.Error(), "tls: server selected unsupported protocol version")
}

// sealedError is a cause whose text is safe to show. Texts of the network contain
// what the other side sent: a certificate's names, a status line. The cause can be
// matched, but not unwrapped, so that no one prints it by the way.
type sealedError struct {
	text string
	err  error
}

func (e *sealedError) Error() string        { return e.text }
func (e *sealedError) Is(target error) bool { return errors.Is(e.err, target) }
func (e *sealedError) As(target any) bool   { return errors.As(e.err, target) }

func (c *Client) sealed(err error) error {
	return &sealedError{text: c.safe(err.Error()), err: err}
}
