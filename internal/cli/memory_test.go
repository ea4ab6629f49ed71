package cli

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"pgtower/internal/driver"
	"pgtower/internal/state"
	"pgtower/keystore"
	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/keys"
	"pgtower/models/query"
	"pgtower/models/settings"
	"pgtower/ui/page"
)

// home is a folder with a configuration file and a state.
type home struct {
	*testing.T

	dir string
	env map[string]string
}

// newHome returns a folder with a configuration file, unless that is empty.
func newHome(t *testing.T, config string) home {
	t.Helper()
	h := home{T: t, dir: t.TempDir()}
	if config != "" {
		h.write("config.toml", config)
	}
	return h
}

func (h home) write(name, text string) {
	h.Helper()
	path := filepath.Join(h.dir, "pgtower", name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		h.Fatal(err)
	}
}

// told returns the notes that are printed.
func (h home) told(s *setup) string {
	h.Helper()
	files := driver.NewFiles(h, "")
	s.memory.tell(Process{Stderr: files.Err})
	_, stderr := files.Printed()
	return stderr
}

func (h home) process() Process {
	return Process{
		LookupEnv: func(name string) (string, bool) { value, set := h.env[name]; return value, set }, Clock: time.Now, Stderr: os.Stderr,
		ConfigDir: func() (string, error) { return h.dir, nil },
	}
}

// start resolves the settings of a new start with these arguments.
func (h home) start(args ...string) (*setup, error) {
	h.Helper()
	s, f := new(defaults()), pflag.NewFlagSet("", pflag.ContinueOnError)
	s.addFlags(f)
	if err := f.Parse(args); err != nil {
		h.Fatal(err)
	}
	return s, s.resolve(f, h.process())
}

// resolved returns the settings of a new start.
func (h home) resolved(args ...string) *setup {
	h.Helper()
	s, err := h.start(args...)
	if err != nil {
		h.Fatal(err)
	}
	return s
}

// accounts returns the accounts of a new start.
func (h home) accounts(args ...string) *accounts {
	h.Helper()
	a, err := newAccounts(h.resolved(args...), time.Now, h.process().LookupEnv)
	if err != nil {
		h.Fatal(err)
	}
	return a
}

// A layout is remembered, but for the settings of the file: saving these is an error, which names them.
func TestMemoryOfTheLayout(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[layout]\npane_width = 44\nprojects = ['name']\n")
	s := h.resolved()
	save := s.uiConfig().SaveLayout
	if err := save(settings.Layout{Pane: new(true), Columns: map[string][]string{"operations": {"status", "age"}}}); err != nil {
		t.Error(err)
	}
	if err := save(settings.Layout{Columns: map[string][]string{"apikeys": {"name"}}}); err != nil {
		t.Error(err)
	}
	err := save(settings.Layout{Pane: new(false), Columns: map[string][]string{"projects": {"region"}}})
	if err == nil || err.Error() != "config.toml sets projects in [layout]" {
		t.Error(err)
	}
	want := settings.Layout{
		Pane: new(false), PaneWidth: 44, Columns: map[string][]string{
			"operations": {"status", "age"}, "projects": {"name"}, "apikeys": {"name"},
		},
	}
	if got := h.resolved().uiConfig().Layout; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if err := save(settings.Layout{Columns: map[string][]string{"operations": {}}}); err != nil { // the default
		t.Error(err)
	}
	if got := h.resolved().uiConfig().Layout; len(got.Columns["operations"]) > 0 {
		t.Errorf("got %+v", got)
	}
}

// With a home that cannot have folders, pgtower remembers nothing, and works otherwise. A note says that the configuration was
// not read.
func TestMemoryHomeThatIsAFile(t *testing.T) {
	t.Parallel()
	h := home{T: t, dir: filepath.Join(t.TempDir(), "home")}
	if err := os.WriteFile(h.dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := h.resolved()
	if s.file.exists || len(s.memory.notes) != 1 || !strings.HasPrefix(s.file.note, "read no configuration: ") {
		t.Errorf("%q, %+v", s.memory.notes, s.file)
	}
	if err := s.uiConfig().SaveLayout(settings.Layout{Pane: new(true)}); err == nil {
		t.Error("the layout was saved")
	}
}

// Pins are remembered for their profile, but not for one that has them in the file, nor for the demo.
func TestMemoryOfPins(t *testing.T) {
	t.Parallel()
	h := newHome(t, "default_profile = 'work'\n[profiles.work]\n[profiles.fixed]\npinned = ['c']\n")
	pin := map[string]func(string, func() bool) error{}
	for _, p := range h.accounts().profiles {
		pin[p.Name] = p.SavePin
	}
	yes := func() bool { return true }
	for _, id := range []string{"a", "b"} {
		if err := pin["work"](id, yes); err != nil {
			t.Error(err)
		}
	}
	if err := pin["fixed"]("d", yes); err == nil || err.Error() != "config.toml sets pinned in [profiles.fixed]" {
		t.Error(err)
	}
	if pin["demo"] != nil {
		t.Error("the demo saves pins")
	}
	for name, want := range map[string][]string{"work": {"a", "b"}, "fixed": {"c"}, "default": nil} {
		if got := h.resolved("--profile", name).current.Pinned; !slices.Equal(got, want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// Filters are remembered for their page, without API keys. Wrong ones in the state are left out.
func TestMemoryOfFilters(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	m := h.resolved().memory
	m.saveFilter(page.Projects, "region:eu")
	m.saveFilter(page.Projects, "napi_0123456789abc")
	got := h.resolved().memory.filters()
	if want := [page.Count][]string{page.Projects: {"region:eu"}}; !reflect.DeepEqual(got[page.Projects], want[page.Projects]) {
		t.Errorf("%q", got)
	}
	h.write("state.json", `{"version": 1, "filters": {"projects": ["\u001b[2J", "", "ok"], "other": ["x"]}}`)
	if got := h.resolved().memory.filters(); !slices.Equal(got[page.Projects], []string{"ok"}) {
		t.Errorf("%q", got)
	}
}

// A profile that a sign-in saved is used like one of the file, which can name it as the default. It is not replaced by another
// account.
func TestMemoryOfProfiles(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	added := settings.Profile{Name: "work", BaseURL: "https://work.example/api/v2", OrgID: "org-1"}
	m := h.resolved().memory
	for range 2 { // the second one as by another login
		if err := m.saveProfile(added); err != nil {
			t.Error(err)
		}
	}
	if err := m.saveProfile(settings.Profile{Name: "work", BaseURL: "https://other.example"}); err == nil {
		t.Error("a profile was replaced")
	}
	h.write("config.toml", "default_profile = 'work'\n")
	s := h.resolved()
	if s.profile != "work" || s.BaseURL != added.BaseURL || s.OrgID != added.OrgID || len(s.memory.notes) > 0 {
		t.Errorf("%s at %s, %q", s.profile, s.BaseURL, s.memory.notes)
	}
}

// A profile of the file has precedence as a whole: its key command must not give a key to an address of the state.
func TestMemoryFilesProfileHasPrecedence(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[profiles.work]\nread_only = true\nkey_command = 'echo x'\n")
	h.write("state.json", `{"version": 1, "profiles": {
		"work": {"base_url": "https://other.example/api/v2", "org_id": "org-1"}, "home": {"base_url": "https://home.example"}}}`)
	s := h.resolved()
	if s.profile != "work" || !s.ReadOnly || s.BaseURL != "https://console.neon.tech/api/v2" || s.OrgID != "" {
		t.Errorf("%s of %q at %s, read-only %t", s.profile, s.OrgID, s.BaseURL, s.ReadOnly)
	}
	const want = "The profile work is that of config.toml; a sign-in saved another one for https://other.example/api/v2, " +
		"which is not used"
	if got := s.uiConfig().Warning; got != want {
		t.Errorf("%q", got)
	}
}

// Invalid parts of the state are left out. Each invalid profile is noted, and the notes are printed once.
func TestMemoryLeavesOutAWrongState(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[profiles.work]\n")
	h.write("state.json", `{"version": 1, "layout": {"operations": ["nonsense"], "projects": ["name"]},
		"pins": {"work": ["a b", "x"]},
		"profiles": {"demo": {}, "insecure": {"base_url": "http://work.example"}, "home": {"org_id": "a b"}}}`)
	s := h.resolved()
	if got := profileNames(s.file.config); !slices.Equal(got, []string{"default", "work"}) {
		t.Errorf("%q", got)
	}
	if got := strings.Join(s.memory.notes, "\n"); strings.Count(got, "ignored the profile ") != 3 {
		t.Errorf("%s", got)
	}
	if got := h.told(s); strings.Count(got, "pgtower: ignored the profile ") != 3 {
		t.Errorf("%q is printed", got)
	}
	if got := h.told(s); got != "" {
		t.Errorf("%q is printed again", got)
	}
	layout := s.uiConfig().Layout
	if len(layout.Columns["operations"]) > 0 || len(layout.Columns["projects"]) != 1 || len(s.current.Pinned) != 1 {
		t.Errorf("%+v, %q", layout, s.current.Pinned)
	}
}

// With a damaged state, pgtower remembers nothing, and works otherwise. The screen says so.
func TestMemoryStateThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[profiles.work]\nbudget = 7\n")
	h.write("state.json", `{`)
	if got := h.resolved(); got.Budget != 7 || !strings.Contains(got.uiConfig().Warning, "it is damaged") {
		t.Errorf("%q", got.uiConfig().Warning)
	}
}

// A saved view exists in the next run, as the first view, too, unless the file has one with its name. The program of a view is
// never saved.
func TestMemoryOfViews(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[[views]]\nname = 'Billing'\nrun = ['tell']\n")
	save := h.resolved().uiConfig().SaveView
	mine := query.SavedView{Name: "Mine", Filter: "is:failed", Project: "all", Sort: "-took", Columns: []string{"took"}}
	for _, view := range []query.SavedView{{Name: "MINE", Filter: "x"}, mine, {Name: "Other", Run: []string{"rm"}, Alert: true}} {
		if err := save(view); err != nil {
			t.Error(err)
		}
	}
	if err := save(query.SavedView{Name: "billing"}); err == nil || err.Error() != "config.toml has a view of this name" {
		t.Error(err)
	}
	s := h.resolved("--view", "mine")
	want := []query.SavedView{{Name: "Billing", Run: []string{"tell"}}, mine, {Name: "Other", Alert: true}}
	if got := s.uiConfig(); !reflect.DeepEqual(got.Views, want) || got.View != "mine" || got.Warning != "" {
		t.Errorf("%+v", got)
	}
	// The same view in the file is no conflict. A changed one in the file has precedence, with a note.
	h.write("config.toml", "default_view = 'Other'\n"+s.uiConfig().ViewText(mine))
	if got := h.resolved().uiConfig(); !reflect.DeepEqual(got.Views, []query.SavedView{mine, {Name: "Other", Alert: true}}) || got.Warning != "" {
		t.Errorf("%+v", got)
	}
	h.write("config.toml", "[[views]]\nname = 'mine'\nfilter = 'y'\n")
	got := h.resolved().uiConfig()
	if len(got.Views) != 2 || got.Views[0].Filter != "y" || !strings.Contains(got.Warning, "the saved one of this name is not used") {
		t.Errorf("%+v", got)
	}
	if err := h.resolved().uiConfig().DeleteView("MINE"); err == nil || !strings.Contains(err.Error(), "config.toml") {
		t.Error(err)
	}
	if got := h.resolved().uiConfig(); len(got.Views) != 2 || got.Views[0].Filter != "y" || got.Warning != "" {
		t.Errorf("after its saved one was deleted: %+v", got)
	}
	if err := h.resolved().uiConfig().DeleteView("Other"); err != nil || len(h.resolved().uiConfig().Views) != 1 {
		t.Error(err)
	}
	h.write("state.json", `{"version": 1, "views": [{"name": "a", "filter": "took:"}, {"name": ""}, {"name": "ok", "run": ["x"]}]}`)
	got = h.resolved().uiConfig()
	if len(got.Views) != 2 || got.Views[1].Name != "ok" || got.Views[1].Run != nil || strings.Count(got.Warning, "gnored the view") != 2 {
		t.Errorf("%+v", got)
	}
}

// The session's key is recognized by its fingerprint, from any source, or by its id in the keyring. From then on its uses prove
// nothing, in later runs, too.
func TestMemoryOfTheSessionsKey(t *testing.T) {
	t.Parallel()
	m := newHome(t, "").resolved().memory
	ref := models.KeyRef{List: models.ListID{Org: "org-a"}, ID: 7}
	secret := models.NewSecret("napi_made")
	if _, err := m.keysOf("host").Change(func(remembered *keys.Memory) {
		remembered.Add(keys.Made{Key: ref, Print: remembered.Print(secret), Took: keys.Killed})
	}); err != nil {
		t.Fatal(err)
	}
	if got, listed := m.keysOf("host").own(models.Secret{}, 7); listed {
		t.Errorf("it was created, but pgtower does not work with it: %+v", got)
	}
	for _, host := range []string{"other", "host"} {
		got, listed := m.keysOf(host).own(secret, 0)
		if remembered := host == "host"; listed != remembered || remembered && got != ref {
			t.Errorf("%s: %+v, %v", host, got, listed)
		}
	}
	if got, listed := m.keysOf("host").own(models.Secret{}, 7); !listed || got != ref {
		t.Errorf("by its id: %+v, %v", got, listed)
	}
	remembered, err := m.keysOf("host").Load()
	if err != nil || !remembered.Made[0].Own {
		t.Errorf("%+v, %v", remembered, err)
	}
}

// The description of a key is remembered together with its origin, and is not used for a key from elsewhere.
func TestMemoryOfAKeyHasItsOrigin(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[profiles.work]\n")
	h.resolved().memory.saveKey("work", keystore.OriginEnv, account.New(account.Options{}))
	m := h.resolved().memory
	for origin, want := range map[keystore.Origin]string{
		keystore.OriginEnv: "key of an unknown kind", keystore.OriginKeyring: "", "none": "",
	} {
		if got := m.aboutKey("work", string(origin)); got != want {
			t.Errorf("%s: %q, want %q", origin, got, want)
		}
	}
	if got := m.aboutKey("other", string(keystore.OriginNone)); got != "" {
		t.Errorf("of another profile: %q", got)
	}
}

// A key without a fingerprint, such as from the last release, may be the session's. Then its uses prove nothing.
func TestMemoryOfKeysWithoutAFingerprint(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		secret string
		id     int64
		own    bool
	}{
		{"napi_unknown", 0, true}, {"napi_unknown", 7, true}, {"napi_unknown", 8, false}, {"napi_made", 0, false},
	} {
		m := newHome(t, "").resolved().memory
		if _, err := m.keysOf("host").Change(func(remembered *keys.Memory) {
			remembered.Add(keys.Made{Key: models.KeyRef{ID: 7}, Took: keys.Killed})
			remembered.Add(keys.Made{Key: models.KeyRef{ID: 9}, Took: keys.Killed, Print: remembered.Print(models.NewSecret("napi_made"))})
		}); err != nil {
			t.Fatal(err)
		}
		m.keysOf("host").own(models.NewSecret(c.secret), c.id)
		remembered, err := m.keysOf("host").Load()
		if err != nil || remembered.Made[0].Own != c.own || remembered.Made[1].Own != (c.secret == "napi_made") {
			t.Errorf("%+v: %+v, %v", c, remembered, err)
		}
	}
}

// A process knows the keys that it cannot write to a file, and the changes of two processes are both kept.
func TestMemoryOfKeysWithoutAFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.json")
	ref := func(id int64) models.KeyRef { return models.KeyRef{ID: id} }
	made := func(id int64) func(*keys.Memory) {
		return func(m *keys.Memory) {
			m.Add(keys.Made{Key: ref(id), Print: m.Print(models.NewSecret("napi_made")), Took: keys.Killed})
		}
	}
	none := &keyMemory{host: "host"}
	if m, err := none.Change(made(1)); err == nil || m.Of(ref(1), time.Time{}) == nil {
		t.Errorf("%+v, %v", m, err)
	}
	if m, err := none.Load(); err != nil || m.Of(ref(1), time.Time{}) == nil {
		t.Errorf("%+v, %v", m, err)
	}
	first, second := &keyMemory{file: state.File{Path: path}, host: "host"}, &keyMemory{file: state.File{Path: path}, host: "host"}
	for id, store := range map[int64]*keyMemory{1: first, 2: second} {
		if _, err := store.Change(made(id)); err != nil {
			t.Fatal(err)
		}
	}
	for _, store := range []*keyMemory{first, second, {file: state.File{Path: path}, host: "host"}} {
		m, err := store.Load()
		if err != nil || len(m.Made) != 2 || m.Printed(m.Print(models.NewSecret("napi_made"))) == nil || m.Made[0].Print != m.Made[1].Print {
			t.Errorf("%+v, %v", m, err)
		}
	}
}

// Of two that read the operations of a profile, the later one is remembered.
func TestMemoryOfWhatWasSeen(t *testing.T) {
	t.Parallel()
	h := newHome(t, "default_profile = 'work'\n[profiles.work]\n")
	keep, late := h.accounts().profiles[0].KeepSeen, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, at := range []time.Time{late, late.Add(-time.Hour)} {
		keep(at)
	}
	if got := h.accounts().profiles[0].LastSeen; !got.Equal(late) {
		t.Errorf("seen at %v", got)
	}
}
