package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"passage/rag"
)

// What a server must have at least.
const (
	minMajor = 15
	minSafe  = "0.8.3" // the parallel build of HNSW indexes has a flaw before
)

// minVector is the oldest pgvector with iterative index scans.
const minVector = "0.8.0"

// ErrNoPostgres is the cause of the error of Find when this machine has no
// PostgreSQL that will do.
var ErrNoPostgres = errors.New("no PostgreSQL with pgvector on this machine")

// Binaries is a PostgreSQL installation with pgvector.
type Binaries struct {
	Dir    string // folder of initdb and postgres
	Major  int    // 18
	Vector string // version of pgvector, "0.8.7"
}

// parallelHNSW says whether HNSW indexes may be built by several processes.
func (b Binaries) parallelHNSW() bool { return atLeast(b.Vector, minSafe) }

// Find looks for a PostgreSQL ≥ 15 with pgvector ≥ 0.8: first installed on this
// machine, then fetched into the folder pgsql of dataDir. When dataDir holds a
// cluster already, an installation of its major version is preferred.
// The error has the code unavailable, a message that says what to install, and
// the cause ErrNoPostgres.
func Find(ctx context.Context, dataDir string) (Binaries, error) {
	return find(ctx, append(installed(ctx), fetched(dataDir)), dataMajor(filepath.Join(dataDir, defaultName)))
}

// fetched is where tools/fetch-postgres.sh puts the programs.
func fetched(dataDir string) string { return filepath.Join(dataDir, "pgsql", "bin") }

// find takes the first folder that will do and, if major is not 0, has that
// major version; without such a one, the first that will do.
func find(ctx context.Context, dirs []string, major int) (Binaries, error) {
	var first *Binaries
	var faults []error
	for _, dir := range dirs {
		b, err := inspect(ctx, dir)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		if major == 0 || b.Major == major {
			return b, nil
		}
		if first == nil {
			first = &b
		}
	}
	if first != nil {
		return *first, nil
	}
	if err := ctx.Err(); err != nil {
		return Binaries{}, fmt.Errorf("look for PostgreSQL: %w", err)
	}
	return Binaries{}, rag.WithCause(errors.Join(append([]error{ErrNoPostgres}, faults...)...), rag.CodeUnavailable,
		"There is no PostgreSQL %d or newer with pgvector %s or newer on this machine. "+
			"Debian: run \"make postgres\" (tools/fetch-postgres.sh), which needs no root. "+
			"Homebrew: brew install postgresql@18 pgvector. PGDG: postgresql-18 and postgresql-18-pgvector. "+
			"Docker: run the image pgvector/pgvector:pg18 and set DATABASE_URL.", minMajor, minVector)
}

// installed lists the folders where PostgreSQL's programs usually are, those on
// the PATH first, then by version, newest first. Not all need exist.
func installed(ctx context.Context) []string {
	var dirs []string
	add := func(dir string) {
		if dir, err := filepath.EvalSymlinks(dir); err == nil && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	if out, err := output(ctx, "pg_config", "--bindir"); err == nil {
		add(out)
	}
	if path, err := exec.LookPath("postgres"); err == nil {
		if path, err := filepath.EvalSymlinks(path); err == nil {
			add(filepath.Dir(path))
		}
	}
	for _, pattern := range []string{
		"/usr/lib/postgresql/*/bin",                               // Debian, PGDG for Debian
		"/usr/pgsql-*/bin",                                        // PGDG for Red Hat
		"/opt/homebrew/opt/postgresql@*/bin",                      // Homebrew on Apple silicon
		"/usr/local/opt/postgresql@*/bin",                         // Homebrew on Intel
		"/Applications/Postgres.app/Contents/Versions/[0-9]*/bin", // Postgres.app
	} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			continue // the patterns are constants; the test of this list would see it
		}
		slices.SortFunc(found, func(a, b string) int { return dirMajor(b) - dirMajor(a) })
		for _, dir := range found {
			add(dir)
		}
	}
	return dirs
}

var digits = regexp.MustCompile(`\d+`)

// dirMajor reads the version out of a path such as /usr/lib/postgresql/18/bin.
func dirMajor(dir string) int {
	n, err := strconv.Atoi(digits.FindString(filepath.Base(filepath.Dir(dir))))
	if err != nil {
		return 0
	}
	return n
}

var (
	// "postgres (PostgreSQL) 18.6 (Debian 18.6-3)", "… 19beta1"
	versionLine = regexp.MustCompile(`\(PostgreSQL\) (\d+)`)
	controlLine = regexp.MustCompile(`(?m)^\s*default_version\s*=\s*'([^']+)'`)
)

// inspect says what is in a folder of programs, or why it will not do.
func inspect(ctx context.Context, dir string) (Binaries, error) {
	for _, name := range []string{"initdb", "postgres"} {
		if _, err := exec.LookPath(filepath.Join(dir, name)); err != nil {
			return Binaries{}, fmt.Errorf("look for %s in %s: %w", name, dir, err)
		}
	}
	vector := vectorVersion(ctx, dir)
	if vector == "" {
		return Binaries{}, fmt.Errorf("PostgreSQL in %s has no pgvector", dir)
	}
	if !atLeast(vector, minVector) {
		return Binaries{}, fmt.Errorf("pgvector of PostgreSQL in %s is of version %s", dir, vector)
	}
	line, err := output(ctx, filepath.Join(dir, "postgres"), "--version")
	if err != nil {
		return Binaries{}, err
	}
	m := versionLine.FindStringSubmatch(line)
	if m == nil {
		return Binaries{}, fmt.Errorf("%s says %q instead of a PostgreSQL version", filepath.Join(dir, "postgres"), line)
	}
	major, err := strconv.Atoi(m[1])
	if err != nil {
		return Binaries{}, fmt.Errorf("version of PostgreSQL in %s: %w", dir, err)
	}
	if major < minMajor {
		return Binaries{}, fmt.Errorf("PostgreSQL in %s is of version %d", dir, major)
	}
	return Binaries{Dir: dir, Major: major, Vector: vector}, nil
}

// vectorVersion reads pgvector's control file; "" if there is none. pg_config
// tells where it is; server packages without pg_config use one of the layouts.
func vectorVersion(ctx context.Context, dir string) string {
	shares := []string{
		filepath.Join(dir, "../share/postgresql"),
		filepath.Join(dir, "../share/pgsql"),
		filepath.Join(dir, "../share"),
		filepath.Join(dir, "../../../../share/postgresql", strconv.Itoa(dirMajor(dir))),
	}
	if share, err := output(ctx, filepath.Join(dir, "pg_config"), "--sharedir"); err == nil {
		shares = []string{share}
	}
	for _, share := range shares {
		text, err := os.ReadFile(filepath.Join(share, "extension", "vector.control"))
		if err != nil {
			continue
		}
		if m := controlLine.FindSubmatch(text); m != nil {
			return string(m[1])
		}
	}
	return ""
}

// output runs a program that only prints something, for 10 seconds at most.
func output(ctx context.Context, program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.WaitDelay = time.Second // a wrapper may leave a child that holds the pipe
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("run %s %s: %w", program, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}

// atLeast compares versions number by number: "0.10" is newer than "0.8.3".
func atLeast(version, least string) bool {
	a, b := digits.FindAllString(version, -1), digits.FindAllString(least, -1)
	for i := range b {
		if i >= len(a) {
			return strings.Trim(strings.Join(b[i:], ""), "0") == ""
		}
		x, errX := strconv.Atoi(a[i])
		y, errY := strconv.Atoi(b[i])
		if errX != nil || errY != nil {
			return false
		}
		if x != y {
			return x > y
		}
	}
	return true
}
