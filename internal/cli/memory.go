package cli

import (
	"math"
	"os"
	"runtime/debug"
)

// A run holds its input to the end, and little garbage beside it, so that most
// of the collector's work would be in vain. It is put off: until the heap is a
// few times what is in use, or the process nears twice its input.
const (
	lazyPercent    = 400
	steadyPercent  = 200
	comparePercent = 150
	baseMemory     = 128 << 20
)

// collectLazily sets the collector up, unless the user did.
func collectLazily() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(lazyPercent)
	}
}

// collectSteadily is for many small inputs, of which none is held.
func collectSteadily() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(steadyPercent)
	}
}

// allow tells the collector how much memory is fair for an input that is so
// large, in bytes.
func allow(read int64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(baseMemory + read*19/10)
	}
}

// compareFreely tells the collector that more is going to be in use than the
// input: what is found out about it, until the end.
func compareFreely() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(math.MaxInt64)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(comparePercent)
	}
}
