package dialog

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// Secret shows the secret of a new API key. It opens before the key is created, so that nothing typed elsewhere reaches
// it by accident. It warns a user who leaves without having seen, copied or saved the secret.
type Secret struct {
	base

	// Keep saves the key as the profile's, and calls [Secret.Doing], [Secret.Kept] or [Secret.NotKept]; may be nil.
	Keep        func() tea.Cmd
	KeepWarning string // what the user loses by saving, as a sentence, or empty
	// ToFile and ToCommand ask for the target, and call [Secret.Doing], [Secret.Given] or [Secret.NotKept]; may be nil.
	ToFile, ToCommand func()
	// Taking is called before the secret is on the screen or in the clipboard; may be nil.
	Taking  func(receiver string) tea.Cmd
	Abandon func() // called when the user leaves without the secret; may be nil
	After   func() // called when the user leaves, with the secret or without it; may be nil

	name     string
	reach    string // the reach of the key, as a part of a sentence
	copyText func(page.Copy)

	created     models.CreatedAPIKey
	problem     []Line // why there is no usable key
	doing       string // the work in progress, or empty
	result      Line   // the result of the last work, or empty
	saved       bool   // it was seen, copied, or saved somewhere
	kept        bool   // it is the profile's key
	revealed    bool   // it is on the screen now
	unconfirmed bool   // sent to a clipboard that has not confirmed it
	onlyByOSC   bool   // the user knows that only the terminal can copy it, which cannot be undone
	asked       bool   // k was pressed once

	working, closing, doubtful []action.Group // the actions while work is in progress, without a secret, and in doubt

	doubt          string // why the key may not be wanted, or empty
	revoke, accept func() tea.Cmd
}

const creating = "Creating the key…"

// NewSecret returns a dialog that waits for a key of the name. It calls copyText to copy the secret.
func NewSecret(name string, copyText func(page.Copy)) *Secret {
	m := &Secret{base: base{title: "New API key"}, name: name, copyText: copyText, doing: creating}
	m.show = m.shown
	m.setActions()
	return m
}

// Created shows the key and its reach, or the problem if there is no usable key.
func (m *Secret) Created(key models.CreatedAPIKey, reach string, problem ...Line) {
	m.doing, m.created, m.reach, m.problem = "", key, reach, problem
}

// Doubt shows why the user may not want the created key. The user revokes it, which is the default, or accepts it.
func (m *Secret) Doubt(why string, revoke, accept func() tea.Cmd) {
	m.doubt, m.revoke, m.accept = why, revoke, accept
}

// Doing shows work in progress.
func (m *Secret) Doing(what string) { m.doing, m.result = what, Line{} }

// Kept shows where the key was saved as the profile's.
func (m *Secret) Kept(where string) {
	m.doing, m.kept, m.saved = "", true, true
	m.result = Line{Tone: style.Good, Text: "✓ It works and is now in use: " + where + "."}
}

// Given shows that a file or a command has the secret.
func (m *Secret) Given(result string) {
	m.doing, m.saved = "", true
	m.result = Line{Tone: style.Good, Text: "✓ " + result}
}

// Verified shows that the key works. Nobody has its secret yet.
func (m *Secret) Verified() {
	m.doing, m.result = "", Line{Tone: style.Good, Text: "✓ The new key works."}
}

// NotKept shows why the key could not be saved.
func (m *Secret) NotKept(why string) {
	m.doing, m.result = "", Line{Tone: style.Bad, Text: "✗ " + why}
}

// OnSessionEnd keeps the dialog open: the secret cannot be shown again, and a key being created is still to come.
func (m *Secret) OnSessionEnd() bool {
	if m.doing != "" && m.doing != creating {
		m.NotKept("The session ended. The key may not have been saved.")
	}
	m.Keep, m.Abandon, m.doubt = nil, nil, ""
	return true
}

// Warn does not warn where the dialog shows a lost secret anyway.
func (m *Secret) Warn() (shown bool) { return m.base.Warn() || m.doing == "" && m.lost() }

// ExitWarning names a key whose secret is lost, or may not have been saved.
func (m *Secret) ExitWarning() string {
	switch {
	case m.doing == creating:
		return "The API key " + m.name + " may have been created without its secret: if it is listed, revoke it."
	case m.doing != "":
		return fmt.Sprintf("The API key %s (id %d) may not have been saved.", m.name, m.created.ID)
	case m.saved || m.created == models.CreatedAPIKey{}:
		return ""
	}
	return fmt.Sprintf("The API key %s (id %d) was created, but its secret is lost: revoke it.", m.name, m.created.ID)
}

func (m *Secret) lost() bool { return m.created.Key.IsZero() }

// Actions returns what can be done now.
func (m *Secret) Actions() []action.Group {
	switch {
	case m.doing != "":
		return m.working
	case m.lost():
		return m.closing
	case m.doubt != "":
		return m.doubtful
	}
	return m.actions
}

func (m *Secret) setActions() {
	done := m.leave("done")
	done.Disabled = func() string { return "already in progress" }
	m.working = only(done)
	m.closing = only(key("close", action.Do(m.leaveForGood), "enter", "esc"))
	m.doubtful = only(
		key("revoke it", func() tea.Cmd { return m.revoke() }, "enter"),
		key("keep it", m.acceptIt, "k"),
	)
	keep := key("save as profile's key", m.keep, "k")
	keep.Short, keep.Hidden = "profile", func() bool { return m.Keep == nil }
	keep.Disabled = action.If(func() bool { return m.kept }, "already saved")
	file := key("save to file", action.DoWith(m.give, &m.ToFile), "f")
	file.Short, file.Footer, file.Hidden = "file", action.LowPriority, func() bool { return m.ToFile == nil }
	command := key("pipe to command", action.DoWith(m.give, &m.ToCommand), "p")
	command.Short, command.Footer = "command", action.LowPriority
	command.Hidden = func() bool { return m.ToCommand == nil }
	// Users often press the key twice that made the warning appear, so another one leaves.
	leave := key("leave anyway", action.Do(m.leaveUnsaved), "q")
	leave.Hidden = func() bool { return !m.warned || m.saved }
	m.actions = only(
		key("copy", m.copy, "c", "y"),
		key("reveal", m.reveal, "r", "space"),
		file, command, keep,
		key("done", action.Do(m.leaveSaved), "esc", "enter"),
		leave,
	)
}

// acceptIt keeps a key that may not be wanted.
func (m *Secret) acceptIt() tea.Cmd {
	m.doubt = ""
	return m.accept()
}

// leaveSaved closes the dialog, or warns that nothing has the secret.
func (m *Secret) leaveSaved() {
	if m.saved {
		m.leaveForGood()
		return
	}
	m.warned = true
}

func (m *Secret) leaveForGood() {
	m.done = true
	if m.After != nil {
		m.After()
	}
}

// Update removes a warning after another key.
func (m *Secret) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(tea.KeyPressMsg); ok && m.doing == "" {
		m.calm()
	}
	return m.base.Update(msg)
}

// calm removes the question or the warning of the last key.
func (m *Secret) calm() { m.asked, m.warned = false, false }

// takenTo calls [Secret.Taking].
func (m *Secret) takenTo(receiver string) tea.Cmd {
	if m.Taking == nil {
		return nil
	}
	return m.Taking(receiver)
}

func (m *Secret) reveal() tea.Cmd {
	m.calm()
	m.revealed, m.saved = !m.revealed, true
	if !m.revealed {
		return nil
	}
	return m.takenTo("screen")
}

func (m *Secret) copy() tea.Cmd {
	m.calm()
	m.unconfirmed = m.onlyByOSC
	m.copyText(page.Copy{
		Label: "the API key " + m.name, Text: m.created.Key, Secret: true, Terminal: m.onlyByOSC,
		Taken:        func() { m.unconfirmed, m.saved = false, true },
		OnlyTerminal: func() { m.onlyByOSC = true },
	})
	return m.takenTo("clipboard")
}

func (m *Secret) keep() tea.Cmd {
	asked := m.asked
	m.calm()
	m.asked = !asked
	if m.asked {
		return nil
	}
	return m.Keep()
}

// give asks where to hand over the secret, with one of the functions that are set after the actions.
func (m *Secret) give(ask *func()) {
	m.calm()
	(*ask)()
}

// leaveUnsaved closes the dialog. A secret that was sent to the terminal is not abandoned: the user was told to check it.
func (m *Secret) leaveUnsaved() {
	if m.Abandon != nil && !m.unconfirmed {
		m.Abandon()
	}
	m.leaveForGood()
}

const sentToTerminal = "Copied the secret (OSC 52, unconfirmed): paste it to check."

// shown never announces the secret: announced lines stay in the terminal's history.
func (m *Secret) shown(c *content) {
	head := Line{Text: m.name}
	if m.created.ID != 0 {
		head.Text = fmt.Sprintf("%s · id %d", m.name, m.created.ID)
		head.Announced = fmt.Sprintf("%s was created, id %d.", m.name, m.created.ID)
	}
	c.note("key", false, head)
	c.gap()
	result := m.said()
	switch {
	case m.doing == creating || len(m.problem) > 0:
		c.note("problem", false, m.problem...)
	case m.doubt != "":
		c.note("doubt", false, Line{Tone: style.Bad, Text: m.doubt}, Line{},
			Line{Text: "enter: revoke it. k: keep it nevertheless."})
	default:
		c.note("shown", false, m.secret(c))
		once := Line{Text: "Save the secret now: it cannot be shown again. It " + m.reach + "."}
		// The result matters more than the general advice.
		paragraphs := Paragraphs(c.Frame, []Line{{}, once, {}, result})
		if c.Accessible || result.Text == "" || len(c.rows)+len(paragraphs) <= c.Height {
			c.note("once", false, Line{}, once)
		}
		if result.Text != "" {
			c.gap()
		}
	}
	if result.Text != "" {
		c.note("said", true, result)
	}
}

func (m *Secret) secret(c *content) Line {
	if !m.revealed {
		return Line{
			Tone: style.Muted, Text: style.Cut("••••••••••••••••••••••••  r shows it", c.Width),
			Announced: "Its secret is hidden. c: copy it; r: show it on the last line until r is pressed again.",
		}
	}
	c.said.Secret = models.Clean(m.created.Key.Reveal())
	if c.Accessible {
		return Line{Text: "The secret is on the last line only. r: hide it."}
	}
	return Line{Tone: style.Accent, Text: c.said.Secret}
}

func waiting(text string) Line { return Line{Tone: style.Waiting, Text: text} }

// said returns the response to the last key, or a zero line.
func (m *Secret) said() Line {
	switch {
	case m.doing != "" && m.warned:
		return waiting("◌ " + m.doing + " ctrl+c again: quit; the result will be lost.")
	case m.doing != "":
		return waiting("◌ " + m.doing)
	case m.warned && !m.saved && m.unconfirmed:
		return waiting(sentToTerminal + " q: leave.")
	case m.warned && !m.saved && !m.lost():
		return waiting("You haven't copied, revealed or saved the secret. " +
			"q: leave anyway (you will have to revoke the key).")
	case m.asked:
		return waiting(strings.TrimSpace("Press k again to replace this profile's key and switch to the new one. " + m.KeepWarning))
	case m.result.Text != "":
		return m.result
	case m.onlyByOSC && !m.unconfirmed && !m.saved:
		return waiting("Not copied: only your terminal can copy it, and pgtower cannot clear that clipboard. " +
			"c again: copy it, and clear it yourself after use.")
	case m.unconfirmed:
		return waiting(sentToTerminal + " Clear the clipboard yourself after use.")
	}
	return Line{}
}
