package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	osuser "os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"passage/rag"
)

// user is who the server runs as.
type user struct {
	uid, gid int
	name     string
	drop     bool // the program is root and gives its rights up for the server
}

// credential is what a child of this user is started with; nil: the program's own.
func (u user) credential() *syscall.Credential {
	if !u.drop {
		return nil
	}
	return &syscall.Credential{Uid: uint32(u.uid), Gid: uint32(u.gid)}
}

// serverUser chooses the user for a cluster in dir below dataDir.
func serverUser(dir, dataDir string) (user, error) {
	if os.Geteuid() != 0 {
		return user{uid: os.Geteuid(), gid: os.Getegid(), name: "uid " + strconv.Itoa(os.Geteuid())}, nil
	}
	for _, path := range []string{dir, dataDir} {
		if uid, gid, err := owner(path); err == nil && uid != 0 {
			name := "uid " + strconv.Itoa(uid)
			if u, err := osuser.LookupId(strconv.Itoa(uid)); err == nil {
				name = u.Username
			}
			return user{uid: uid, gid: gid, name: name, drop: true}, nil
		}
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := osuser.Lookup(name)
		if err != nil {
			continue
		}
		uid, errUID := strconv.Atoi(u.Uid)
		gid, errGID := strconv.Atoi(u.Gid)
		if errUID == nil && errGID == nil && uid != 0 {
			return user{uid: uid, gid: gid, name: name, drop: true}, nil
		}
	}
	return user{}, rag.Errorf(rag.CodeUnavailable,
		"Postgres does not run as root, and this machine has no user \"postgres\" or \"nobody\" to run it as. "+
			"Start the program as an ordinary user.")
}

// owner gives the numeric owner of a file.
func owner(path string) (uid, gid int, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, 0, err
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, fmt.Errorf("owner of %s: %w", path, errors.ErrUnsupported)
	}
	return int(st.Uid), int(st.Gid), nil
}

// canEnter tries whether the user may enter a folder. Only trying is right with
// access lists and mount options, too. An error means that it is not known.
func (u user) canEnter(ctx context.Context, dir string) (bool, error) {
	if !u.drop {
		return true, nil
	}
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", `cd "$1"`, "sh", dir)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: u.credential()}
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return true, nil
	case ctx.Err() == nil && errors.As(err, &exit) && exit.Exited():
		return false, nil
	}
	return false, rag.WithCause(errors.Join(err, ctx.Err()), rag.CodeUnavailable,
		"This program runs as root but could not start another as the user %s, who runs Postgres.", u.name)
}

// give makes the user the owner of a file.
func (u user) give(path string) error {
	if !u.drop {
		return nil
	}
	if err := os.Lchown(path, u.uid, u.gid); err != nil {
		return fmt.Errorf("give %s to %s: %w", path, u.name, err)
	}
	return nil
}

// giveTree makes the user the owner of a folder and all in it.
func (u user) giveTree(dir string) error {
	if !u.drop {
		return nil
	}
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return u.give(path)
	})
}

// home is where a cluster's files are and who owns them.
type home struct {
	base string // the data folder, or the folder it had to move to
	dir  string // the cluster's data folder, without symbolic links
	user user
}

func (h home) file(ext string) string { return h.dir + ext }

// locate finds or makes the folder for the cluster of this name. A cluster whose
// data folder only root may enter goes to a folder in systemDir.
func locate(ctx context.Context, dataDir, name, systemDir string) (home, error) {
	dataDir, err := filepath.Abs(dataDir)
	if err != nil {
		return home{}, fmt.Errorf("data folder: %w", err)
	}
	if err := os.MkdirAll(dataDir, 0o755); err != nil { //nolint:gosec // the server's user must be able to enter it
		return home{}, folderError(err, dataDir)
	}
	if dataDir, err = filepath.EvalSymlinks(dataDir); err != nil {
		return home{}, folderError(err, dataDir)
	}
	note := filepath.Join(dataDir, name+".location")
	base := dataDir
	if text, err := os.ReadFile(note); err == nil && strings.TrimSpace(string(text)) != "" {
		base = strings.TrimSpace(string(text))
	}
	h := home{base: base, dir: filepath.Join(base, name)}
	if dir, err := filepath.EvalSymlinks(h.dir); err == nil {
		h.dir = dir // a link to another disk
	}
	if h.user, err = serverUser(h.dir, dataDir); err != nil {
		return home{}, err
	}
	if open, err := h.user.canEnter(ctx, base); err != nil || open {
		return h, err
	}
	if _, err := os.Stat(h.dir); err == nil || base != dataDir {
		return home{}, rag.WithCause(err, rag.CodeUnavailable,
			"The folder %s may not be entered by the user %s, who runs Postgres. Allow it (chmod o+x on it and the folders above) or move the data.",
			base, h.user.name)
	}
	sum := sha256.Sum256([]byte(dataDir))
	h.base = filepath.Join(systemDir, "passage-"+hex.EncodeToString(sum[:6]))
	h.dir = filepath.Join(h.base, name)
	if err := os.MkdirAll(h.base, 0o755); err != nil { //nolint:gosec // the server's user must be able to enter it
		return home{}, folderError(err, h.base)
	}
	if err := os.WriteFile(note, []byte(h.base+"\n"), 0o600); err != nil {
		return home{}, folderError(err, dataDir)
	}
	return h, nil
}

// reachable gives binaries that the server's user may run: as they are or, when
// they were fetched into a folder that only root may enter, as a copy.
func (h home) reachable(ctx context.Context, b Binaries) (Binaries, error) {
	if open, err := h.user.canEnter(ctx, b.Dir); err != nil || open {
		return b, err
	}
	tree := filepath.Dir(b.Dir) // pgsql, of pgsql/bin
	list, err := os.ReadFile(filepath.Join(tree, "PACKAGES"))
	if err != nil {
		return b, rag.WithCause(err, rag.CodeUnavailable,
			"PostgreSQL in %s may not be run by the user %s, who runs Postgres.", b.Dir, h.user.name)
	}
	target := filepath.Join(h.base, "pgsql")
	b.Dir = filepath.Join(target, "bin")
	if have, err := os.ReadFile(filepath.Join(target, "PACKAGES")); err == nil && string(have) == string(list) {
		return b, nil
	}
	part := target + ".part"
	for _, old := range []string{part, target} {
		if err := os.RemoveAll(old); err != nil {
			return b, folderError(err, old)
		}
	}
	if err := os.CopyFS(part, os.DirFS(tree)); err != nil {
		return b, folderError(err, part)
	}
	if err := h.user.giveTree(part); err != nil {
		return b, err
	}
	if err := os.Rename(part, target); err != nil {
		return b, folderError(err, target)
	}
	return b, nil
}

// folderError says in a user's words why a file or folder could not be made.
func folderError(err error, path string) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return rag.WithCause(err, rag.CodeUnavailable, "The disk that holds %s is full. Free some space and start again.", path)
	case errors.Is(err, syscall.EBUSY):
		return rag.WithCause(err, rag.CodeUnavailable, "%s is where another disk is mounted. Mount it at the folder above.", path)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		who := ""
		if uid, _, ownerErr := owner(filepath.Dir(path)); ownerErr == nil && uid != os.Geteuid() {
			who = fmt.Sprintf(" Its folder belongs to uid %d, this program runs as uid %d.", uid, os.Geteuid())
		}
		return rag.WithCause(err, rag.CodeUnavailable,
			"%s may not be written.%s Start the program as the user who did so before, or name another data folder.", path, who)
	}
	return fmt.Errorf("data folder %s: %w", path, err)
}
