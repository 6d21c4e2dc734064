//go:build !race

package pdf

import (
	"context"
	"os"
	"path/filepath"

	"github.com/tetratelabs/wazero"
)

// runtimeConfig compiles PDFium to machine code where wazero can, and keeps the
// code in the user's cache folder when there is one: compiling takes some four
// seconds, reading what was compiled a fraction of one. done gives back what it
// holds in memory.
func runtimeConfig() (config wazero.RuntimeConfig, done func()) {
	config, done = wazero.NewRuntimeConfig(), func() {}
	dir, err := os.UserCacheDir()
	if err != nil {
		return config, done
	}
	cache, err := wazero.NewCompilationCacheWithDir(filepath.Join(dir, "passage", "pdfium"))
	if err != nil {
		return config, done
	}
	return config.WithCompilationCache(cache), func() { _ = cache.Close(context.Background()) }
}
