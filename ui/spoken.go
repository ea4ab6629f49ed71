package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	// speakAfter is how long the program waits before it speaks: of keys that follow each
	// other faster, only where the last one led is said.
	speakAfter = 120 * time.Millisecond
	// speakAfterTyping is the same while a text is typed, which is heard from the terminal.
	speakAfterTyping = 700 * time.Millisecond
	// maxNotices is how many notices wait to be said at most.
	maxNotices = 20
)

// voice is how the program says what it shows, where it is made for hearing.
type voice struct {
	on      bool
	speaker announce.Announcer
	notices []string // that were not said yet
	account string   // the one that was said
	due     int      // numbers what was armed, so that only the last one speaks
	pending bool
	hinted  bool // how to get help was said
	why     announce.Reason
	leaving bool // nothing is to stay behind on the screen
}

// speakDue says that it is time to speak.
type speakDue struct{ number int }

// againKey says everything once more. Where a text is typed, a letter would be part of it.
func againKey() action.Action {
	return action.New(".", "say again where I am; control L does it everywhere", ".", "ctrl+l").Named("say-again")
}

// tell has a notice said.
func (v *voice) tell(n page.Notice) {
	if v.on && n.Text != "" && len(v.notices) < maxNotices {
		v.notices = append(v.notices, n.Text)
	}
}

// spokenKey says whether a key is one of the spoken program's own, and does what it asks.
func (m *Model) spokenKey(k tea.KeyPressMsg) bool {
	if !m.voice.on {
		return false
	}
	m.voice.leaving = m.global.interrupt.Pressed(k) && m.scene().Shown != ""
	if k.String() != "ctrl+l" && (!againKey().Pressed(k) || m.scene().Field != nil) {
		return false
	}
	m.voice.why = announce.Again
	return true
}

// hear arms the voice after a message, which may have changed what there is to say.
func (m *Model) hear(msg tea.Msg) tea.Cmd {
	v := &m.voice
	if !v.on || m.width <= 0 {
		return nil
	}
	wait := speakAfter
	switch msg := msg.(type) {
	case speakDue:
		if msg.number != v.due {
			return nil
		}
		return m.speak()
	case clockTick:
		if v.pending {
			return nil
		}
		return m.speak()
	case tea.KeyPressMsg:
		typed := msg.Text != "" || msg.Code == tea.KeyBackspace
		if scene := m.scene(); scene.Field != nil && typed && v.speaker.Begun(scene.ID) {
			wait = speakAfterTyping
		} else {
			v.why = max(v.why, announce.Pressed)
		}
	default:
		if v.pending {
			return nil
		}
	}
	v.pending = true
	v.due++
	return page.After(m.ctx, wait, speakDue{v.due})
}

// speak prints what is new above the prompt.
func (m *Model) speak() tea.Cmd {
	v := &m.voice
	why := v.why
	v.pending = false
	notices := v.notices
	v.notices = nil
	if account := m.spokenAccount(); account != v.account {
		v.account = account
		notices = append([]string{account}, notices...)
	}
	v.why = why
	lines := v.speaker.Say(m.scene(), notices, why)
	v.why = announce.Changed
	v.hinted = v.hinted || m.signedIn() && len(m.dialogs) == 0
	return m.print(lines)
}

// spokenAccount is who the person is signed in as.
func (m *Model) spokenAccount() string {
	if !m.signedIn() {
		return ""
	}
	return "pgtower, signed in to " + m.profile.label() + " with the " + m.session.source + "."
}

// print prints lines above the prompt: as many at once as the screen has room for, since
// Bubble Tea would push the prompt itself away with more.
func (m *Model) print(lines []string) tea.Cmd {
	var wrapped []string
	for _, line := range lines {
		wrapped = append(wrapped, style.Wrap(line, m.width)...)
	}
	room := max(1, m.height-2)
	var cmds []tea.Cmd
	for ; len(wrapped) > 0; wrapped = wrapped[min(room, len(wrapped)):] {
		cmds = append(cmds, tea.Println(strings.Join(wrapped[:min(room, len(wrapped))], "\n")))
	}
	return tea.Sequence(cmds...)
}
