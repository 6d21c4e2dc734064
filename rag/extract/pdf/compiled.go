//go:build !race

package pdf

import "github.com/tetratelabs/wazero"

// runtimeConfig compiles PDFium to machine code where wazero can.
func runtimeConfig() wazero.RuntimeConfig { return wazero.NewRuntimeConfig() }
