package cli

import (
	"errors"
	"os"
	"path/filepath"
)

// A workspace is a folder of this name that holds the mark of one, so that
// nobody else's folder is ever taken for one.
const (
	workspacePrefix = "restamp-workspace-"
	workspaceMark   = ".restamp-lock"
)

// workspace makes the folder that all temporary files of this process and of
// its children go to, and returns what removes it.
//
// Argo CD kills a command that takes too long, and a killed one removes nothing.
// A chart's repositories would fill the disk in the end, so that each run also
// removes what those before it have left. The mark is locked as long as its
// process lives.
func workspace() (remove func() error, err error) {
	sweep(os.TempDir())
	dir, err := os.MkdirTemp("", workspacePrefix)
	if err != nil {
		return nil, err
	}
	lock, err := mark(dir)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	before, was := os.LookupEnv("TMPDIR")
	if err := os.Setenv("TMPDIR", dir); err != nil {
		return nil, errors.Join(err, lock.Close(), os.RemoveAll(dir))
	}
	return func() error {
		restored := os.Unsetenv("TMPDIR")
		if was {
			restored = os.Setenv("TMPDIR", before)
		}
		return errors.Join(restored, os.RemoveAll(dir), lock.Close())
	}, nil
}

// mark makes a locked mark. It gets its name when it is locked: another process
// must not find it before.
func mark(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, workspaceMark)
	if err != nil {
		return nil, err
	}
	err = lockFile(f)
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, workspaceMark))
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// sweep removes the workspaces of processes that are gone. Where there are no
// locks, nobody knows which these are.
func sweep(parent string) {
	if !locks {
		return
	}
	marks, _ := filepath.Glob(filepath.Join(parent, workspacePrefix+"*", workspaceMark)) // the pattern is good
	for _, name := range marks {
		f, err := os.Open(name)
		if err != nil {
			continue // another user's, or gone
		}
		if lockFile(f) == nil {
			_ = os.RemoveAll(filepath.Dir(name)) // the next run tries again
		}
		_ = f.Close() // nothing was written
	}
}
