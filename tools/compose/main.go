// Command compose checks a Compose file against the Compose specification's
// schema and its rules about references, without a Docker engine.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: compose FILE")
		os.Exit(2)
	}
	if err := check(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", os.Args[1], err)
		os.Exit(1)
	}
}

func check(ctx context.Context, file string) error {
	options, err := cli.NewProjectOptions([]string{file})
	if err != nil {
		return err
	}
	_, err = options.LoadProject(ctx)
	return err
}
