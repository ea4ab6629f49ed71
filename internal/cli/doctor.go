package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"pgtower/keystore"
	"pgtower/models"
)

// doctorDeadline bounds all of the checks together: a key command and a network that is
// there.
const doctorDeadline = keystore.CommandDeadline + 30*time.Second

// verdict is what a check came to.
type verdict string

const (
	verdictOK      verdict = "ok"
	verdictWarning verdict = "warning"
	verdictFailed  verdict = "failed"
)

// finding is the outcome of one check.
type finding struct {
	Check   string  `json:"check"`
	Verdict verdict `json:"verdict"`
	Detail  string  `json:"detail"`
	// Advice says what to do, where something is to be done.
	Advice string `json:"advice,omitempty"`
}

// doctor makes the checks, and prints each as it is made.
type doctor struct {
	Process

	settings *settings
	asJSON   bool
	findings []finding
}

func (p Process) doctorCommand() *cobra.Command {
	s := defaults()
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check everything that pgtower needs",
		Long: "doctor checks the configuration, the API key and the OS keyring, the way to the\n" +
			"service, the clock and the terminal, and says what to do about what is wrong. The exit\n" +
			"code is 1 if anything failed. It keeps a meaningless item in the keyring for a moment,\n" +
			"and ends within a minute.",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			broken := s.resolve(cmd.Flags(), p)
			if broken != nil && !isFileError(broken) {
				return broken
			}
			closeLog, err := s.transport.open()
			if err != nil {
				return err
			}
			defer closeLog()
			d := &doctor{Process: p, settings: &s, asJSON: asJSON(cmd), findings: []finding{}}
			return interruptibly(cmd.Context(), func(ctx context.Context) error {
				ctx, cancel := context.WithTimeout(ctx, doctorDeadline)
				defer cancel()
				d.check(ctx, broken)
				if d.asJSON {
					if err := p.print(cmd, d.findings, nil); err != nil {
						return err
					}
				}
				if slices.ContainsFunc(d.findings, func(f finding) bool { return f.Verdict == verdictFailed }) {
					return errSaid
				}
				return nil
			})
		},
	}
	s.addFlags(cmd.Flags())
	hideFlags(cmd.Flags(), "demo", "project")
	addJSONFlag(cmd)
	return cmd
}

// check makes all checks that can be made. wrong is what is wrong with the configuration file.
func (d *doctor) check(ctx context.Context, wrong error) {
	d.checkConfiguration(wrong)
	if wrong == nil {
		d.checkConnection(ctx)
	} else {
		d.checkKeyring(ctx, keystore.Sources{Getenv: d.Getenv, Ring: keystore.New(keystore.Options{})})
	}
	d.checkTerminal()
}

// checkConnection makes the checks that need to know which profile it is.
func (d *doctor) checkConnection(ctx context.Context) {
	sources, err := d.settings.sources(d.Getenv)
	if err != nil {
		d.fails("API key", err)
		return
	}
	sources.Terminal = d.terminal()
	key := d.checkKey(ctx, sources)
	d.checkKeyring(ctx, sources)
	d.checkService(ctx, key)
}

// note keeps a finding, and prints it unless JSON is wanted.
func (d *doctor) note(v verdict, check, detail, advice string) {
	f := finding{check, v, models.Clean(detail), models.Clean(advice)}
	d.findings = append(d.findings, f)
	if d.asJSON {
		return
	}
	_, _ = fmt.Fprintf(d.Stdout, "%-7s  %-14s  %s\n", f.Verdict, f.Check, f.Detail)
	if f.Advice != "" {
		_, _ = fmt.Fprintf(d.Stdout, "%25s→ %s\n", "", f.Advice)
	}
}

func (d *doctor) ok(check, detail string) { d.note(verdictOK, check, detail, "") }

func (d *doctor) warn(check, detail, advice string) { d.note(verdictWarning, check, detail, advice) }

func (d *doctor) fails(check string, err error) {
	d.note(verdictFailed, check, err.Error(), adviceOn(err))
}

func (d *doctor) checkConfiguration(wrong error) {
	file := d.settings.file
	switch {
	case wrong != nil:
		d.note(verdictFailed, "configuration", wrong.Error(), "Correct the file; pgtower never changes one that is wrong.")
	case file.exists:
		d.ok("configuration", fmt.Sprintf("%s, profile %s", file.path, d.settings.profile))
	default:
		d.ok("configuration", "no file, so the defaults are in force")
	}
}

// checkKey finds the key, and returns it.
func (d *doctor) checkKey(ctx context.Context, sources keystore.Sources) models.Secret {
	found, err := sources.Find(ctx)
	switch e, ofKeyring := errors.AsType[*keystore.Error](err); {
	case err == nil:
		d.ok("API key", fmt.Sprintf("the %s, for %s", keyOf(found.Source), d.settings.base.Host))
	case errors.Is(err, keystore.ErrNotFound):
		d.warn("API key", "there is none for "+sources.Account().String(), "Run pgtower login, or give the dashboard one.")
	case ofKeyring:
		d.note(verdictFailed, "API key", "it cannot be read: "+e.Reason.String(), e.Reason.Advice())
	default:
		d.fails("API key", err)
	}
	return found.Key.Secret
}

// checkKeyring keeps an item for a moment. A keyring that does not work is only a warning
// where the key comes from elsewhere.
func (d *doctor) checkKeyring(ctx context.Context, sources keystore.Sources) {
	err := sources.Ring.RoundTrip(ctx)
	if err == nil {
		d.ok("OS keyring", "an item was saved, read and deleted")
		return
	}
	bad := verdictFailed
	if before, err := sources.BeforeKeyring(); err == nil && before.Origin != keystore.OriginNone {
		bad = verdictWarning
	}
	why, advice := explain(err)
	d.note(bad, "OS keyring", why, advice)
}
