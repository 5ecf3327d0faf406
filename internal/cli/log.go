package cli

import (
	"io"
	"os"
)

// logFileVariable names a file that takes a copy of all that goes to stderr.
// Helm 4 throws a post-renderer's stderr away.
const logFileVariable = "RESTAMP_LOG_FILE"

// logFile is stderr with a copy of it in a file.
type logFile struct {
	stderr io.Writer
	file   *os.File
}

// openLog opens the file to write behind what is there: one file may take the
// words of many runs.
func openLog(path string, stderr io.Writer) (*logFile, error) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	return &logFile{stderr, f}, nil
}

// Write writes to the file first: it is there because stderr may be lost.
func (l *logFile) Write(p []byte) (int, error) {
	if _, err := l.file.Write(p); err != nil {
		return 0, err
	}
	return l.stderr.Write(p)
}
