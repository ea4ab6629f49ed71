package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"pgtower/internal/cli/exit"
	"pgtower/keystore"
	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/control"
	"pgtower/models/settings"
	"pgtower/ui/style"
)

func (p Process) loginCommand() *cobra.Command {
	s := new(defaults())
	s.mayBeNew = true
	cmd := &cobra.Command{
		Use:   "login",
		Short: "Verify an API key and save it in the OS keyring",
		Long: "login asks for an API key without showing it, or reads one line of standard input if\n" +
			"that is not a terminal. It verifies the key, says what it is, and saves it in the\n" +
			"keyring of the operating system, for the profile and the host of its base URL.\n\n" +
			"Where the service does not tell which project a key of one project is for, it needs that\n" +
			"project's id: --project.\n\n" +
			"A new profile is remembered with the base URL and the organization in force, and with a color\n" +
			"that marks the header, for which login asks in a terminal.",
		Example: "  pgtower login\n  pgtower login --profile work --org-id org-cool-breeze-12345678\n" +
			"  pass show console/api-key | pgtower login",
		Args: noKeyAsArgument,
	}
	f := cmd.Flags()
	s.addFlags(f, append(slices.Clone(connectionFlags), "project")...)
	f.Lookup("project").Usage = "`ID` of the project of a key of one project"
	f.StringVar(&s.color, "color", "", "mark of the header for a new profile, such as red or #cc3300")
	return p.withSettings(cmd, s.loadLogin, s.login)
}

// noKeyAsArgument refuses arguments. It quotes none, as one may be the key.
func noKeyAsArgument(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return exit.Usagef("login takes no arguments: it asks for the key, because other users of a computer " +
			"can read the arguments of its programs")
	}
	return nil
}

// loadLogin resolves the settings, and checks the color for a new profile.
func (s *setup) loadLogin(f *pflag.FlagSet, p Process) error {
	if err := s.resolve(f, p); err != nil || s.color == "" {
		return err
	}
	if _, inFile := s.file.own.Profiles[s.profile]; inFile {
		return exit.Usagef("--color: profile %s is in %s: set color there", s.profile, s.file.path)
	}
	if err := style.CheckAccent(s.color); err != nil {
		return exit.Usagef("--color: %w", err)
	}
	return nil
}

func (s *setup) login(ctx context.Context, p Process) error {
	sources, err := s.sources(p.LookupEnv, false)
	if err != nil {
		return err
	}
	key, keyAccount, err := s.readVerified(ctx, p, sources)
	if err != nil {
		return err
	}
	if err := p.askColor(ctx, s); err != nil { // before anything is saved
		return err
	}
	if err := sources.Ring.Set(ctx, sources.Account(), knownKey(ctx, sources, key)); err != nil {
		return err
	}
	readLists(ctx, s.clientOptions(p.Clock), key, keyAccount)
	added, err := s.remember() // before the output, which may fail
	s.memory.saveKey(s.current.Name, keystore.OriginKeyring, keyAccount)
	c := control.Connection{Account: keyAccount, Known: s.memory.accountOf(sources.Host, key, p.Clock)}
	c.Remember(p.Clock())
	err = cmp.Or(err, p.say("The key works and is saved in the OS keyring for %s.", sources.Account()))
	if err == nil {
		err = p.sayAccount(keyAccount)
	}
	if err == nil && added != "" {
		err = p.say("%s", added)
	}
	if head := overridingKey(sources); err == nil && head != "" {
		err = p.say("It is saved but not used: the %s takes precedence.", head)
	}
	return err
}

// readVerified asks for the key, and verifies it.
func (s *setup) readVerified(
	ctx context.Context, p Process, sources keystore.Sources,
) (key models.Secret, keyAccount *account.Account, err error) {
	if p.terminal() != nil {
		// A keyring that does not work is reported before the user enters the key.
		_, err := sources.Ring.Get(ctx, sources.Account())
		if err != nil && !errors.Is(err, keystore.ErrNotFound) {
			return key, nil, err
		}
	}
	key, err = p.readKey(ctx, fmt.Sprintf("API key for %s: ", sources.Account()))
	if err != nil {
		return key, nil, err
	}
	keyAccount, err = verify(ctx, s.clientOptions(p.Clock), s.accountOptions(), key)
	switch {
	case keyAccount != nil && keyAccount.NeedsProject():
		err = exit.NewUsageError(fmt.Errorf("the key was not saved: %w, with --project", keyAccount.Trouble()))
	case err != nil:
		err = fmt.Errorf("the key was not saved: %w", err)
	}
	return key, keyAccount, err
}

// sayAccount prints the kind of a key and the lists that it reaches.
func (p Process) sayAccount(a *account.Account) error {
	if a.Kind() != models.UnknownKey {
		if err := p.say("What it is: %s.", a.Describe()); err != nil {
			return err
		}
	}
	for _, list := range a.Reach() {
		if err := p.say("  %s", list); err != nil {
			return err
		}
	}
	return nil
}

// askColor asks for the color of a new profile on a terminal, unless a flag sets it. An empty answer means none.
func (p Process) askColor(ctx context.Context, s *setup) error {
	if s.color != "" || !s.isNew() || p.terminal() == nil {
		return nil
	}
	_, _ = fmt.Fprintf(p.Stderr, "A color marks the header: %s or #rrggbb.\n", strings.Join(style.Accents(), ", "))
	prompt := "Color for " + s.profile + ", or none: "
	for {
		answer, err := p.readLine(ctx, prompt)
		if err != nil {
			return err
		}
		answer = strings.TrimSpace(answer)
		if answer == "" || answer == "none" {
			return nil
		}
		err = style.CheckAccent(answer)
		if err == nil {
			s.color = answer
			return nil
		}
		p.warn("%v", err)
	}
}

// isNew reports whether the profile has to be saved. The defaults need no file.
func (s *setup) isNew() bool {
	_, place := s.file.config.Profiles[s.profile]
	asked := s.profile != settings.Default || s.BaseURL != models.DefaultBaseURL || s.OrgID != "" || s.color != ""
	return asked && !place
}

// remember saves a new profile, or another color of a remembered one, and returns a notice for the user.
func (s *setup) remember() (text string, err error) {
	saved, remembered := s.memory.state.Profiles[s.profile]
	if remembered && s.color != "" {
		saved.Name, saved.Color = s.profile, s.color
		if err := s.memory.saveProfile(saved); err != nil {
			return "", fmt.Errorf("the color could not be saved: %w", err)
		}
	}
	if _, ok := s.file.config.Profiles[s.profile]; ok {
		if hostOf(s.current.BaseURL) != s.base.Host {
			return fmt.Sprintf("The base URL of profile %s is %s: this key is used only together with %s.",
				s.profile, cmp.Or(s.current.BaseURL, models.DefaultBaseURL), s.base), nil
		}
		return "", nil
	}
	if !s.isNew() {
		return "", nil
	}
	added := settings.Profile{Name: s.profile, BaseURL: s.BaseURL, OrgID: s.OrgID, Color: s.color}
	if err := s.memory.saveProfile(added); err != nil {
		return "", fmt.Errorf("the profile could not be saved: %w", err)
	}
	return fmt.Sprintf("Profile %s is saved. pgtower profiles lists it.", s.profile), nil
}

func (p Process) logoutCommand() *cobra.Command {
	s := new(defaults())
	s.mayBeNew = true // the profile of a key may have been removed
	cmd := &cobra.Command{
		Use:   "logout",
		Short: "Remove the API key from the OS keyring",
		Long: "logout removes the key of the profile, for the host of the base URL in force, from the\n" +
			"keyring of the operating system. The key itself stays valid: revoke it on the API keys\n" +
			"page of the dashboard, or in the service's console.",
	}
	s.addFlags(cmd.Flags(), connectionFlags...)
	return p.withSettings(cmd, s.resolve, s.logout)
}

func (s *setup) logout(ctx context.Context, p Process) error {
	sources, err := s.sources(p.LookupEnv, false)
	if err != nil {
		return err
	}
	done := "The key of %s was removed from the OS keyring. It is valid until it is revoked."
	if err := sources.Ring.Delete(ctx, sources.Account()); errors.Is(err, keystore.ErrNotFound) {
		done = "The OS keyring has no key for %s."
	} else if err != nil {
		return err
	}
	if err := p.say(done, sources.Account()); err != nil {
		return err
	}
	if head := overridingKey(sources); head != "" {
		return p.say("The %s is still in force.", head)
	}
	return nil
}

// readKey asks for a key without showing it, or reads the first line of an input that is not a terminal.
func (p Process) readKey(ctx context.Context, prompt string) (models.Secret, error) {
	var line string
	var err error
	if p.terminal() != nil {
		line, err = p.readHidden(ctx, prompt)
	} else {
		line, err = bufio.NewReader(io.LimitReader(models.NewTextReader(p.Stdin), 64<<10)).ReadString('\n')
		if errors.Is(err, io.EOF) {
			err = nil // the last line need not end with a newline
		}
	}
	if err != nil {
		return models.Secret{}, fmt.Errorf("read the API key: %w", err)
	}
	key := models.NewSecret(line)
	if key.IsZero() {
		return key, exit.Usagef("no API key was given")
	}
	return key, key.Check()
}

// hiddenInput is a terminal in raw mode. There ctrl+z is a byte, and Read stops the job for it.
type hiddenInput struct {
	in, out *os.File
	before  *term.State // of the terminal, as the shell expects it
	prompt  string      // written again after the job was continued
}

func (h *hiddenInput) Write(b []byte) (int, error) { return h.out.Write(b) }

func (h *hiddenInput) Read(b []byte) (int, error) {
	for {
		n, err := h.in.Read(b)
		typed := slices.DeleteFunc(b[:n], func(c byte) bool { return c == ctrlZ })
		if len(typed) < n {
			if stopped := h.stop(); stopped != nil {
				return 0, stopped
			}
		}
		if len(typed) > 0 || err != nil {
			return len(typed), err
		}
	}
}

const ctrlZ = 'Z' & 0x1f

// stop restores the terminal and stops the job. The text that was typed stays hidden, and counts.
func (h *hiddenInput) stop() error {
	fd := int(h.in.Fd())
	if err := term.Restore(fd, h.before); err != nil {
		return err
	}
	_, _ = fmt.Fprint(h.out, "\r\n")
	_ = stopJob() // without a shell that would continue it, it is not stopped
	_, err := term.MakeRaw(fd)
	_, _ = fmt.Fprint(h.out, models.Clean(h.prompt))
	return err
}

// readHidden reads a line without showing it.
func (p Process) readHidden(ctx context.Context, prompt string) (string, error) {
	return p.readTyped(ctx, prompt, (*term.Terminal).ReadPassword)
}

// readLine reads a line that is shown.
func (p Process) readLine(ctx context.Context, prompt string) (string, error) {
	return p.readTyped(ctx, prompt, readShown)
}

func readShown(terminal *term.Terminal, prompt string) (string, error) {
	terminal.SetPrompt(prompt)
	return terminal.ReadLine()
}

// readTyped reads a line from the terminal. If ctx ends first, the read continues until the process ends.
func (p Process) readTyped(
	ctx context.Context, prompt string, read func(*term.Terminal, string) (string, error),
) (_ string, err error) {
	fd := int(p.Stdin.Fd())
	state, err := term.MakeRaw(fd)
	if err != nil {
		return "", fmt.Errorf("hide the input: %w", err)
	}
	defer func() { err = errors.Join(err, term.Restore(fd, state)) }()
	terminal := term.NewTerminal(&hiddenInput{p.Stdin, p.Stderr, state, prompt}, "")
	var line string
	var failed error
	typed := make(chan struct{})
	go func() { line, failed = read(terminal, models.Clean(prompt)); close(typed) }()
	select {
	case <-typed:
		if failed == nil {
			return line, nil
		}
		err = failed
	case <-ctx.Done():
		err = ctx.Err()
	}
	_, _ = fmt.Fprint(p.Stderr, "\r\n")
	if errors.Is(err, io.EOF) {
		err = exit.ErrInterrupted // by ctrl+c or ctrl+d
	}
	return "", err
}
