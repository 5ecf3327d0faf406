package cli

import (
	"os"
	"syscall"
)

// locks says that lockFile locks.
const locks = true

// lockFile locks a file until it is closed, or its process ends. Where another
// process has it, that is an error at once.
func lockFile(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
