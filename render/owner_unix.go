//go:build unix

package render

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a new file the owner and group of the one that it replaces,
// where they differ and the user may.
func keepOwner(f *os.File, old fs.FileInfo) error {
	was, ok := old.Sys().(*syscall.Stat_t)
	if !ok || int(was.Uid) == os.Geteuid() && int(was.Gid) == os.Getegid() {
		return nil
	}
	if err := f.Chown(int(was.Uid), int(was.Gid)); err != nil && os.Geteuid() == 0 {
		return err
	}
	return nil // only root may give files away; a group change may be refused too
}
