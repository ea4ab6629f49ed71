//go:build linux

package keystore_test

import (
	"fmt"
	"testing"

	"github.com/godbus/dbus/v5"
)

// player is a fake Secret Service with an unlocked login collection that shows a prompt before it stores anything.
type player struct {
	conn    *dbus.Conn
	silent  bool // never responds
	dismiss bool // dismisses the prompt at once; else it stays open
	prompts chan struct{}
	ended   chan struct{}
}

func (p *player) asked() bool { return len(p.prompts) > 0 }

// play runs the player on the session's bus until the test ends.
func play(t *testing.T, p *player) *player {
	t.Helper()
	conn, err := dbus.ConnectSessionBus()
	if err != nil {
		t.Fatal(err)
	}
	p.conn, p.prompts, p.ended = conn, make(chan struct{}, 8), make(chan struct{})
	t.Cleanup(func() { close(p.ended); _ = conn.Close() })
	const root, login = "/org/freedesktop/secrets", "/org/freedesktop/secrets/collection/login"
	for _, e := range []struct{ path, iface string }{
		{root, "org.freedesktop.DBus.Properties"},
		{login, "org.freedesktop.DBus.Properties"},
		{root, "org.freedesktop.Secret.Service"},
		{login, "org.freedesktop.Secret.Collection"},
		{root + "/prompt", "org.freedesktop.Secret.Prompt"},
		{root + "/session", "org.freedesktop.Secret.Session"},
	} {
		if err := conn.Export(p, dbus.ObjectPath(e.path), e.iface); err != nil {
			t.Fatal(err)
		}
	}
	reply, err := conn.RequestName("org.freedesktop.secrets", dbus.NameFlagDoNotQueue)
	if err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatalf("a keyring runs in this session: %v, %v", reply, err)
	}
	return p
}

// Get implements org.freedesktop.DBus.Properties.
func (p *player) Get(_, name string) (dbus.Variant, *dbus.Error) {
	if p.silent {
		<-p.ended
	}
	switch name {
	case "Collections":
		return dbus.MakeVariant([]dbus.ObjectPath{"/org/freedesktop/secrets/collection/login"}), nil
	case "Locked":
		return dbus.MakeVariant(false), nil
	}
	return dbus.Variant{}, dbus.MakeFailedError(fmt.Errorf("no property %s", name))
}

// OpenSession implements org.freedesktop.Secret.Service.
func (p *player) OpenSession(string, dbus.Variant) (dbus.Variant, dbus.ObjectPath, *dbus.Error) {
	return dbus.MakeVariant(""), "/org/freedesktop/secrets/session", nil
}

// Unlock implements org.freedesktop.Secret.Service.
func (p *player) Unlock(what []dbus.ObjectPath) ([]dbus.ObjectPath, dbus.ObjectPath, *dbus.Error) {
	return what, "/", nil
}

// SearchItems implements org.freedesktop.Secret.Collection: there are no items.
func (p *player) SearchItems(map[string]string) ([]dbus.ObjectPath, *dbus.Error) {
	return []dbus.ObjectPath{}, nil
}

// CreateItem implements org.freedesktop.Secret.Collection: it needs a prompt.
func (p *player) CreateItem(map[string]dbus.Variant, struct {
	Session     dbus.ObjectPath
	Parameters  []byte
	Value       []byte
	ContentType string
}, bool,
) (dbus.ObjectPath, dbus.ObjectPath, *dbus.Error) {
	return "/", "/org/freedesktop/secrets/prompt", nil
}

// Prompt implements org.freedesktop.Secret.Prompt.
func (p *player) Prompt(string) *dbus.Error {
	p.prompts <- struct{}{}
	if p.dismiss {
		go func() {
			_ = p.conn.Emit("/org/freedesktop/secrets/prompt",
				"org.freedesktop.Secret.Prompt.Completed", true, dbus.MakeVariant(""))
		}()
	}
	return nil
}

// Close implements org.freedesktop.Secret.Session.
func (p *player) Close() *dbus.Error { return nil }
