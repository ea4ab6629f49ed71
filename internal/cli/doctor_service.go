package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"pgtower/client"
	"pgtower/models"
)

const (
	// maxSkew is how far two clocks may be apart before the ages on the screen are wrong.
	maxSkew = 30 * time.Second
	// certificateNotice is how long before its end a certificate is worth a word.
	certificateNotice = 14 * 24 * time.Hour
)

// checkService follows the way to the service, step by step, first without the key.
func (d *doctor) checkService(ctx context.Context, key models.Secret) {
	options := d.settings.clientOptions(d.Clock)
	options.UserAgent = userAgent()
	options.Timeouts = client.Timeouts{Connect: 5 * time.Second, Headers: 10 * time.Second, Whole: 10 * time.Second}
	route, err := client.Probe(ctx, options)
	d.checkDNS(route, err)
	if dns := (*net.DNSError)(nil); errors.As(err, &dns) && route.Proxy == "" {
		return
	}
	d.checkTLS(route, err)
	if models.KindOf(err) == models.KindTLS {
		return
	}
	if !d.checkHTTP(route, err) {
		return
	}
	d.checkClock(route)
	if key.IsZero() {
		d.warn("authentication", "not tried, there is no key", "")
		return
	}
	if err := verify(ctx, options, key); err != nil {
		d.fails("authentication", err)
		return
	}
	d.ok("authentication", "the service accepts the key")
}

func (d *doctor) checkDNS(route client.Route, err error) {
	host := d.settings.base.Hostname()
	var dns *net.DNSError
	switch {
	case route.Proxy != "":
		d.ok("DNS", "left to the proxy "+route.Proxy)
	case len(route.Addrs) > 0:
		d.ok("DNS", host+" is "+strings.Join(route.Addrs, ", "))
	case errors.As(err, &dns):
		d.fails("DNS", err)
	case net.ParseIP(host) != nil:
		d.ok("DNS", "not needed for "+host)
	}
}

func (d *doctor) checkTLS(route client.Route, err error) {
	left := route.CertificateEnds.Sub(d.Clock())
	switch {
	case models.KindOf(err) == models.KindTLS:
		d.fails("TLS", err)
	case route.TLS != "" && left < certificateNotice:
		d.warn("TLS", fmt.Sprintf("%s; the service's certificate ends on %s", route.TLS, day(route.CertificateEnds)),
			"Tell the service's owner.")
	case route.TLS != "":
		d.ok("TLS", fmt.Sprintf("%s; the certificate is good until %s", route.TLS, day(route.CertificateEnds)))
	case d.settings.base.Scheme == "http":
		d.ok("TLS", "not used on this machine")
	}
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// checkHTTP reports whether what answers may be the API.
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
		d.warn("HTTP", answer, "The service has trouble of its own: try again in a moment.")
	default:
		d.warn("HTTP", answer+"; the API itself answers 401",
			"Check that the base URL is that of the API: it ends in /api/v2.")
	}
	return true
}

func (d *doctor) checkClock(route client.Route) {
	skew := route.Skew.Value.Truncate(time.Second)
	switch {
	case !route.Skew.Known:
		d.warn("clock", "the service does not say what time it is", "")
	case skew.Abs() > maxSkew:
		way := "behind"
		if skew < 0 {
			way = "ahead of"
		}
		d.warn("clock", fmt.Sprintf("this computer's clock is %s %s the service's", skew.Abs(), way),
			"Set the clock, by NTP for instance: ages are wrong by as much, and certificates may seem out of date.")
	default:
		d.ok("clock", "the same as the service's, within "+maxSkew.String())
	}
}
