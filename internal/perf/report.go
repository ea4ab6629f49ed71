package main

// figures are what was measured at a size, beside what is asked of it.
func (m *measured) figures(load int) []figure {
	many := "with " + comma(load) + " operations"
	e, d := &m.emptyStart, &m.demoStart
	out := []figure{
		times("exec to first screen", "ms", e.first.median(), d.first.median(), 1.5),
		within("exec to demo data", "ms", none(), d.data.median(), 60),
		within("memory after the start", "MB", e.held.median(), d.held.median(), 20),
		plain("its peak", "MB", e.peak.median(), d.peak.median()),
	}
	for _, k := range []struct {
		name string
		*answering
	}{{"demo", &m.demoKeys}, {many, &m.manyKeys}} {
		empty := &m.emptyKeys
		out = append(out,
			within("key to screen, median, "+k.name, "ms", empty.latency.median(), k.latency.median(), 7),
			within("key to screen, p99, "+k.name, "ms", empty.latency.quantile(0.99), k.latency.quantile(0.99), 12),
			times("CPU for a key, "+k.name, "ms", empty.cpu.median(), k.cpu.median(), 1.3),
			within("bytes for a key, mean, "+k.name, "B", empty.bytes.mean(), k.bytes.mean(), 600),
			plain("the same, p99", "B", empty.bytes.quantile(0.99), k.bytes.quantile(0.99)),
		)
	}
	i := &m.idle
	return append(out,
		within("memory "+many, "MB", none(), m.held, 100),
		plain("its peak", "MB", none(), m.peak),
		plain("time to load them", "s", none(), m.took),
		times("idle CPU, live", "%", i.empty.cpu, i.live.cpu, 1.3),
		times("idle CPU, unfocused", "%", i.empty.cpu, i.unfocused.cpu, 1.3), // losing the focus changes nothing
		plain("idle CPU, paused", "%", i.empty.cpu, i.paused.cpu),
		within("idle bytes a second, live", "B", i.empty.bytes, i.live.bytes, 600),
		within("idle bytes a second, nothing runs", "B", i.empty.bytes, i.quiet.bytes, 200),
		within("idle bytes a second, unfocused", "B", i.empty.bytes, i.unfocused.bytes, 600),
		within("idle bytes a second, paused", "B", i.empty.bytes, i.paused.bytes, 0),
	)
}
