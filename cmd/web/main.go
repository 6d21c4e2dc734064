// Command web is Passage: the server, and the commands around it.
//
// The work is in run, which takes everything it touches as arguments, so that
// the end-to-end test starts the same program that users start.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Environ(), os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "web: "+explain(err))
		os.Exit(1)
	}
}
