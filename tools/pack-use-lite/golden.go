package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed golden.js
var goldenScript []byte

// makeGolden installs the model with its own JavaScript runtime in tmp and
// lets it tokenize and embed testdata/texts.json.
func makeGolden(ctx context.Context, tmp string) error {
	archive, err := fetchArchive(ctx, tmp)
	if err != nil {
		return err
	}
	local := filepath.Join(tmp, "model.tgz")
	if err := os.WriteFile(local, archive, 0o600); err != nil {
		return fmt.Errorf("write the checked archive: %w", err)
	}
	args := append([]string{"install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", local}, runtimePackages...)
	if err := npm(ctx, tmp, args...); err != nil {
		return err
	}
	script := filepath.Join(tmp, "golden.js")
	if err := os.WriteFile(script, goldenScript, 0o600); err != nil {
		return fmt.Errorf("write the script: %w", err)
	}
	data := filepath.Join(outDir, "testdata")
	cmd := exec.CommandContext(ctx, "node", script, filepath.Join(data, "texts.json"), filepath.Join(data, "golden.json"))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("run the package's own runtime: %w", err)
	}
	return nil
}
