package main

import (
	"fmt"
	"strings"
)

// other is what was once measured of a program that people compare pgtower with. It is not
// measured again, because it is not part of this repository.
type other struct{ name, screen, key, cpu, memory string }

// others were measured at 160×45 on a machine with two cores.
func others() []other {
	return []other{
		{"lazygit", "106 ms", "4.9 / 12 ms", "22 ms", "33 MB"},
		{"k9s", "557–1,256 ms", "5.3 / 13 ms", "7 ms", "124 MB"},
		{"gh-dash", "164 ms", "53 / 77 ms", "53 ms", "44 MB"},
		{"kl", "443 ms", "12 / 20 ms", "5.9 ms", "50 MB"},
	}
}

// summary is the table of the README: what was measured at one size, beside other programs.
func summary(m *measured, load, fps int) string {
	var b strings.Builder
	b.WriteString("| at " + m.size.String() + " | useful screen | key to screen, median / p99 | CPU for a key | memory |\n|---|--:|--:|--:|--:|\n")
	line := func(name, screen string, k *answering, memory float64) {
		fmt.Fprintf(&b, "| %s | %s | %s / %s | %s | %s |\n", name, screen,
			plainQuantity(k.latency.median()), quantity(k.latency.quantile(0.99), "ms"), quantity(k.cpu.median(), "ms"), quantity(memory, "MB"))
	}
	line("pgtower, the demo", quantity(m.demoStart.data.median(), "ms"), &m.demoKeys, m.demoStart.held.median())
	line("pgtower, "+comma(load)+" operations", "", &m.manyKeys, m.held)
	line(fmt.Sprintf("an empty Bubble Tea program at %d frames a second", fps), quantity(m.emptyStart.first.median(), "ms"), &m.emptyKeys, m.emptyStart.held.median())
	for _, o := range others() {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", o.name, o.screen, o.key, o.cpu, o.memory)
	}
	return b.String()
}
