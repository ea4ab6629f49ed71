package screenshots

import (
	"context"
	"hash/fnv"
	"net/http"
	"time"

	"pgtower/client"
	"pgtower/client/mock"
	"pgtower/internal/faultserver"
	"pgtower/models"
	"pgtower/models/control"
	keymodel "pgtower/models/keys"
)

const (
	serviceHost = "console.example"
	serviceURL  = "https://" + serviceHost + mock.BasePath
	keySource   = "key from the keyring"
	// budget is the maximum number of requests a second.
	budget = 10
)

// backend connects to the mock without a network: fake time would stop during network waits.
type backend struct {
	server  *mock.Server
	clock   func() time.Time
	keyless bool
	memory  keymodel.Store // of rotations; nil: only the session remembers
	api     *client.Client
}

// RoundTrip delays the response as a service does, differently for each URL: so simultaneous requests always reach the
// mock in the same order, and get the same ids.
func (b *backend) RoundTrip(r *http.Request) (*http.Response, error) {
	latency := 40 * time.Millisecond
	if r.Method != http.MethodGet {
		latency = 450 * time.Millisecond
	}
	address := fnv.New32a()
	_, _ = address.Write([]byte(r.URL.String()))
	latency += time.Duration(address.Sum32()%1e6) * time.Nanosecond
	select {
	case <-time.After(latency):
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	return faultserver.InProcess{Handler: b.server}.RoundTrip(r)
}

func (b *backend) connect(key models.Secret) (*client.Client, error) {
	return client.New(client.Options{BaseURL: serviceURL, Key: key, Clock: b.clock, Transport: b})
}

// Open implements [control.Authenticator].
func (b *backend) Open(context.Context, string) (control.Connection, error) {
	if b.keyless {
		return control.Connection{}, &control.NoKeyError{}
	}
	api, err := b.connect(models.NewSecret(b.server.APIKey()))
	b.api = api
	return control.Connection{
		API: api, KeyStore: b, Source: keySource, KeyID: b.server.KeyID(b.server.APIKey()), BaseURL: serviceURL, Host: serviceHost,
		Memory: b.memory,
	}, err
}

// SignIn implements [control.Authenticator]. No picture signs in.
func (b *backend) SignIn(ctx context.Context, baseURL string, _ models.Secret, _ string) (control.Connection, error) {
	return b.Open(ctx, baseURL)
}

// Forget implements [control.Authenticator].
func (*backend) Forget(string) {}

// Verify implements [control.KeyStore].
func (b *backend) Verify(ctx context.Context, key models.Secret) error {
	api, err := b.connect(key)
	if err != nil {
		return err
	}
	_, err = api.Projects(ctx, models.ListID{}, models.PageRequest{Limit: 1})
	return err
}

// Check implements [control.KeyStore].
func (*backend) Check(context.Context) error { return nil }

// Pipe implements [control.KeyStore].
func (b *backend) Pipe(context.Context, string, models.Secret) error { return nil }

// Save implements [control.KeyStore].
func (b *backend) Save(_ context.Context, key models.CreatedAPIKey) (control.Saved, error) {
	return control.Saved{Source: keySource}, b.api.UseKey(key.Key)
}
