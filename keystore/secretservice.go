//go:build linux || netbsd || openbsd || (freebsd && cgo) || (dragonfly && cgo)

package keystore

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"slices"
	"strings"

	"github.com/godbus/dbus/v5"
)

const (
	secretsName     = "org.freedesktop.secrets"
	secretsPath     = "/org/freedesktop/secrets"
	serviceIface    = "org.freedesktop.Secret.Service"
	collectionIface = "org.freedesktop.Secret.Collection"
	loginCollection = "/org/freedesktop/secrets/collection/login"
	noObject        = "/"
)

// probe returns why the keyring cannot be used now, or nil. It launches nothing and shows no prompt. go-keyring does
// both: without a bus it runs dbus-launch, and it asks to unlock a locked collection and waits without limit.
func probe(ctx context.Context) error {
	conn, err := dbus.SessionBusPrivateNoAutoStartup(dbus.WithContext(ctx))
	if err != nil {
		return fmt.Errorf("%w: %w", ReasonNoBus, err)
	}
	defer conn.Close() //nolint:errcheck // nothing was written
	err = conn.Auth(nil)
	if err == nil {
		err = conn.Hello()
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ReasonNoBus, err)
	}
	collection, err := collectionInUse(ctx, conn)
	if err != nil {
		return err
	}
	locked, err := property[bool](ctx, conn, collection, collectionIface, "Locked")
	if err == nil && locked {
		err = ReasonLocked
	}
	return err
}

// collectionInUse returns the collection that go-keyring uses: the login keyring, or else the default one.
func collectionInUse(ctx context.Context, conn *dbus.Conn) (dbus.ObjectPath, error) {
	paths, err := property[[]dbus.ObjectPath](ctx, conn, secretsPath, serviceIface, "Collections")
	if err != nil {
		return "", err
	}
	if slices.Contains(paths, loginCollection) {
		return loginCollection, nil
	}
	var path dbus.ObjectPath
	err = conn.Object(secretsName, secretsPath).
		CallWithContext(ctx, serviceIface+".ReadAlias", dbus.FlagNoAutoStart, "default").Store(&path)
	if err != nil {
		return "", err
	}
	if path == noObject {
		return "", ReasonNoCollection
	}
	return path, nil
}

func property[T any](ctx context.Context, conn *dbus.Conn, path dbus.ObjectPath, iface, name string) (T, error) {
	var v dbus.Variant
	var value T
	err := conn.Object(secretsName, path).
		CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", dbus.FlagNoAutoStart, iface, name).Store(&v)
	if err == nil {
		err = v.Store(&value)
	}
	return value, err
}

var busReasons = map[string]Reason{
	"org.freedesktop.DBus.Error.ServiceUnknown": ReasonNoService,
	"org.freedesktop.DBus.Error.NameHasNoOwner": ReasonNoService,
	"org.freedesktop.DBus.Error.NoReply":        ReasonNoService,
	"org.freedesktop.DBus.Error.AccessDenied":   ReasonDenied,
	"org.freedesktop.Secret.Error.IsLocked":     ReasonLocked,
	"org.freedesktop.Secret.Error.NoSuchObject": ReasonNoCollection,
}

func platformReason(err error) Reason {
	fromBus, isFromBus := errors.AsType[dbus.Error](err)
	_, isNetwork := errors.AsType[*net.OpError](err)
	_, isLaunch := errors.AsType[*exec.Error](err)
	switch {
	case isFromBus:
		return busReasons[fromBus.Name]
	case isNetwork, isLaunch, errors.Is(err, dbus.ErrClosed):
		return ReasonNoBus
	case strings.HasPrefix(err.Error(), "failed to unlock correct collection"):
		// go-keyring has no error value for this.
		return ReasonLocked
	}
	return ReasonOther
}
