package mock

import (
	"net/http"
	"slices"
)

// named is an endpoint of section 4 by a name, for [ParseFault].
type named struct{ name, method, path string }

func namedEndpoints() []named {
	return []named{
		{"create_key", http.MethodPost, "/api_keys"},
		{"list_keys", http.MethodGet, "/api_keys"},
		{"revoke_key", http.MethodDelete, "/api_keys/*"},
		{"list_projects", http.MethodGet, "/projects"},
		{"list_operations", http.MethodGet, "/projects/*/operations"},
		{"get_operation", http.MethodGet, "/projects/*/operations/*"},
	}
}

// endpointNames are the names of them.
func endpointNames() []string {
	var out []string
	for _, e := range namedEndpoints() {
		out = append(out, e.name)
	}
	return out
}

// endpointPaths are the paths of them, each once.
func endpointPaths() []string {
	var out []string
	for _, e := range namedEndpoints() {
		if !slices.Contains(out, e.path) {
			out = append(out, e.path)
		}
	}
	return out
}
