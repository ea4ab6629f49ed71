package cli

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"

	"pgtower/internal/state"
	"pgtower/keystore"
	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/query"
	"pgtower/models/settings"
	"pgtower/ui/page"
)

// memory is the state of earlier runs. An entry of the same name in the configuration file has precedence, and nothing is
// remembered for it.
type memory struct {
	file    state.File
	state   state.State // as it was last read
	notes   []string    // the parts of the state that are not used, with the reasons
	printed int         // how many of the notes were printed

	own *settings.Config // the configuration file, which has precedence
}

// fromState is the source of a remembered setting.
const fromState = "state"

// stateFile returns the file of the state, in the system's folder for the state of programs.
func (p Process) stateFile() state.File {
	dir, home := p.Getenv("XDG_STATE_HOME"), p.Getenv("HOME")
	switch {
	case filepath.IsAbs(dir):
	case home != "" && runtime.GOOS != "darwin" && runtime.GOOS != "windows":
		dir = filepath.Join(home, ".local", "state")
	default:
		config, err := p.configDir()
		if err != nil {
			return state.File{}
		}
		dir = config
	}
	return state.File{Path: filepath.Join(dir, "pgtower", "state.json")}
}

// load reads the state. Without it, the program uses the configuration alone.
func (m *memory) load(p Process) {
	m.file = p.stateFile()
	read, err := m.file.Load()
	if err != nil {
		m.note("%v", err)
		m.tell(p)
	}
	m.use(read)
}

// use adopts the valid parts of a state.
func (m *memory) use(read state.State) {
	m.state = read
	m.notes = append(m.notes, read.Ignored...)
	m.state.Views = nil
	for _, saved := range read.Views {
		if setting, err := checkView(saved); err != nil {
			m.note("ignored the view %s of the state: %s: %v", saved.Name, setting, err)
		} else {
			m.state.Views = append(m.state.Views, saved)
		}
	}
	for name, saved := range m.state.Profiles {
		err := settings.CheckName(name)
		if err == nil {
			_, err = checkProfile(saved)
		}
		if err != nil {
			m.note("ignored the profile %s of the state: %v", name, err)
			delete(m.state.Profiles, name)
		}
	}
}

// changeState makes a change of the state that cannot fail. An error is about the file.
func changeState(file state.File, change func(*state.State)) error {
	return file.Change(func(s *state.State) error { change(s); return nil })
}

// put sets an entry of a map, which may be nil.
func put[V any](m *map[string]V, key string, value V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[key] = value
}

func (m *memory) note(format string, args ...any) {
	m.notes = append(m.notes, models.Clean(fmt.Sprintf(format, args...)))
}

// tell prints the notes that were not printed before.
func (m *memory) tell(p Process) {
	for _, note := range m.notes[m.printed:] {
		p.warn("%s", note)
	}
	m.printed = len(m.notes)
}

// hasProfile reports whether a profile is remembered.
func (m *memory) hasProfile(name string) bool {
	_, ok := m.state.Profiles[name]
	return ok
}

// completed returns a configuration with the remembered profiles, layout and views added.
func (m *memory) completed(config settings.Config) settings.Config {
	m.own = &config
	whole := config
	whole.Profiles = map[string]settings.Profile{}
	for name, p := range config.Profiles {
		whole.Profiles[name] = m.pinned(p)
		saved, ok := m.state.Profiles[name]
		if ok && !saved.SameAccount(&p) {
			m.note("the profile %s is that of config.toml; a sign-in saved another one for %s, which is not used",
				name, cmp.Or(saved.BaseURL, models.DefaultBaseURL))
		}
	}
	for name, saved := range m.state.Profiles {
		if _, ok := config.Profiles[name]; !ok {
			saved.Name = name
			whole.Profiles[name] = m.pinned(saved)
		}
	}
	_, exists := whole.Profiles[m.state.Default]
	switch {
	case config.Default != "" || m.state.Default == "":
	case exists || m.state.Default == settings.Default:
		whole.Default = m.state.Default
	default:
		m.note("ignored the default profile %s of the state: there is no such profile", m.state.Default)
	}
	whole.Layout = m.layout(config.Layout)
	whole.Views = slices.Clip(config.Views)
	for _, saved := range m.state.Views {
		index := query.ViewIndex(config.Views, saved.Name)
		if index < 0 {
			whole.Views = append(whole.Views, saved)
			continue
		}
		remembered := config.Views[index]
		remembered.Run = nil // the state never has it
		if !reflect.DeepEqual(saved, remembered) {
			const shadowed = "the view %s is that of config.toml; the saved one of this name is not used" +
				" (: delete view removes it)"
			m.note(shadowed, saved.Name)
		}
	}
	return whole
}

// saveView remembers a view, in place of one with its name.
func (m *memory) saveView(view query.SavedView) error {
	if query.ViewIndex(m.own.Views, view.Name) >= 0 {
		return errors.New("config.toml has a view of this name")
	}
	return changeState(m.file, func(s *state.State) { s.Views = query.PutView(s.Views, view) })
}

// deleteView forgets a saved view.
func (m *memory) deleteView(name string) error {
	err := changeState(m.file, func(s *state.State) { s.Views = withoutView(s.Views, name) })
	if err == nil && query.ViewIndex(m.own.Views, name) >= 0 {
		return errors.New("it is in config.toml, remove it there")
	}
	return err
}

func withoutView(views []query.SavedView, name string) []query.SavedView {
	return slices.DeleteFunc(views, func(view query.SavedView) bool { return view.Named(name) })
}

// saveProfile remembers a profile that a sign-in added. The same profile may exist already, from another login.
func (m *memory) saveProfile(added settings.Profile) error {
	return m.file.Change(func(s *state.State) error { return addProfile(s, added) })
}

func addProfile(s *state.State, added settings.Profile) error {
	if profile, ok := s.Profiles[added.Name]; ok && !profile.SameAccount(&added) {
		return fmt.Errorf("profile %s already exists", added.Name)
	}
	put(&s.Profiles, added.Name, added)
	return nil
}

// removeProfile forgets a profile that a sign-in added, with its key, pins and time.
func (m *memory) removeProfile(name string) error {
	return changeState(m.file, func(s *state.State) { dropProfile(s, name) })
}

func dropProfile(s *state.State, name string) {
	delete(s.Profiles, name)
	delete(s.Keys, name)
	delete(s.Pins, name)
	delete(s.Seen, name)
	if s.Default == name {
		s.Default = ""
	}
}

// saveDefault remembers the profile that is used unless another is named.
func (m *memory) saveDefault(name string) error {
	return changeState(m.file, func(s *state.State) { s.Default = name })
}

// saveKey remembers the description of a profile's key that a sign-in found out. After an error, only that is missing.
func (m *memory) saveKey(profile string, from keystore.Origin, keyAccount *account.Account) {
	key := state.Key{About: keyAccount.Summary(), Origin: string(from)}
	if keyAccount.Kind() == models.ProjectKey {
		key.Project = keyAccount.KeyProject()
	}
	_ = changeState(m.file, func(s *state.State) { put(&s.Keys, profile, key) })
}

// saveSeen remembers when the operations of a profile were last read, unless another pgtower read them later. After an error, only a notice of the next run is missing.
func (m *memory) saveSeen(profile string, instant time.Time) {
	_ = changeState(m.file, func(s *state.State) {
		if instant.After(s.Seen[profile]) {
			put(&s.Seen, profile, instant.Truncate(time.Second))
		}
	})
}

// aboutKey returns the description of a profile's key by the last sign-in, or "" if that key had another origin.
func (m *memory) aboutKey(profile, origin string) string {
	saved := m.state.Keys[profile]
	if saved.Origin != origin {
		return ""
	}
	return saved.About
}

// layout returns the layout of the configuration, completed by the remembered one.
func (m *memory) layout(config settings.Layout) settings.Layout {
	open, _ := m.state.Layout.Without(config)
	sound := settings.Layout{Pane: open.Pane}
	for id := range page.Count {
		columns := open.Columns[id.Name()]
		if columns != nil && checkColumns(id, columns) == nil {
			sound.SetColumns(id.Name(), columns)
		}
	}
	config.Apply(sound)
	return config
}

// saveLayout remembers the settings of a layout that are not zero. A setting that the configuration has is not remembered, and
// is an error.
func (m *memory) saveLayout(changed settings.Layout) error {
	open, taken := changed.Without(m.own.Layout)
	err := changeState(m.file, func(s *state.State) { s.Layout.Apply(open) })
	if err == nil && len(taken) > 0 {
		err = fmt.Errorf("config.toml sets %s in [layout]", strings.Join(taken, " and "))
	}
	return err
}

// pinned returns a profile of the configuration with the remembered pins, if it has none of its own.
func (m *memory) pinned(p settings.Profile) settings.Profile {
	if p.Pinned == nil {
		p.Pinned = slices.Clone(m.state.Pins[p.Name])
	}
	return p
}

// savePin remembers whether a project is pinned in a profile. It calls pinned while the file is being written.
func (m *memory) savePin(name, id string, pinned func() bool) error {
	if m.own.Profiles[name].Pinned != nil {
		return fmt.Errorf("config.toml sets pinned in [profiles.%s]", name)
	}
	return m.file.Change(func(s *state.State) error { return s.Pin(name, id, pinned()) })
}

// filters returns the remembered filters of each page.
func (m *memory) filters() (list [page.Count][]string) {
	for id := range page.Count {
		list[id] = slices.Clone(m.state.Filters[id.Name()])
	}
	return list
}

// saveFilter remembers a filter of a page, unless it looks like an API key. After an error, only later runs do not have it.
func (m *memory) saveFilter(id page.ID, filter string) {
	if models.FindKey(filter) < 0 {
		_ = changeState(m.file, func(s *state.State) { s.AddFilter(id.Name(), filter) })
	}
}

// check returns the checks of a configuration file. It may name remembered profiles and views.
func (m *memory) check() settings.Check {
	return settings.Check{Table: checkTable, Profile: m.hasProfile, Keys: checkKeys, DefaultView: m.checkDefaultView}
}

func (m *memory) checkDefaultView(name string, views []query.SavedView) error {
	_, err := query.FindView(slices.Concat(views, m.state.Views), name)
	return err
}
