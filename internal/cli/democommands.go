package cli

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"pgtower/client/mock"
	"pgtower/ui"
	"pgtower/ui/page"
)

// commands are those of the palette to the mock: what its flags and its control surface can do as well.
func (d *demo) commands() []ui.Knob {
	return []ui.Knob{
		d.command("fault", "make requests go wrong", "503 of list_operations p=0.2", examples(
			"429 of list_operations p=0.3 retry-after=5", "503 of list_operations p=0.5", "latency=2s±1s", "reset p=0.1", "401 count=1",
		), func(s *mock.Server, arg string) (string, error) {
			f, err := mock.ParseFault(arg)
			if err != nil {
				return "", err
			}
			_, err = s.Inject(f)
			return "from now on: " + f.String(), err
		}),
		d.command("heal", "take all faults away", "", nil, func(s *mock.Server, _ string) (string, error) {
			s.ClearFaults()
			return "all faults are gone", nil
		}),
		d.command("speed", "let the simulated time run faster, or stand at 0", "10", examples("0", "1", "10", "100"), func(s *mock.Server, arg string) (string, error) {
			by, err := strconv.ParseFloat(arg, 64)
			if err != nil {
				return "", fmt.Errorf("%q is not a number", arg)
			}
			return "time runs " + arg + " times as fast", s.SetSpeed(by)
		}),
		d.command("advance", "let the simulated time leap", "1h", examples("1m", "1h", "1d"), func(s *mock.Server, arg string) (string, error) {
			by, err := mock.ParseSpan(arg)
			if err != nil {
				return "", err
			}
			return "time leapt by " + arg, s.Advance(by)
		}),
		d.command("begin", "begin an operation in the busiest project", "create_branch", examples("create_branch", "start_compute", "apply_config"), func(s *mock.Server, arg string) (string, error) {
			_, err := s.Start(mock.Task{ProjectID: s.BusiestProject(), Action: arg})
			return "began " + arg, err
		}),
		d.command("fail", "make an unfinished operation fail", "its id", nil, func(s *mock.Server, arg string) (string, error) {
			return "failed " + arg, d.fail(s, arg)
		}),
		d.command("revoke", "revoke a key as the console would", "its id", nil, func(s *mock.Server, arg string) (string, error) {
			id, err := strconv.ParseInt(arg, 10, 64)
			if err != nil || !s.Revoke(id) {
				return "", fmt.Errorf("there is no key %q", arg)
			}
			return "revoked " + arg, nil
		}),
		d.command("dump", "write the mock's state to a file", "demo.json", examples("demo.json"), func(s *mock.Server, arg string) (string, error) {
			return "the state is in " + arg, dump(s, arg)
		}),
		d.command("load", "go on from a state that was dumped", "demo.json", examples("demo.json"), func(s *mock.Server, arg string) (string, error) {
			return "going on from " + arg, load(s, arg)
		}),
	}
}

// fail makes the operation of an id fail, in whichever project it is.
func (*demo) fail(s *mock.Server, id string) error {
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

// command is one that needs the mock to run.
func (d *demo) command(name, title, arg string, values []page.Value, turn func(*mock.Server, string) (string, error)) ui.Knob {
	return ui.Knob{Name: name, Title: "demo: " + title, Arg: arg, Values: values, Turn: func(arg string) (string, error) {
		s := d.server.Load()
		if s == nil {
			return "", errors.New("the mock does not run yet")
		}
		return turn(s, arg)
	}}
}

func examples(texts ...string) []page.Value {
	out := make([]page.Value, len(texts))
	for i, t := range texts {
		out[i] = page.Value{Text: t}
	}
	return out
}
