//go:build race

package pdf

import "github.com/tetratelabs/wazero"

// runtimeConfig interprets PDFium: under the race detector compiling it takes
// more than a minute.
func runtimeConfig() (config wazero.RuntimeConfig, done func()) {
	return wazero.NewRuntimeConfigInterpreter(), func() {}
}
