package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime is the time that all threads of a process have had a CPU for, user and system,
// in nanoseconds and not in ticks of 10 ms as /proc has it.
func cpuTime(pid int) (time.Duration, error) {
	// How the kernel names the CPU clock of another process: see clock_getcpuclockid(3).
	const scheduled = 2
	clock := int32(^pid<<3 | scheduled) //nolint:gosec // a process id has 22 bits
	var ts unix.Timespec
	if err := unix.ClockGettime(clock, &ts); err != nil {
		return 0, fmt.Errorf("read the CPU clock of process %d: %w", pid, err)
	}
	return time.Duration(ts.Nano()), nil
}

// memory is what a process has in memory, and the most that it ever had, in bytes.
func memory(pid int) (now, peak float64, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0, fmt.Errorf("read the memory of process %d: %w", pid, err)
	}
	field := func(name string) float64 {
		_, rest, _ := bytes.Cut(status, []byte(name+":"))
		words := bytes.Fields(rest)
		if len(words) == 0 {
			return 0
		}
		kilobytes, _ := strconv.ParseFloat(string(words[0]), 64)
		return kilobytes * 1024
	}
	return field("VmRSS"), field("VmHWM"), nil
}
