package dialog

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/action"
	"pgtower/ui/page"
)

// Secret is the state of the dialog. It is there from the moment that the key is asked
// for, so that nobody's typing meets it unforeseen. It cannot be left by accident:
// without the key having been seen, copied or kept, leaving asks again.
type Secret struct {
	name     string
	made     bool // the service has answered
	created  models.CreatedAPIKey
	problem  []Line // why there is no key, or none that can be used
	doing    string // what is being waited for, or empty
	revealed bool   // it is on the screen now
	seen     bool
	sent     bool // to a clipboard that does not say whether it took it
	copied   bool
	kept     string // where, once it is
	failed   string // why it could not be kept, or empty
	keep     tea.Msg
	abandon  tea.Msg
	asked    bool // whether to keep it
	warned   bool
}

// NewSecret waits for a key that is being created under the name.
func NewSecret(name string) *Secret { return &Secret{name: name, doing: "Creating the key…"} }

// Created shows the key.
func (m *Secret) Created(key models.CreatedAPIKey) { m.doing, m.made, m.created = "", true, key }

// NotCreated says why there is none.
func (m *Secret) NotCreated(problem ...Line) { m.doing, m.made, m.problem = "", true, problem }

// Unusable says why the secret of a key that was created can be neither shown nor used.
func (m *Secret) Unusable(key models.CreatedAPIKey, problem ...Line) {
	m.Created(key)
	m.problem = problem
}

// OfferKeep lets the person keep the key as the profile's own. msg asks the page for
// it, which says how that goes by [Secret.Doing], [Secret.Kept] and [Secret.NotKept].
func (m *Secret) OfferKeep(msg tea.Msg) { m.keep = msg }

// OnAbandon is told to the page when the secret is left without having been taken.
func (m *Secret) OnAbandon(msg tea.Msg) { m.abandon = msg }

// Doing says what is being done with the key.
func (m *Secret) Doing(what string) { m.doing, m.failed = what, "" }

// Kept says that the key is kept, and where.
func (m *Secret) Kept(where string) { m.doing, m.kept = "", where }

// NotKept says why the key could not be kept.
func (m *Secret) NotKept(why string) { m.doing, m.failed = "", why }

// Outlive takes in that the session is over. The dialog stays, because nobody can show
// the key again; one that is still being made is on its way.
func (m *Secret) Outlive() {
	if m.made && m.doing != "" {
		m.NotKept("The session ended. Whether the key was kept is not known.")
	}
	m.keep, m.abandon = nil, nil
}

// MayQuit says whether the program may be left, and warns the first time that it is not
// to be.
func (m *Secret) MayQuit() bool {
	if m.warned || m.doing == "" && (m.lost() || m.saved()) {
		return true
	}
	m.warned = true
	return false
}

// Farewell says that a key is there whose secret nobody has.
func (m *Secret) Farewell() string {
	switch {
	case m.doing != "" && !m.made:
		return "The API key " + m.name + " may have been created: its secret is lost, so revoke it if it is listed."
	case m.saved() || m.created == models.CreatedAPIKey{}:
		return ""
	}
	return fmt.Sprintf("The API key %s (id %d) was created, and its secret is lost: revoke it.", m.name, m.created.ID)
}

// lost says that there is no secret to be seen.
func (m *Secret) lost() bool { return m.created.Key.IsZero() }

func (m *Secret) saved() bool { return m.seen || m.copied || m.kept != "" }

func secretCopyKey() action.Action   { return action.New("c", "copy", "c", "y").InFooter() }
func secretRevealKey() action.Action { return action.New("r", "reveal", "r", "space").InFooter() }
func secretKeepKey() action.Action {
	return action.New("k", "keep as this profile's key", "k").InFooter()
}

// leaveKey leaves without the secret. It is not the key that asked, which is often
// pressed twice.
func secretLeaveKey() action.Action { return action.New("q", "leave without it", "q").InFooter() }

// Keys declares what can be done now.
func (m *Secret) Keys() []action.Group {
	group := action.Group{Title: "New API key"}
	switch {
	case m.doing != "":
		group.Actions = []action.Action{Leave("done").Unless("it is under way")}
	case m.lost():
		group.Actions = []action.Action{Press("close"), Leave("close")}
	default:
		group.Actions = []action.Action{secretCopyKey(), secretRevealKey()}
		if m.keep != nil {
			group.Actions = append(group.Actions, secretKeepKey().Unless(m.notKeepable()))
		}
		group.Actions = append(group.Actions, Leave("done"))
		if m.warned && !m.saved() {
			group.Actions = append(group.Actions, secretLeaveKey())
		}
	}
	return []action.Group{group}
}

// notKeepable says why the key cannot be kept now, or nothing.
func (m *Secret) notKeepable() string {
	switch {
	case m.kept != "":
		return "it is kept"
	case m.keep == nil:
		return "there is no place to keep it"
	}
	return ""
}

// Update reveals, copies, keeps or leaves.
func (m *Secret) Update(msg tea.Msg) (done bool, answer tea.Msg) {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok || m.doing != "" {
		return false, nil
	}
	leaves := Leave("").Pressed(k) || Press("").Pressed(k)
	switch {
	case leaves && (m.lost() || m.saved()):
		return true, nil
	case secretLeaveKey().Pressed(k) && m.warned:
		return true, m.abandon
	case leaves:
		m.warned = true
		return false, nil
	case m.lost():
		return false, nil
	}
	m.warned = false
	return false, m.act(k)
}

// act does what is done with a key that is there.
func (m *Secret) act(k tea.KeyPressMsg) (answer tea.Msg) {
	asked := m.asked
	m.asked = false
	switch {
	case secretRevealKey().Pressed(k):
		m.revealed, m.seen = !m.revealed, true
	case secretCopyKey().Pressed(k):
		m.sent = true
		return page.Copy{Label: "the API key " + m.name, Text: m.created.Key, Secret: true, Taken: func() { m.copied = true }}
	case secretKeepKey().Pressed(k) && m.notKeepable() == "":
		if m.asked = !asked; !m.asked {
			return m.keep
		}
	}
	return nil
}
