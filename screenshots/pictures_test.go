package screenshots

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/client/mock/sim"
	"pgtower/internal/driver"
	"pgtower/models"
	keymodel "pgtower/models/keys"
	"pgtower/models/settings"
	"pgtower/ui"
)

// picture is a screenshot after some steps, or an animation of more steps.
type picture struct {
	name  string // of the file
	title string // the alternative text of an animation
	size  size
	theme string // empty for the default
	// interval is the polling interval, 5 s by default.
	interval time.Duration
	// keyless starts the program without an API key.
	keyless bool
	// memory remembers rotations; nil for none.
	memory keymodel.Store
	// month adds the uses of keys in the month before.
	month bool
	// others are profiles to switch to.
	others []ui.Profile
	before []step
	// animated are the steps of an animation.
	animated []step
}

// size is a terminal's size in cells.
type size struct{ cols, rows int }

// step is a step of a picture; its fields apply in their order.
type step struct {
	backend func(*mock.Server) error
	// pressed names the pressed keys during the step.
	pressed string
	keys    string // separated by blanks, with Bubble Tea's names
	typed   string
	onKeys  func(driver.Keys) // what a user does on the page of API keys
	// lasts is the time from the last key to the end of the step.
	lasts time.Duration
	// sees are texts that must be on the screen at the end.
	sees []string
	// poster makes the end of the step the picture without motion.
	poster bool
}

// pictures returns all pictures. To add one, add it here and run PGTOWER_UPDATE=1 go test ./screenshots.
func pictures() []picture {
	all := slices.Concat(pages(), keys(), troubles(), []picture{live(), incident(), groups()})
	for i := range all {
		if all[i].size == (size{}) {
			all[i].size = size{100, 30}
		}
	}
	return all
}

// then returns the steps followed by more.
func then(first []step, more ...step) []step { return append(slices.Clone(first), more...) }

// onOperations waits until all projects have been read.
func onOperations() []step { return []step{{lasts: 4 * time.Second, sees: []string{"● live"}}} }

func pages() []picture {
	feed := onOperations()
	selected := then(feed, step{keys: strings.Repeat("j ", 10)})
	pane := then(selected, step{keys: "d", sees: []string{"failed after"}})
	timeline := then(feed, step{keys: "t ) ) )", lasts: 2 * time.Second, sees: []string{"peak", "now"}})
	projects := then(feed, step{keys: "2", lasts: time.Second, sees: []string{"12 projects"}})
	return []picture{
		{name: "operations", size: size{100, 46}, before: pane},
		{name: "operations-high-contrast", size: size{100, 46}, theme: "high-contrast", before: pane},
		{name: "operations-narrow", size: size{80, 24}, before: feed},
		{name: "timeline", size: size{100, 36}, before: timeline},
		{name: "statistics", before: then(feed, step{keys: "v", sees: []string{"15M  FAILED"}})},
		{name: "filter", before: then(feed, step{keys: "/", typed: "!is:failed took:>20s avail", sees: []string{"Check availability"}})},
		{name: "related", before: then(selected, step{keys: "=", sees: []string{"same branch"}})},
		{name: "columns", before: then(feed, step{keys: "f c", lasts: time.Second, sees: []string{"Columns"}})},
		{name: "palette", before: then(feed, step{keys: ":", sees: []string{"Commands"}})},
		{name: "projects", before: projects},
	}
}

func keys() []picture {
	list := then(onOperations(), step{keys: "3", lasts: time.Second, sees: []string{"20 keys", "LAST USED"}})
	create := func(k driver.Keys) { k.New("night-batch").Submit() }
	revoke := func(k driver.Keys) { k.Select("ci-deploy").Revoke() }
	many := func(k driver.Keys) {
		k.Filter("idle:>300d")
		k.MarkAll().Revoke().Confirm()
	}
	rotate := func(k driver.Keys) { k.Select("pgtower-demo").Rotate().Submit() }
	memory := &keymodel.Volatile{}
	return []picture{
		{name: "apikeys", before: list},
		{name: "secret", before: then(list, step{lasts: 1300 * time.Millisecond}, step{onKeys: create, lasts: 2200 * time.Millisecond, sees: []string{"night-batch", "••••••"}})},
		{name: "revoke", before: then(list, step{onKeys: revoke})},
		{name: "revoked-many", before: then(list, step{onKeys: many, lasts: 5 * time.Second, sees: []string{"5 of 5 keys revoked"}})},
		{name: "rotation", size: size{130, 26}, month: true, memory: memory, before: then(onOperations(), replacement("terraform", memory)...)},
		{name: "rotated", before: then(list, step{onKeys: rotate, lasts: 3 * time.Second})},
	}
}

// replacement returns the steps of a key whose successor is some time old, and in use.
func replacement(name string, memory keymodel.Store) []step {
	var successor sim.Key
	create := func(s *mock.Server) (err error) {
		successor, err = s.CreateKey("", "", name+"-20260301")
		if err != nil {
			return err
		}
		all := s.Keys("")
		old := all[slices.IndexFunc(all, func(k sim.Key) bool { return k.Name == name })]
		_, err = memory.Change(func(m *keymodel.Memory) { replaced(m, &old, &successor) })
		return err
	}
	use := func(s *mock.Server) error {
		s.UseKey(successor.Secret, "203.0.113.9")
		return nil
	}
	return []step{
		{backend: create, lasts: 15 * time.Minute},
		{backend: use, keys: "3 down down", lasts: 2 * time.Second, sees: []string{"can go", "replaces " + name}},
	}
}

// replaced remembers the rotation of a key. Its successor was handed to a command.
func replaced(m *keymodel.Memory, old, successor *sim.Key) {
	created := func(k *sim.Key) time.Time { at, _ := time.Parse(time.RFC3339, k.CreatedAt); return at }
	m.Add(keymodel.Made{
		Key: models.KeyRef{ID: successor.ID}, First: created(successor), Took: time.Second,
		Handover: keymodel.Handover{Stage: keymodel.Handed, To: keymodel.ToCommand},
	})
	m.Begin(keymodel.Rotation{
		Old: models.KeyRef{ID: old.ID}, OldCreated: created(old), New: models.KeyRef{ID: successor.ID}, Began: created(successor),
		Quiet: keymodel.QuietFor,
	})
}

func troubles() []picture {
	demo := ui.Profile{
		Profile: settings.Profile{Name: "demo"},
		Host:    "demo",
		Note:    "the built-in mock",
		Demo:    true,
	}
	return []picture{
		{
			name: "signin", keyless: true, others: []ui.Profile{demo},
			before: []step{{lasts: time.Second, sees: []string{"Sign in", "API key:"}}},
		},
		{name: "failing", before: then(onOperations(), step{
			backend: unavailable, lasts: time.Minute, sees: []string{"✗ the service failed"},
		})},
	}
}

// unavailable makes the service fail. Its Retry-After replaces pgtower's random delay.
func unavailable(s *mock.Server) error {
	_, err := s.Inject("503 retry-after=20s")
	return err
}

// The projects in which the animations start operations.
const (
	storefront = "rapid-pond-264373"
	billing    = "winter-river-207621"
	search     = "soft-grass-537533"
	payments   = "damp-flower-494043"
	inventory  = "delicate-rain-331505"
	warehouse  = "tight-boat-169392"
)

// begin starts operations in addition to the simulation's, which are rare in such a short time.
func begin(tasks ...mock.Task) func(*mock.Server) error {
	return func(s *mock.Server) error {
		for _, t := range tasks {
			if _, err := s.Start(t); err != nil {
				return err
			}
		}
		return nil
	}
}

// incident shows a region that fails, and a branch that waits for a check of its project, in the timeline.
func incident() picture {
	const second = time.Second
	waiting := append(outage(),
		mock.Task{ProjectID: billing, Action: "check_availability", Wait: second, Run: 16 * second, Fail: true},
		mock.Task{ProjectID: billing, Action: "create_branch", Wait: 18 * second, Run: 9 * second},
		mock.Task{ProjectID: search, Action: "apply_config", Wait: second, Run: 12 * second},
	)
	return picture{
		name: "incident", interval: 2 * second, size: size{100, 32},
		before: []step{
			{lasts: 2 * second, sees: []string{"● live"}},
			{backend: begin(waiting...), lasts: 4 * second},
			{keys: "t ) ) )", lasts: 17 * second, sees: []string{"2 min UTC", "✗ Check", "◐ !2"}},
		},
	}
}

// groups shows the groups of failures during an outage of a region: one line names it. The same action works elsewhere.
func groups() picture {
	const second = time.Second
	elsewhere := []mock.Task{
		{ProjectID: storefront, Action: "start_compute", Wait: second, Run: 2 * second},
		{ProjectID: search, Action: "start_compute", Wait: second, Run: 3 * second},
	}
	return picture{
		name: "groups", interval: 2 * second, size: size{110, 14},
		before: []step{
			{lasts: 2 * second, sees: []string{"● live"}},
			{backend: begin(append(outage(), elsewhere...)...), lasts: 8 * second},
			{keys: "v tab tab tab tab", lasts: 2 * second, sees: []string{"15M  FAILED", "✗ failing in 4 of 4"}},
		},
	}
}

// live shows 15 seconds: a failure arrives, it is selected, its group shows that only one region fails, and the report is
// copied.
func live() picture {
	const second = time.Second
	return picture{
		name: "live", title: "A failure arrives, its group is one region, and the report is copied", interval: 2 * second,
		before: []step{{lasts: 2 * second, sees: []string{"● live"}}},
		animated: []step{
			{lasts: second},
			{backend: begin(outage()...), lasts: 4500 * time.Millisecond, sees: []string{"✗ failed"}},
			{pressed: "' · show it", keys: "'", lasts: 1500 * time.Millisecond},
			{pressed: "v · groups", keys: "v", lasts: 1800 * time.Millisecond, sees: []string{"15M  FAILED"}},
			{pressed: "tab · by region", keys: "tab tab tab tab", lasts: 2500 * time.Millisecond, sees: []string{"aws-ap-southeast-1"}, poster: true},
			{pressed: "y · copy the report", keys: "y", lasts: 2500 * time.Millisecond, sees: []string{"report"}},
		},
	}
}

// outage returns failing operations of four projects of one region.
func outage() (tasks []mock.Task) {
	for i, project := range []string{payments, billing, inventory, warehouse, payments, billing} {
		tasks = append(tasks, mock.Task{
			ProjectID: project, Action: "start_compute", Wait: time.Second / 2, Run: time.Duration(1500+400*i) * time.Millisecond, Fail: true,
		})
	}
	return tasks
}

// header matches the drawing of the first line of a screen, which names all pages.
var header = regexp.MustCompile(`<text x="[\d.]+" y="15"[^\n]*\n|M[\d.]+ 0h\d+v20h-\d+z`)

// belowHeader returns the lines of a picture without the header of the program.
func belowHeader(svg []byte) [][]byte {
	lines := bytes.Split(header.ReplaceAll(svg, nil), []byte{'\n'})
	return slices.DeleteFunc(lines, func(line []byte) bool { return bytes.HasSuffix(line, []byte(` d=""/>`)) })
}

// TestPictures compares the pictures with the program's screens, or updates them.
func TestPictures(t *testing.T) {
	t.Parallel()
	for _, p := range pictures() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			svg := record(t, p).draw()
			path := p.name + ".svg"
			if os.Getenv("PGTOWER_UPDATE") != "" {
				if err := os.WriteFile(path, svg, 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			old, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want, got := belowHeader(old), belowHeader(svg)
			for i := range max(len(want), len(got)) {
				if i >= len(want) || i >= len(got) || !bytes.Equal(want[i], got[i]) {
					t.Fatalf("the program shows something else from line %d on; PGTOWER_UPDATE=1 go test ./screenshots accepts it:\n%s",
						i+1, bytes.Join(got[i:min(i+1, len(got))], nil))
				}
			}
		})
	}
}

// Every picture is shown by a document, and every picture of a document is made here.
func TestPicturesAreAllShown(t *testing.T) {
	t.Parallel()
	documents, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, document := range append(documents, "../README.md") {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split(string(text), "screenshots/")[1:] {
			if name, _, ok := strings.Cut(part, ".svg)"); ok {
				shown[name] = true
			}
		}
	}
	for _, p := range pictures() {
		if !shown[p.name] {
			t.Errorf("no document shows %s", p.name)
		}
		delete(shown, p.name)
	}
	for name := range shown {
		t.Errorf("a document shows %s, which nothing makes", name)
	}
	if files, err := filepath.Glob("*.svg"); err != nil || len(files) != len(pictures()) {
		t.Errorf("%d files of %d pictures, %v", len(files), len(pictures()), err)
	}
}
