//go:build unix

package docs_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgtower/internal/termtest"
)

// promtool is the variable with the path of the tool that checks metrics and alert rules. Without it, they are not checked.
const promtool = "PGTOWER_TEST_PROMTOOL"

// recording is a scrape of pgtower metrics beside an incident of the project billing.
type recording struct {
	text    string
	at      time.Time
	samples map[string]float64
}

// record scrapes a program until all projects were read.
func record(t *testing.T) recording {
	t.Helper()
	bin := build(t)
	mock := termtest.StartMock(t, bin, "--organizations", "2", "--incident", "project=billing from=-14m for=1h", "--speed", "5")
	cmd := exec.CommandContext(t.Context(), bin, "metrics", "--listen", "127.0.0.1:0", "--interval", "1s")
	cmd.Env = []string{"HOME=" + t.TempDir(), "PGTOWER_BASE_URL=" + mock.BaseURL, "PGTOWER_API_KEY=" + mock.APIKey}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() }) // the end of the test's context has killed it
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		r := scrape(t, strings.TrimSpace(url))
		// The last metrics come with the first operation that was followed from its beginning to its end.
		all := r.samples[`pgtower_projects{state="current"}`] > 0 && r.samples[`pgtower_projects{state="unread"}`] == 0
		if all && r.sum("pgtower_operation_duration_seconds_count") > 0 && r.sum("pgtower_operations_failed") > 0 && r.sum("pgtower_keys_read_timestamp_seconds") > 0 {
			return r
		}
		if time.Now().After(end) {
			t.Fatalf("not in time:\n%s", r.text)
		}
	}
}

func scrape(t *testing.T, url string) recording {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	got := recording{string(body), time.Now(), map[string]float64{}}
	for line := range strings.Lines(got.text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		at := strings.LastIndexByte(line, ' ')
		value, err := strconv.ParseFloat(strings.TrimSpace(line[at:]), 64)
		if err != nil {
			t.Fatal(err)
		}
		got.samples[line[:at]] = value
	}
	return got
}

func (r recording) sum(metric string) (sum float64) {
	for name, value := range r.samples {
		if strings.HasPrefix(name, metric+"{") {
			sum += value
		}
	}
	return sum
}

var (
	metricLine  = regexp.MustCompile("(?m)^\\| `(?:pgtower_)?([a-z_]+)`(?:, `([a-z_]+)`)? \\| ([^|]*) \\|")
	metricHelp  = regexp.MustCompile(`(?m)^# HELP pgtower_(\w+) `)
	metricLabel = regexp.MustCompile(`([a-z_]+)="`)
)

// The page has each metric with its labels, and no other. Prometheus accepts the metrics, and the alert rules of the page.
func TestMetricsAreThoseOfThePage(t *testing.T) {
	t.Parallel()
	recorded, page := record(t), pages(t)[filepath.Join("docs", "scripting.md")]
	_, table, _ := strings.Cut(page, "| metric `pgtower_…` |")
	table, _, _ = strings.Cut(table, "\n\n")
	want := map[string]string{} // labels of metrics
	for _, m := range metricLine.FindAllStringSubmatch(table, -1) {
		for _, name := range m[1:3] {
			if name != "" {
				want[name] = strings.NewReplacer("`", "", ",", "", "–", "").Replace(m[3])
			}
		}
	}
	for _, m := range metricHelp.FindAllStringSubmatch(recorded.text, -1) {
		labels, known := want[m[1]]
		if !known {
			t.Errorf("the page lacks %s", m[1])
		}
		delete(want, m[1])
		if got := recorded.labels("pgtower_" + m[1]); got != labels {
			t.Errorf("%s has the labels %q, the page %q", m[1], got, labels)
		}
	}
	if len(want) > 0 {
		t.Errorf("there is no %v", want)
	}
	if tool := os.Getenv(promtool); tool != "" {
		checkRules(t, tool, recorded, page)
	}
}

// labels returns the names of the labels of a metric in alphabetical order, but those of a project first.
func (r recording) labels(metric string) string {
	for name := range r.samples {
		rest, isIt := strings.CutPrefix(name, metric)
		if suffix, _, _ := strings.Cut(rest, "{"); !isIt || suffix != "" && suffix != "_count" {
			continue
		}
		var labels []string
		for _, m := range metricLabel.FindAllStringSubmatch(rest, -1) {
			labels = append(labels, m[1])
		}
		slices.SortFunc(labels, func(a, b string) int { return labelOrder(a) - labelOrder(b) })
		return strings.Join(labels, " ")
	}
	return "?"
}

// labelOrder is the order in which the page has labels.
func labelOrder(label string) int {
	return slices.Index([]string{"project", "name", "organization", "organization_name", "region", "action", "status", "state", "outcome"}, label)
}

// checkRules has promtool check a recorded scrape, and test the alert rules of the page with it.
func checkRules(t *testing.T, tool string, recorded recording, page string) {
	t.Helper()
	dir := t.TempDir()
	promtool := func(stdin string, args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), tool, args...)
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("promtool %q: %v\n%s", args, err, out)
		}
	}
	promtool(recorded.text, "check", "metrics")
	_, rules, _ := strings.Cut(page, "```yaml\ngroups:")
	rules, _, _ = strings.Cut("groups:"+rules, "```")
	for name, text := range map[string]string{"rules.yml": rules, "tests.yml": ruleTests(t, recorded, rules)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	promtool("", "check", "rules", "rules.yml")
	promtool("", "test", "rules", "tests.yml")
}

// course continues the recorded scrape for half an hour, and has the alerts at its end.
type course struct {
	read string // how the times of the last reads continue
	rest string // how all other samples continue
	none bool   // nothing failed

	failing bool // there is an alert for each project in which operations failed
	notRead int  // the number in the alert of projects that were not read; 0 for no alert
}

// ruleTests returns tests of the rules.
func ruleTests(t *testing.T, recorded recording, rules string) string {
	t.Helper()
	projects := 0
	for name := range recorded.samples {
		if strings.HasPrefix(name, "pgtower_project_read_timestamp_seconds") {
			projects++
		}
	}
	var tests []any
	for _, c := range []course{
		{read: "+60x30", rest: "x30", failing: true},
		{read: "+60x30", rest: "x30", none: true},
		{read: "+0x30", rest: "x30", failing: true, notRead: projects}, // the service does not answer
		{read: "+60x10 _x20", rest: "x10 _x20", notRead: 1},            // pgtower does not run
	} {
		tests = append(tests, c.test(t, recorded, rules))
	}
	text, err := json.Marshal(map[string]any{"rule_files": []string{"rules.yml"}, "evaluation_interval": "1m", "tests": tests})
	if err != nil {
		t.Fatal(err)
	}
	return string(text) // which is YAML, too
}

// test returns a test of the rules.
func (c course) test(t *testing.T, recorded recording, rules string) any {
	t.Helper()
	summaries := summary.FindAllStringSubmatch(rules, -1)
	var series, failing, notRead []any
	calm := 0
	for name, value := range recorded.samples {
		going := fmt.Sprint(value) + c.rest
		labels, isFailed := strings.CutPrefix(name, "pgtower_operations_failed")
		switch {
		case strings.HasPrefix(name, "pgtower_project_read_timestamp_seconds"): // the test begins in 1970, with the scrape
			going = fmt.Sprint(int(value)-int(recorded.at.Unix())) + c.read
		case isFailed && c.none:
			going = "0" + c.rest
		case isFailed && value == 0:
			calm++
		case isFailed && c.failing:
			project := quoted.FindStringSubmatch(labels)[1]
			name := recorded.nameOf(project)
			text := strings.NewReplacer("{{ $labels.name }}", name, "{{ $value }}", fmt.Sprint(value)).Replace(summaries[0][1])
			failing = append(failing, alert(map[string]string{"project": project, "name": name}, text))
		}
		series = append(series, map[string]string{"series": name, "values": going})
	}
	if c.failing && (len(failing) == 0 || calm == 0) {
		t.Errorf("%d projects fail, %d do not: nothing to tell apart", len(failing), calm)
	}
	if c.notRead > 0 {
		notRead = append(notRead, alert(nil, strings.ReplaceAll(summaries[1][1], "{{ $value }}", fmt.Sprint(c.notRead))))
	}
	return map[string]any{"interval": "1m", "input_series": series, "alert_rule_test": []any{
		map[string]any{"eval_time": "30m", "alertname": "OperationsFail", "exp_alerts": failing},
		map[string]any{"eval_time": "30m", "alertname": "ProjectsNotRead", "exp_alerts": notRead},
	}}
}

func alert(labels map[string]string, summary string) any {
	return map[string]any{"exp_labels": labels, "exp_annotations": map[string]string{"summary": summary}}
}

var (
	quoted  = regexp.MustCompile(`"(.*?)"`)
	summary = regexp.MustCompile(`summary: "(.*)"`)
)

// nameOf returns the name of a project.
func (r recording) nameOf(project string) string {
	for name := range r.samples {
		if rest, isInfo := strings.CutPrefix(name, "pgtower_project_info{name="); isInfo && strings.Contains(rest, `project="`+project+`"`) {
			return quoted.FindStringSubmatch(rest)[1]
		}
	}
	return ""
}
