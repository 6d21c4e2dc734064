package cluster

import (
	"fmt"
	"strings"
)

// machine is what the settings depend on.
type machine struct {
	cpus   int
	memory int64 // bytes; 0 if unknown
	shm    int64 // free bytes in /dev/shm
}

const (
	mb = int64(1) << 20
	gb = int64(1) << 30
)

// settings are the lines of passage.conf, written anew at every start. The
// server shares the machine with the program, so it takes a part of it only. A
// line in postgresql.conf below the include, and ALTER SYSTEM, go before these.
func settings(m machine, b Binaries, throwaway bool) string {
	if m.memory <= 0 {
		m.memory = 4 * gb
	}
	maintenance := clamp(m.memory/8, 64*mb, 2*gb)
	workers := min(max(m.cpus-1, 1), 4) // on 2 cores one extra worker built HNSW fastest
	if !b.parallelHNSW() {
		workers = 0
	}
	shm := "posix"
	if m.shm < maintenance+64*mb { // a parallel build shares its whole maintenance memory
		shm = "mmap"
	}
	lines := []string{
		"# Written by Passage at every start. Put your own settings at the end of postgresql.conf.",
		"shared_buffers = " + megabytes(clamp(m.memory/8, 128*mb, gb)),
		"effective_cache_size = " + megabytes(clamp(m.memory/2, 512*mb, 64*gb)),
		"work_mem = " + megabytes(clamp(m.memory/256, 4*mb, 32*mb)),
		"maintenance_work_mem = " + megabytes(maintenance),
		fmt.Sprintf("max_parallel_maintenance_workers = %d", workers),
		fmt.Sprintf("max_parallel_workers_per_gather = %d", min(max(m.cpus/2, 1), 4)),
		"dynamic_shared_memory_type = " + shm,
		"max_connections = 100",
		"jit = off                   # its start costs more than these queries take",
		"random_page_cost = 1.1      # disks without heads",
		"max_wal_size = 2GB          # fewer checkpoints while documents are loaded",
		"timezone = 'GMT'",
		"log_timezone = 'GMT'",
		"# A log must not hold questions or documents: no statements, no details of rows.",
		"log_destination = 'stderr'",
		"logging_collector = off",
		"log_min_error_statement = panic",
		"log_error_verbosity = terse",
		"log_checkpoints = off",
	}
	if throwaway {
		lines = append(lines,
			"# Only for tests: after a crash of the machine the data is made anew.",
			"fsync = off", "synchronous_commit = off", "full_page_writes = off",
			"max_connections = 300", "autovacuum = off", "max_wal_size = 256MB", // it may be in memory
			"shared_buffers = "+megabytes(clamp(m.memory/16, 128*mb, 256*mb)))
	}
	return strings.Join(lines, "\n") + "\n"
}

func clamp(n, low, high int64) int64 { return min(max(n, low), high) }

func megabytes(n int64) string { return fmt.Sprintf("%dMB", n/mb) }
