package cli

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// patience is how long a run may take without a word.
const patience = 2 * time.Second

// showProgress shows on a terminal how far a run has come, once it takes long.
// What it returns ends that.
func showProgress(cmd *cobra.Command, words func() string) (stop func()) {
	if !isTerminal(cmd.ErrOrStderr()) {
		return func() {}
	}
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		timer := time.NewTimer(patience)
		defer timer.Stop()
		shown := false
		for {
			select {
			case <-quit:
				if shown {
					fmt.Fprint(cmd.ErrOrStderr(), "\r\033[K")
				}
				return
			case <-timer.C:
				fmt.Fprintf(cmd.ErrOrStderr(), "\rrestamp: %s", words())
				shown = true
				timer.Reset(patience / 10)
			}
		}
	}()
	return func() {
		close(quit)
		<-ended
	}
}
