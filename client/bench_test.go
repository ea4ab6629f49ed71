package client

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"pgtower/models"
)

// keysList returns a response with n API keys, as long as the live service's are.
func keysList(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteByte("[,"[min(i, 1)])
		fmt.Fprintf(&b, `{"id":%d,"name":"deploy-%d","created_at":"2022-11-09T20:47:27Z","last_used_at":"2025-11-09T20:47:27Z",`+
			`"last_used_from_addr":"198.51.100.7","created_by":{"id":"7","name":"someone","image":"https://images.example/7.png"}}`, 165_000+i, i)
	}
	b.WriteByte(']')
	return b.String()
}

// projectsPage returns a response with n projects.
func projectsPage(n int) string {
	var b strings.Builder
	b.WriteString(`{"projects":`)
	for i := range n {
		b.WriteByte("[,"[min(i, 1)])
		fmt.Fprintf(&b, `{"id":"floral-king-%d","name":"shop-%d","platform_id":"aws","region_id":"aws-us-east-2","provisioner":"k8s-neonvm",`+
			`"pg_version":17,"cpu_used_sec":1200,"proxy_host":"us-east-2.aws.example","branch_logical_size_limit":512,`+
			`"created_at":"2022-11-09T20:47:27Z","updated_at":"2025-11-09T20:47:27Z","settings":{"quota":{}},"owner_id":"o"}`, i, i)
	}
	b.WriteString(`],"pagination":{"cursor":"floral-king"}}`)
	return b.String()
}

// BenchmarkAnswer decodes a response.
func BenchmarkAnswer(b *testing.B) {
	for _, c := range []struct {
		name, body string
		call       func(*Client) (int, error)
		records    int
	}{
		{"100 operations", operationsPage(100), func(c *Client) (int, error) {
			p, err := c.Operations(b.Context(), "p", models.PageRequest{})
			return len(p.Items), err
		}, 100},
		{"1,000 operations", operationsPage(1000), func(c *Client) (int, error) {
			p, err := c.Operations(b.Context(), "p", models.PageRequest{})
			return len(p.Items), err
		}, 1000},
		{"400 projects", projectsPage(400), func(c *Client) (int, error) {
			p, err := c.Projects(b.Context(), models.PageRequest{})
			return len(p.Items), err
		}, 400},
		{"10,000 keys", keysList(10_000), func(c *Client) (int, error) {
			keys, err := c.APIKeys(b.Context())
			return len(keys), err
		}, 10_000},
	} {
		b.Run(c.name, func(b *testing.B) {
			client, err := New(Options{
				BaseURL: models.DefaultBaseURL, Key: models.NewSecret(testKey), Clock: now,
				Transport: tripper(func(*http.Request) (*http.Response, error) { return answer(200, c.body), nil }),
			})
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(c.body)))
			b.ReportAllocs()
			for b.Loop() {
				if n, err := c.call(client); err != nil || n != c.records {
					b.Fatal(n, err)
				}
			}
		})
	}
}
