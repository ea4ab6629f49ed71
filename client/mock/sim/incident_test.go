package sim

import (
	"testing"
	"time"
)

// All operations that an incident hits fail, and others fail only by chance.
func TestIncidentsFailWhatTheyHit(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	options := func(texts ...string) Options {
		o := Options{Seed: 7, Clock: func() time.Time { return start }, Speed: new(float64), Live: true, Microseconds: true}
		for _, text := range texts {
			i, err := ParseIncident(text)
			if err != nil {
				t.Fatal(err)
			}
			o.Incidents = append(o.Incidents, i)
		}
		return o
	}
	for text, hits := range map[string]func(Project, Operation) bool{
		"region=azure-gwc from=-2h for=1h": func(p Project, op Operation) bool {
			return p.RegionID == "azure-gwc" && op.CreatedAt >= "2026-11-21T10" && op.CreatedAt < "2026-11-21T11"
		},
		"project=billing action=apply_config": func(p Project, op Operation) bool {
			return p.Name == "billing" && op.Action == "apply_config"
		},
	} {
		p, err := New(options(text))
		if err != nil {
			t.Fatal(err)
		}
		hit, all := 0, 0
		for _, project := range p.projects {
			ops, _, err := p.Operations(project.record.ID, "", 5000)
			if err != nil {
				t.Fatal(err)
			}
			for _, op := range ops {
				switch over := op.CreatedAt < "2026-11-21T11:59"; {
				case !over || !hits(project.record, op):
				case op.Status != failed:
					t.Errorf("%s: %+v did not fail", text, op)
				default:
					hit++
				}
				if op.Status == failed {
					all++
				}
			}
		}
		if hit < 10 || all <= hit {
			t.Errorf("%s: %d operations were hit, and %d failed", text, hit, all)
		}
	}
}

// An incident without a target, or with a value out of range, is refused.
func TestIncidentsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "p=0.5", "region=", "region=a from=x", "region=a p=2", "region=a for=-1s", "what=1"} {
		if i, err := ParseIncident(text); err == nil {
			t.Errorf("%q is %+v", text, i)
		}
	}
}
