package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// realStream returns what makes a real stream of about a given size: from the
// files of a folder, or generated where no folder is named.
func realStream(folder, peers string) (func(size float64) writer, error) {
	if folder == "" {
		return crdHeavy, nil
	}
	c, err := readCorpus(folder, peers)
	if err != nil {
		return nil, fmt.Errorf("reading RESTAMP_CORPUS: %w", err)
	}
	return c.stream, nil
}

// A corpus is a list of files that every peer can read.
type corpus struct {
	paths []string
	sizes []int64
	total int64
	left  int // files that some peer cannot read
}

// readCorpus tries all files of a folder on the peers. They are tried by another
// process to keep the memory of this one small; ownPeak says why.
func readCorpus(folder, peers string) (*corpus, error) {
	c := new(corpus)
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		if ext := filepath.Ext(path); ext != ".yaml" && ext != ".yml" && ext != ".json" {
			return nil
		}
		return c.add(path, peers)
	})
	if err == nil && len(c.paths) == 0 {
		err = fmt.Errorf("%s: no file that all peers can read", folder)
	}
	return c, err
}

func (c *corpus) add(path, peers string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	try := exec.Command(peers, "readable")
	try.Stdin = f
	if try.Run() != nil {
		c.left++
		return nil
	}
	c.paths = append(c.paths, path)
	c.sizes = append(c.sizes, info.Size())
	c.total += info.Size()
	return nil
}

// stream makes a stream of about a size: the files several times over, or some
// of them, taken evenly from the whole list.
func (c *corpus) stream(size float64) writer {
	paths, note := c.paths, "Real files"
	switch times := int(math.Round(size / float64(c.total))); {
	case size < float64(c.total):
		paths, note = c.slice(size), "Part of the real files"
	case times > 1:
		note = fmt.Sprintf("Real files, each %d times", times)
		paths = slices.Repeat(paths, times)
	}
	return func(w io.Writer) (string, error) {
		for _, path := range paths {
			if err := appendFile(w, path); err != nil {
				return "", err
			}
		}
		return fmt.Sprintf("%s from RESTAMP_CORPUS: %d files, without %d that a peer cannot read", note, len(paths), c.left), nil
	}
}

// slice takes a file whenever the share taken so far stays below the wanted one.
func (c *corpus) slice(size float64) []string {
	var paths []string
	var taken, seen float64
	for i, path := range c.paths {
		seen += float64(c.sizes[i])
		if taken+float64(c.sizes[i]) <= size*seen/float64(c.total) {
			taken += float64(c.sizes[i])
			paths = append(paths, path)
		}
	}
	return paths
}

// appendFile writes a file as the next documents of a stream.
func appendFile(w io.Writer, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !bytes.HasSuffix(text, []byte("\n")) {
		text = append(text, '\n')
	}
	_, err = fmt.Fprintf(w, "---\n%s", text)
	return err
}
