package cluster

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// effective reads settings as Postgres does: the last line of a name counts.
func effective(conf string) map[string]string {
	got := map[string]string{}
	for line := range strings.Lines(conf) {
		line, _, _ = strings.Cut(line, "#")
		if name, value, ok := strings.Cut(line, "="); ok {
			got[strings.TrimSpace(name)] = strings.Trim(strings.TrimSpace(value), "'")
		}
	}
	return got
}

func TestSettingsFitTheMachine(t *testing.T) {
	t.Parallel()
	safe, unsafe := Binaries{Vector: "0.8.7"}, Binaries{Vector: "0.8.0"}
	for name, c := range map[string]struct {
		machine   machine
		binaries  Binaries
		throwaway bool
		want      map[string]string
	}{
		"a laptop": {
			machine{cpus: 8, memory: 16 * gb, shm: 8 * gb}, safe, false, map[string]string{
				"shared_buffers": "1024MB", "maintenance_work_mem": "2048MB", "work_mem": "32MB",
				"max_parallel_maintenance_workers": "4", "dynamic_shared_memory_type": "posix", "jit": "off",
			},
		},
		"a small container": {
			machine{cpus: 1, memory: 512 * mb, shm: 64 * mb}, safe, false, map[string]string{
				"shared_buffers": "128MB", "maintenance_work_mem": "64MB", "work_mem": "4MB",
				"max_parallel_maintenance_workers": "1", "dynamic_shared_memory_type": "mmap",
			},
		},
		"memory unknown": {
			machine{cpus: 2, shm: 8 * gb}, safe, false, map[string]string{
				"shared_buffers": "512MB", "maintenance_work_mem": "512MB", "max_parallel_maintenance_workers": "1",
			},
		},
		"pgvector with the flaw in parallel builds": {
			machine{cpus: 8, memory: 16 * gb, shm: 8 * gb}, unsafe, false, map[string]string{
				"max_parallel_maintenance_workers": "0",
			},
		},
		"tests": {
			machine{cpus: 2, memory: 16 * gb, shm: 8 * gb}, safe, true, map[string]string{
				"fsync": "off", "shared_buffers": "256MB", "max_connections": "300",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := effective(settings(c.machine, c.binaries, c.throwaway))
			for key, value := range c.want {
				require.Equal(t, value, got[key], key)
			}
			if !c.throwaway {
				require.NotContains(t, got, "fsync")
			}
		})
	}
}

func TestMachineIsMeasured(t *testing.T) {
	t.Parallel()
	m := memory()
	require.True(t, m == 0 || m > 64*mb, "%d bytes of memory", m)
}
