//go:build !unix

package render

import (
	"io/fs"
	"os"
)

// keepOwner does nothing where files have no owner that can be told.
func keepOwner(*os.File, fs.FileInfo) error { return nil }
