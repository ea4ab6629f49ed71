package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strconv"
	"time"
)

// mock serves a long history on a port of its own.
type mock struct {
	BaseURL        string `json:"base_url"`
	APIKey         string `json:"api_key"`
	BusiestProject string `json:"busiest_project"`

	cmd *exec.Cmd
}

// serve starts pgtower's mock with so many operations. The caller stops it.
func serve(ctx context.Context, path string, operations int) (*mock, error) {
	m := &mock{}
	m.cmd = exec.CommandContext(ctx, path, "mock", "--listen", "127.0.0.1:0", "--json", "--operations", strconv.Itoa(operations)) //nolint:gosec // what was just built
	out, err := m.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start the mock: %w", err)
	}
	if err := m.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the mock: %w", err)
	}
	if err := json.NewDecoder(out).Decode(m); err != nil {
		m.stop()
		return nil, fmt.Errorf("read where the mock listens: %w", err)
	}
	return m, nil
}

func (m *mock) stop() {
	_ = m.cmd.Process.Kill()
	_ = m.cmd.Wait()
}

// client is pgtower in the project that has the long history, with the largest pages and
// as many requests as it makes at most.
func (m *mock) client(path string) program {
	return program{
		path: path,
		args: []string{"--base-url", m.BaseURL, "--project", m.BusiestProject, "--page-size", "1000", "--budget", "100"},
		env:  []string{"PGTOWER_API_KEY=" + m.APIKey},
	}
}

// afterLoading is how long pgtower is left alone then: the notice leaves, and what was
// needed only for loading is collected.
const afterLoading = 6 * time.Second

// loaded is pgtower with many operations, and what it took to have them.
type loaded struct {
	*terminal

	took       float64 // seconds
	held, peak float64 // megabytes
}

// loadMany starts pgtower on a mock and has it load so many operations, as a person would.
func (l *lab) loadMany(ctx context.Context, m *mock, s size, operations int) (*loaded, error) {
	t, err := start(ctx, m.client(l.demo.path), l.home, s, l.now)
	if err != nil {
		return nil, err
	}
	out := &loaded{terminal: t}
	if err := out.load(operations); err != nil {
		t.close()
		return nil, err
	}
	return out, nil
}

func (l *loaded) load(operations int) error {
	if _, err := l.waitFor(0, rowText); err != nil {
		return err
	}
	// The rows that arrive by themselves would count as answers to keys.
	if err := l.send("p:"); err != nil {
		return err
	}
	if err := l.waitForScreen("Commands"); err != nil {
		return err
	}
	seen, _ := l.count()
	began := l.now()
	if err := l.send(fmt.Sprintf("load %d\r", operations)); err != nil {
		return err
	}
	// The notice stands where a line was, so its spaces are written too.
	ended, err := l.waitFor(seen, "operations are loaded")
	if err != nil {
		return err
	}
	l.took = ended.Sub(began).Seconds()
	time.Sleep(afterLoading)
	now, peak, err := memory(l.cmd.Process.Pid)
	l.held, l.peak = now/1e6, peak/1e6
	return err
}
