package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"pgtower/client"
	"pgtower/internal/cli/exit"
	"pgtower/internal/state"
	"pgtower/keystore"
	"pgtower/models"
	"pgtower/models/status"
	"pgtower/ui/desktop"
)

const (
	doctorDeadline       = keystore.CommandDeadline + 30*time.Second // of all checks together
	maxSkew              = 30 * time.Second                          // between the clocks, without a warning
	certificateNotice    = 14 * 24 * time.Hour                       // before a certificate expires, for a warning
	minColumns, minLines = 60, 15                                    // of the whole dashboard
)

func (p Process) doctorCommand() *cobra.Command {
	s := new(defaults())
	d := &doctor{process: p, settings: s, findings: []finding{}}
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check everything that pgtower needs",
		Long: "doctor checks the configuration, the API key and the OS keyring, the connection to the\n" +
			"service, the clock and the terminal, and shows how to solve problems. The exit code\n" +
			"is 1 if a check failed. It saves a test item in the keyring and deletes it again, and\n" +
			"ends within a minute. With --redacted, what others need not know is left out: folders,\n" +
			"hosts, addresses, the profile, and what is in the account.",
	}
	s.addCheckFlags(cmd.Flags())
	cmd.Flags().BoolVar(&d.redacted, "redacted", false, "leave out folders, hosts, profiles and what is in the account")
	return p.withSettings(cmd, d.load, d.run)
}

// load resolves the settings. A broken configuration file is one of the findings.
func (d *doctor) load(f *pflag.FlagSet, p Process) error {
	err := d.settings.resolve(f, p)
	if isFileError(err) {
		d.broken = err
		return nil
	}
	return err
}

func (d *doctor) run(ctx context.Context, p Process) error {
	ctx, cancel := context.WithTimeout(ctx, doctorDeadline)
	defer cancel()
	d.check(ctx)
	if d.settings.json {
		d.failed = p.print(true, d.findings, nil)
	}
	if slices.ContainsFunc(d.findings, finding.failed) {
		return exit.ErrSaid
	}
	return d.failed
}

// check runs all possible checks.
func (d *doctor) check(ctx context.Context) {
	d.checkConfiguration()
	d.checkLink()
	d.checkState()
	d.checkZone()
	if d.settings.demo {
		d.checkDemo(ctx)
	} else if d.broken != nil { // the profile is unknown
		d.checkKeyring(ctx, keystore.Sources{LookupEnv: d.process.LookupEnv, Ring: keystore.New(nil)})
	} else if sources, err := d.settings.sources(d.process.LookupEnv, false); err != nil {
		d.fails("API key", err)
	} else {
		sources.Terminal = d.process.terminal()
		key := d.checkKey(ctx, sources)
		d.checkKeyring(ctx, sources)
		d.checkService(ctx, key)
	}
	d.checkTerminal()
	d.checkTmux(ctx)
}

// checkTmux checks whether alerts reach the desktop from within tmux.
func (d *doctor) checkTmux(ctx context.Context) {
	tmux := desktop.TmuxOf(d.process.Getenv)
	switch {
	case !tmux.Inside():
		return
	case d.settings.NoBell:
		d.ok("tmux", "alerts do not reach the desktop: bell and notifications are off")
		return
	}
	outside, err := tmux.Outside(ctx)
	switch {
	case err != nil:
		d.warn("tmux", "tmux did not answer: "+models.Clean(err.Error()), "Alerts may not reach the desktop.")
	case !outside.Passes:
		d.warn("tmux", "allow-passthrough is off: alerts do not reach the desktop",
			"Add set -g allow-passthrough all to the configuration of tmux, or on before tmux 3.4.")
	case outside.Notifier == "":
		d.warn("tmux", "the terminal around it is not known to show notifications", "Alerts ring the bell only.")
	case !outside.Hidden:
		d.warn("tmux", "alerts reach the desktop only while tmux shows this window",
			"From tmux 3.4 on, set -g allow-passthrough all passes them on from each window.")
	default:
		d.ok("tmux", "alerts reach the desktop")
	}
}

// checkDemo checks the built-in mock as a service. It needs no key of the user and no keyring.
func (d *doctor) checkDemo(ctx context.Context) {
	demo := &demo{options: d.settings.clientOptions(d.process.Clock), seed: d.settings.demoSeed}
	demo.connections = newConnections()
	server, err := demo.start(ctx)
	if err != nil {
		d.fails("demo", err)
		return
	}
	defer demo.close()
	d.settings.BaseURL = server.listener.BaseURL()
	if err := d.settings.follow("base-url"); err != nil {
		d.fails("demo", err)
		return
	}
	d.ok("demo", "the built-in mock listens on "+d.settings.base.Host)
	d.checkService(ctx, models.NewSecret(server.mock.APIKey()))
}

// checkZone checks the time zone of TZ. If it is unknown, Go shows times in UTC and reports no error.
func (d *doctor) checkZone() {
	name := strings.TrimPrefix(d.process.Getenv("TZ"), ":")
	if name == "" {
		return
	}
	_, err := time.LoadLocation(name)
	if filepath.IsAbs(name) {
		_, err = os.Stat(name)
	}
	if err != nil {
		d.warn("time zone", "TZ is "+models.ProgramName(name)+", which is not known here: local times are those of UTC",
			"Set TZ to a name such as Europe/Berlin, or unset it.")
	}
}

func (d *doctor) checkConfiguration() {
	file := d.settings.file
	switch {
	case d.broken != nil:
		d.note(verdictFailed, "configuration", d.broken.Error(), "Fix the file.")
	case len(file.config.Faults) > 0:
		for _, fault := range file.config.Faults {
			d.note(verdictFailed, "configuration", fault.Error(), "Fix the file; pgtower ignores this part of it.")
		}
	case file.note != "":
		d.warn("configuration", file.note, "")
	case file.exists:
		d.ok("configuration", fmt.Sprintf("%s, profile %s", file.path, d.settings.profile))
	default:
		d.ok("configuration", "no file; using the defaults")
	}
}

func (d *doctor) checkState() {
	m := d.settings.memory
	advice := ""
	err := m.file.Change(func(*state.State) error { return nil })
	if err != nil {
		advice = "pgtower works, but remembers nothing."
	}
	for _, note := range m.notes {
		d.warn("state", note, advice)
	}
	switch {
	case len(m.notes) > 0:
	case err != nil:
		d.warn("state", err.Error(), advice)
	default:
		d.ok("state", m.file.Path)
	}
}

// checkKey returns the key that it finds.
func (d *doctor) checkKey(ctx context.Context, sources keystore.Sources) models.Secret {
	found, err := sources.Find(ctx)
	switch {
	case err == nil:
		d.ok("API key", fmt.Sprintf("the %s, for %s", keyLabel(found.Origin), d.settings.base.Host))
	case errors.Is(err, keystore.ErrNotFound):
		d.warn("API key", "none for "+sources.Account().String(), "Run pgtower login, or enter one in the dashboard.")
	default:
		d.fails("API key", err)
	}
	for _, unused := range sources.Unused() {
		d.checkVariable(unused, err == nil)
	}
	key, listed := d.settings.memory.keysOf(sources.Host).own(found.Secret, found.ID)
	d.keyID, d.keyList = key.ID, models.Opt[models.ListID]{Value: key.List, Known: listed}
	d.account = sources.Account().String()
	return found.Secret
}

// checkVariable names a variable for a key that is not used. A variable of another service is no problem if there is another
// key.
func (d *doctor) checkVariable(unused keystore.UnusedVariable, found bool) {
	switch {
	case unused.Empty:
		d.warn("API key", unused.String(), "Set it to a key, or unset it.")
	case found:
		d.ok("API key", unused.String())
	default:
		d.warn("API key", unused.String(), "")
	}
}

// checkKeyring saves an item for a moment. If the key comes from elsewhere, an error is only a warning.
func (d *doctor) checkKeyring(ctx context.Context, sources keystore.Sources) {
	err := sources.Ring.RoundTrip(ctx)
	if err == nil {
		d.ok("OS keyring", "an item was saved, read and deleted")
		return
	}
	result := verdictFailed
	why, advice := explain(err)
	if overridingKey(sources) != "" {
		result = verdictWarning
		if e, ok := errors.AsType[*keystore.Error](err); ok {
			advice = e.Reason.Remedy() // without the other sources of keys: there is a key
		}
	}
	d.note(result, "OS keyring", why, advice)
}

// checkService checks the connection to the service step by step, first without the key.
func (d *doctor) checkService(ctx context.Context, key models.Secret) {
	options := d.settings.clientOptions(d.process.Clock)
	options.Timeouts = client.Timeouts{Connect: 5 * time.Second, Headers: 10 * time.Second, Whole: 10 * time.Second}
	defer d.checkStatus(ctx, d.statusPage(options)) // also where the service does not answer
	route, err := client.Probe(ctx, options)
	d.checkProxy(route)
	if !d.checkDNS(ctx, route, err) || !d.checkTLS(route, err) || !d.checkHTTP(route, err) {
		return
	}
	d.checkClock(route)
	if key.IsZero() {
		d.warn("authentication", "skipped: no key", "")
	} else {
		d.checkAccount(ctx, options, key)
	}
}

// statusPage returns the public status page of the service, or nil.
func (d *doctor) statusPage(o client.Options) *status.Source {
	if d.settings.demo {
		return mockStatus(o)
	}
	return d.settings.statusPage(o)
}

// checkStatus asks the public status page of the service. Only the live service has one without a setting.
func (d *doctor) checkStatus(ctx context.Context, page *status.Source) {
	if page == nil {
		return
	}
	read, err := page.Read(ctx)
	statement := status.Statement{Name: page.Name, Claim: read.Of(), Err: err}
	text := statement.Text(minuteUTC, "")
	switch {
	case err != nil:
		why, _ := explain(err)
		d.warn("status page", text+": "+why, "")
	case statement.Trouble():
		d.warn("status page", text, "The service itself may be what fails: wait, or ask its support.")
	default:
		d.ok("status page", text)
	}
}

func minuteUTC(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") + " UTC" }

// checkLink checks the link of the folder to a project.
func (d *doctor) checkLink() {
	switch link := d.settings.linked; {
	case link.err != nil:
		d.warn("folder", fmt.Sprintf("%s: %v", link.path, link.err), "Fix or remove the file; pgtower ignores it.")
	case link.ProjectID != "":
		d.ok("folder", fmt.Sprintf("%s links it to the project %s", link.path, link.ProjectID))
	}
}

// checkDNS, checkTLS and checkHTTP report whether the next step can be checked.
func (d *doctor) checkDNS(ctx context.Context, route client.Route, err error) bool {
	host := d.settings.base.Hostname()
	_, failed := errors.AsType[*net.DNSError](err)
	switch {
	case route.Proxy != "":
		d.ok("DNS", "resolved by the proxy "+route.Proxy)
	case net.ParseIP(host) != nil:
		d.ok("DNS", "not needed for "+host)
	case failed:
		d.fails("DNS", err)
		return false
	default:
		if addrs, err := net.DefaultResolver.LookupHost(ctx, host); err == nil {
			d.ok("DNS", host+" is "+strings.Join(addrs, ", "))
		}
	}
	return true
}

// checkProxy names a setting of a proxy that has no effect.
func (d *doctor) checkProxy(route client.Route) {
	if route.Disobeyed != "" {
		d.warn("proxy", route.Disobeyed, "")
	}
}

func (d *doctor) checkTLS(route client.Route, err error) bool {
	ends := route.CertificateEnds.UTC().Format(time.DateOnly)
	switch {
	case models.KindOf(err) == models.KindTLS:
		d.fails("TLS", err)
		return false
	case route.TLS != "" && route.CertificateEnds.Sub(d.process.Clock()) < certificateNotice:
		d.warn("TLS", fmt.Sprintf("%s; the service's certificate expires on %s", route.TLS, ends),
			"Ask the operator of the service to renew it.")
	case route.TLS != "":
		d.ok("TLS", fmt.Sprintf("%s; the certificate is valid until %s", route.TLS, ends))
	case d.settings.base.Scheme == "http":
		d.ok("TLS", "not used on this machine")
	}
	return true
}

func (d *doctor) checkHTTP(route client.Route, err error) bool {
	if err != nil {
		d.fails("HTTP", err)
		return false
	}
	took := route.Took.Round(time.Millisecond)
	answer := fmt.Sprintf("%s, status %d without a key, after %s", route.HTTP, route.Status, took)
	switch {
	case route.Status == http.StatusUnauthorized:
		d.ok("HTTP", answer)
	case route.Status/100 == 5, route.Status == http.StatusTooManyRequests:
		d.warn("HTTP", answer, "The service has a problem: try again later.")
	case models.EndsInVersion(d.settings.base):
		d.warn("HTTP", answer+"; the API itself answers 401",
			"Something between pgtower and the service may have answered: check proxies and filters, and the base URL's host.")
	default:
		d.warn("HTTP", answer+"; the API itself answers 401", "Check the base URL: it should end in /api/v2.")
	}
	return true
}

func (d *doctor) checkClock(route client.Route) {
	skew, way := route.Skew.Value.Truncate(time.Second), "behind"
	if skew < 0 {
		way = "ahead of"
	}
	switch {
	case !route.Skew.Known:
		d.warn("clock", "the service sent no date", "")
	case skew.Abs() > maxSkew:
		d.warn("clock", fmt.Sprintf("this computer's clock is %s %s the service's", skew.Abs(), way),
			"Set the clock, by NTP for instance: certificates may seem out of date. "+
				"pgtower computes ages by the service's clock.")
	default:
		d.ok("clock", "matches the service's within "+maxSkew.String())
	}
}

// checkTerminal checks the terminal. It only warns: the dashboard may be used in another one.
func (d *doctor) checkTerminal() {
	out, name := int(d.process.Stdout.Fd()), d.process.Getenv("TERM")
	columns, lines, err := term.GetSize(out)
	size := fmt.Sprintf("%s, %d×%d", name, columns, lines)
	locale := cmp.Or(d.process.Getenv("LC_ALL"), d.process.Getenv("LC_CTYPE"), d.process.Getenv("LANG"), "not set")
	isUTF8 := strings.Contains(strings.ReplaceAll(strings.ToLower(locale), "-", ""), "utf8")
	switch {
	case !isUTF8 && runtime.GOOS != "windows":
		d.warn("terminal", "the locale is "+locale+", and not UTF-8",
			"Set LANG or LC_ALL to a locale in UTF-8, such as C.UTF-8.")
	case !term.IsTerminal(out) || d.process.terminal() == nil:
		d.warn("terminal", "not a terminal; the dashboard needs one",
			"Run pgtower doctor without redirections to check yours.")
	case (name == "" || name == "dumb") && runtime.GOOS != "windows":
		d.warn("terminal", "TERM is not a known terminal", "Set TERM to your terminal's type, such as xterm-256color.")
	case err == nil && (columns < minColumns || lines < minLines):
		d.warn("terminal", size, fmt.Sprintf("Enlarge it to at least %d×%d.", minColumns, minLines))
	default:
		d.ok("terminal", size)
	}
}
