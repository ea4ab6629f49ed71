package cli

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"pgtower/client/mock"
	"pgtower/ui"
	"pgtower/ui/action"
)

// demoCommand is a command of the palette to the mock.
type demoCommand struct {
	name, title string
	arg         string // what stands for the argument; empty for none
	examples    []string
	did         string // what to say when it is done, with the argument for %s
	do          func(s *mock.Server, arg string) error
}

// demoCommands can do what the mock's flags and its control surface can.
func demoCommands() []demoCommand {
	return []demoCommand{
		{"fault", "make requests fail", "503 of list_operations p=0.2", []string{
			"429 of list_operations p=0.3 retry-after=5", "503 of list_operations p=0.5", "latency=2s±1s", "reset p=0.1", "401 count=1",
		}, "from now on: %s", func(s *mock.Server, arg string) error {
			f, err := mock.ParseFault(arg)
			if err != nil {
				return err
			}
			_, err = s.Inject(f)
			return err
		}},
		{"heal", "remove all faults", "", nil, "all faults are removed", func(s *mock.Server, _ string) error {
			s.ClearFaults()
			return nil
		}},
		{
			"speed", "let the simulated time run faster, or stand at 0", "10",
			[]string{"0", "1", "10", "100"},
			"time runs %s times as fast", func(s *mock.Server, arg string) error {
				by, err := strconv.ParseFloat(arg, 64)
				if err != nil {
					return fmt.Errorf("must be a number, not %q", arg)
				}
				return s.SetSpeed(by)
			},
		},
		{
			"advance", "let the simulated time leap", "1h",
			[]string{"1m", "1h", "1d"},
			"time leapt by %s", func(s *mock.Server, arg string) error {
				by, err := mock.ParseSpan(arg)
				if err != nil {
					return err
				}
				return s.Advance(by)
			},
		},
		{
			"begin", "begin an operation in the busiest project", "create_branch",
			[]string{"create_branch", "start_compute", "apply_config"},
			"began %s", func(s *mock.Server, arg string) error {
				_, err := s.Start(mock.Task{ProjectID: s.BusiestProject(), Action: arg})
				return err
			},
		},
		{"fail", "make an unfinished operation fail", "its id", nil, "failed %s", failOperation},
		{"revoke", "revoke a key as the console would", "its id", nil, "revoked %s", func(s *mock.Server, arg string) error {
			id, err := strconv.ParseInt(arg, 10, 64)
			if err != nil || !s.Revoke(id) {
				return fmt.Errorf("there is no key %q", arg)
			}
			return nil
		}},
		{"dump", "write the mock's state to a file", "demo.json", []string{"demo.json"}, "the state is in %s", dump},
		{"load", "go on from a state that was dumped", "demo.json", []string{"demo.json"}, "going on from %s", load},
	}
}

// failOperation makes the operation of an id fail, in whichever project it is.
func failOperation(s *mock.Server, id string) error {
	for _, project := range s.ProjectIDs() {
		if err := s.Fail(project, id); !errors.Is(err, mock.ErrNoOperation) {
			return err
		}
	}
	return mock.ErrNoOperation
}

// dump writes the state to a new file: what is there is not overwritten.
func dump(s *mock.Server, path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) //nolint:gosec // G304: it is the user's own choice.
	if err != nil {
		return err
	}
	return errors.Join(s.Dump(f), f.Close())
}

// commands are those of the palette, which need the mock to run.
func (d *demo) commands() []ui.DemoCommand {
	var out []ui.DemoCommand
	for _, c := range demoCommands() {
		k := ui.DemoCommand{Name: c.name, Title: "demo: " + c.title, Arg: c.arg, Run: func(arg string) (string, error) {
			s := d.server.Load()
			if s == nil {
				return "", errors.New("the mock does not run yet")
			}
			if c.arg == "" {
				return c.did, c.do(s, arg)
			}
			return fmt.Sprintf(c.did, arg), c.do(s, arg)
		}}
		for _, text := range c.examples {
			k.Values = append(k.Values, action.Value{Text: text})
		}
		out = append(out, k)
	}
	return out
}
