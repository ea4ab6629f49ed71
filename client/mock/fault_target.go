package mock

import (
	"errors"
	"fmt"
	"net/http"
	"path"
	"strings"
)

// checkTarget says why the method and the path can never meet a request that an endpoint
// would answer: a fault that waits in vain is a test that proves nothing.
func (f Fault) checkTarget() error {
	if _, err := path.Match(f.Path, ""); err != nil || f.Path != "" && f.Path[0] != '/' {
		return fmt.Errorf("path %q is not a pattern that begins with /", f.Path)
	}
	switch {
	case strings.Trim(f.Method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "":
		return fmt.Errorf("method %q is not in capital letters", f.Method)
	case strings.Contains(f.Path, "?"):
		return fmt.Errorf("path %q has a ?: what is hit is chosen by the path alone, without the query", f.Path)
	case below(f.Path, BasePath):
		return fmt.Errorf("path %q begins with %s: write what comes after that", f.Path, BasePath)
	}
	methods := map[string]bool{}
	for _, e := range append(namedEndpoints(), named{method: http.MethodGet, path: "/projects/shared"}) {
		if f.Path == "" || meets(f.Path, e.path) {
			methods[e.method] = true
		}
	}
	switch {
	case len(methods) == 0:
		return fmt.Errorf("path %q is that of no endpoint: these are %s", f.Path, strings.Join(endpointPaths(), ", "))
	case f.Method == "" || methods[f.Method] || f.Method == http.MethodHead && methods[http.MethodGet]:
		return nil
	case f.Path == "":
		return errors.New("no endpoint answers to " + f.Method)
	}
	return fmt.Errorf("no endpoint at %q answers to %s", f.Path, f.Method)
}

// meets says whether a pattern matches a path in which * stands for any id.
func meets(pattern, at string) bool {
	patterns, segments := strings.Split(pattern, "/"), strings.Split(at, "/")
	if len(patterns) != len(segments) {
		return false
	}
	for i, segment := range segments {
		ok := segment == "*" && patterns[i] != ""
		if segment != "*" {
			ok, _ = path.Match(patterns[i], segment) // A half of a pattern matches nothing.
		}
		if !ok {
			return false
		}
	}
	return true
}
