package client

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"pgtower/internal/faultserver"
	"pgtower/models"
)

// A key as other services make them, with all that quoting and addresses change.
const oddKey = `Ab+/="\%c~Z9`

// Whatever a server does with the key that it was sent, it does not come back.
func TestEchoesOfTheKey(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func(key string) faultserver.Fault{
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
			return faultserver.Redirect(302, "http://"+url.PathEscape(key)+".example/"+url.PathEscape(key)+"?"+url.QueryEscape(key))
		},
		"JSON that is none": func(key string) faultserver.Fault { return faultserver.JSON(200, key) },
	} {
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
