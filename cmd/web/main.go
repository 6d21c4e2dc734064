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
	defer stop()
	if err := run(ctx, os.Args[1:], os.Environ(), os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "web: "+explain(err))
		stop()
		os.Exit(1)
	}
}
