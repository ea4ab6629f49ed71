package client

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"pgtower/internal/faultserver"
	"pgtower/models"
)

// A key of another service, with every character that quoting and URLs escape.
const oddKey = `Ab+/="\%c~Z9`

// echoes are the places in which a server may repeat a key.
var echoes = map[string]func(key string) faultserver.Fault{
	"the message": func(key string) faultserver.Fault { return faultserver.JSON(401, fmt.Sprintf(`{"message":%q}`, key)) },
	"the code":    func(key string) faultserver.Fault { return faultserver.JSON(401, fmt.Sprintf(`{"code":%q}`, key)) },
	"the error": func(key string) faultserver.Fault {
		return faultserver.JSON(401, fmt.Sprintf(`{"error":%q}`, "x"+key+"x"))
	},
	"the id in the body": func(key string) faultserver.Fault {
		return faultserver.JSON(401, fmt.Sprintf(`{"request_id":%q}`, key))
	},
	"the id header": func(key string) faultserver.Fault { return faultserver.JSON(500, `{}`, "X-Request-Id: "+key) },
	"plain text":    func(key string) faultserver.Fault { return faultserver.JSON(400, "no such key: "+key) },
	"broken JSON":   func(key string) faultserver.Fault { return faultserver.JSON(400, fmt.Sprintf(`{"message":%q`, key)) },
	"in an address": func(key string) faultserver.Fault { return faultserver.JSON(400, "GET /?key="+url.QueryEscape(key)) },
	"a media type": func(key string) faultserver.Fault {
		return faultserver.Raw("HTTP/1.1 200 OK\r\nContent-Type: text/" + key + "\r\n\r\n")
	},
	"no media type": func(key string) faultserver.Fault {
		return faultserver.Raw("HTTP/1.1 200 OK\r\nContent-Type: " + key + "\r\n\r\n")
	},
	"the status line": func(key string) faultserver.Fault { return faultserver.Raw(key + " " + key + "\r\n\r\n") },
	"the reason":      func(key string) faultserver.Fault { return faultserver.Raw("HTTP/1.1 x" + key + "\r\n\r\n") },
	"a header line":   func(key string) faultserver.Fault { return faultserver.Raw("HTTP/1.1 200 OK\r\n" + key + "\r\n\r\n") },
	"a length": func(key string) faultserver.Fault {
		return faultserver.Raw("HTTP/1.1 200 OK\r\nContent-Length: " + key + "\r\n\r\n")
	},
	"a transfer coding": func(key string) faultserver.Fault {
		return faultserver.Raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: " + key + "\r\n\r\n")
	},
	"the target": func(key string) faultserver.Fault {
		return faultserver.JSON(302, "{}", "Location: http://"+url.PathEscape(key)+".example/"+url.PathEscape(key)+"?"+url.QueryEscape(key))
	},
	"JSON that is none": func(key string) faultserver.Fault { return faultserver.JSON(200, key) },
}

// The error does not have the key of the request, wherever the server echoes it.
func TestEchoedKeysAreRedacted(t *testing.T) {
	t.Parallel()
	for name, fault := range echoes {
		for _, key := range []string{testKey, oddKey} {
			t.Run(name+" "+key, func(t *testing.T) {
				t.Parallel()
				s := faultserver.Start(t, fault(key))
				c, err := New(Options{BaseURL: s.URL(), Key: models.NewSecret(key), Clock: now})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(c.Close)
				for method, err := range everyMethod(t.Context(), c) {
					e := wantError(t, err, models.KindOf(err))
					said := strings.ToLower(fmt.Sprintf("%s %s %s %s %v", err, e.Message, e.RequestID, e.Path, e.Err))
					for _, spelt := range []string{key, url.PathEscape(key), url.QueryEscape(key), strings.Trim(fmt.Sprintf("%q", key), `"`)} {
						if strings.Contains(said, strings.ToLower(spelt)) {
							t.Errorf("%s: %q repeats the key", method, said)
						}
					}
				}
			})
		}
	}
}

// A service may echo a key that it has just created. The key is neither in the error nor in the log. For keys in an unknown
// form, that holds for creations only.
func TestEchoedNewKeysAreMasked(t *testing.T) {
	t.Parallel()
	for name, fault := range echoes {
		for key, methods := range map[string][]string{
			"napi_s3cret-of-the-new-key":                nil, // each
			"pgt_demo_a2b3c4d5e6f7ghijklmnopqrstuvwxyz": {"POST"},
			"0123456789abcdefghijABCDEFGHIJ":            {"POST"},
		} {
			t.Run(name+" "+key, func(t *testing.T) {
				t.Parallel()
				s := faultserver.Start(t, fault(key))
				for method, err := range everyMethod(t.Context(), connect(t, Options{BaseURL: s.URL()})) {
					if methods != nil && !slices.Contains(methods, method) {
						continue
					}
					e := wantError(t, err, models.KindOf(err))
					said := strings.ToLower(fmt.Sprintf("%s %s %s %s %v %s", err, e.Message, e.RequestID, e.Path, e.Err, e.Hint))
					if strings.Contains(said, strings.ToLower(key)) {
						t.Errorf("%s: %q repeats the key", method, said)
					}
				}
				_, raw := logged(t, fault(key), func(c *Client) { _, _ = c.CreateAPIKey(t.Context(), "n", models.Reach{}) })
				if !strings.Contains(raw, "POST") || strings.Contains(strings.ToLower(raw), strings.ToLower(key)) {
					t.Errorf("the log: %s", raw)
				}
			})
		}
	}
}

// A key that the server echoes in a record is redacted, in every field and with every escape.
func TestRecordsDoNotQuoteTheKey(t *testing.T) {
	t.Parallel()
	const old = "napi_the-one-before"
	for name, spell := range map[string]func(key string) string{
		"plain":      func(key string) string { return key },
		"in a text":  func(key string) string { return "Bearer " + key + "; " + key },
		"escaped":    func(key string) string { return `\u00` + fmt.Sprintf("%02x", key[0]) + key[1:] },
		"an address": url.QueryEscape,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, key := range []string{testKey, old} {
				text := spell(key)
				operation := echoing(text, `"failures_count":1`, "id", "project_id", "branch_id", "endpoint_id", "action", "status", "error", "retry_at", text)
				project := echoing(text, `"pg_version":17`, "id", "name", "platform_id", "region_id", "provisioner", "proxy_host", "created_at")
				apiKey := echoing(text, `"id":7`, "name", "last_used_from_addr", "created_at")
				c := serve(t, func(w http.ResponseWriter, r *http.Request) {
					switch path := strings.TrimPrefix(r.URL.Path, "/api/v2/"); {
					case path == "projects":
						writeJSON(w, `{"projects":[`+project+`]}`)
					case strings.HasSuffix(path, "/operations"):
						writeJSON(w, `{"operations":[`+operation+`]}`)
					case strings.HasPrefix(path, "projects/"):
						writeJSON(w, `{"operation":`+strings.Replace(operation, `"id":"`+text, `"id":"o`, 1)+`}`)
					case r.Method == http.MethodGet:
						writeJSON(w, "["+apiKey+"]")
					case r.Method == http.MethodPost:
						writeJSON(w, `{"id":7,"key":"napi_created"}`)
					default:
						writeJSON(w, strings.Replace(apiKey, `"id":7`, `"id":7,"revoked":true`, 1))
					}
				})
				if err := errors.Join(c.UseKey(models.NewSecret(old)), c.UseKey(models.NewSecret(testKey))); err != nil {
					t.Fatal(err)
				}
				for what, record := range everyRecord(t, c) {
					if strings.Contains(record, key) || strings.Contains(record, text) || !strings.Contains(record, "•••") {
						t.Errorf("%s: %s", what, record)
					}
				}
				created, err := c.CreateAPIKey(t.Context(), "name", models.Reach{})
				if err != nil || created.Key.Reveal() != "napi_created" {
					t.Errorf("a created key: %v, %v", created, err)
				}
			}
		})
	}
}

// echoing is a record with the text as the value of each named field.
func echoing(text, more string, names ...string) string {
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, `"%s":"%s",`, name, text)
	}
	return "{" + b.String() + more + "}"
}

// everyRecord reads a record of each kind.
func everyRecord(t *testing.T, c *Client) map[string]string {
	t.Helper()
	all := map[string]string{}
	note := func(what string, v any, err error) {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
		all[what] = fmt.Sprintf("%+v", v)
	}
	ctx := t.Context()
	projects, err := c.Projects(ctx, models.ListID{}, models.PageRequest{})
	note("projects", projects, err)
	operations, err := c.Operations(ctx, "p", models.PageRequest{})
	note("operations", operations, err)
	operation, err := c.Operation(ctx, "p", "o")
	note("an operation", operation, err)
	raw, err := c.OperationJSON(ctx, "p", "o")
	note("its JSON", string(raw), err)
	keys, err := c.APIKeys(ctx, models.ListID{})
	note("keys", keys, err)
	revoked, err := c.RevokeAPIKey(ctx, keyOf(7))
	note("a revoked key", revoked, err)
	return all
}
