package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"passage/rag"
)

// superuser is the only role of a private cluster. Nobody but the cluster's
// user and root can reach the socket, so it needs no password.
const superuser = "passage"

// socketDir is the folder of the socket: the data folder itself, which only its
// owner may enter, or, if that path is too long for a socket or has a comma (which
// parts hosts in an address), a folder in the system's temporary one. It is the same at every start, so that nothing piles
// up there after a kill, and so that programs find the server again when it was
// started anew.
func (h home) socketDir(ctx context.Context) (string, error) {
	if fits(h.dir) {
		return h.dir, nil
	}
	sum := sha256.Sum256([]byte(h.dir))
	name := "passage-" + hex.EncodeToString(sum[:8])
	for _, temp := range []string{os.TempDir(), "/tmp"} {
		dir := filepath.Join(temp, name)
		if !fits(dir) {
			continue
		}
		if open, err := h.user.canEnter(ctx, temp); err != nil {
			return "", err
		} else if !open {
			continue
		}
		if err := os.Mkdir(dir, 0o700); err == nil {
			return dir, h.user.give(dir)
		} else if !errors.Is(err, fs.ErrExist) {
			return "", folderError(err, dir)
		}
		// Anyone may make a folder there: it must be a real one, ours, and closed.
		info, err := os.Lstat(dir)
		if err != nil {
			return "", folderError(err, dir)
		}
		uid, _, err := owner(dir)
		if err != nil || uid != h.user.uid || info.Mode() != fs.ModeDir|0o700 {
			return "", rag.WithCause(err, rag.CodeUnavailable,
				"The folder %s, made for the database's socket, does not belong to %s alone. Remove it and start again.", dir, h.user.name)
		}
		return dir, nil
	}
	return "", rag.Errorf(rag.CodeUnavailable,
		"The path %s is too long for a Unix socket, and so is the temporary folder's. Name a data folder with a shorter path.", h.dir)
}

// fits says whether a folder can hold the socket.
func fits(dir string) bool {
	return len(filepath.Join(dir, socketName)) <= maxSocketPath && !strings.Contains(dir, ",")
}

// removeSocketDir removes a folder made by socketDir, if it is one.
func (h home) removeSocketDir(dir string) error {
	if dir == h.dir {
		return nil
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove socket folder: %w", err)
	}
	return nil
}

// dsn is the address of a database behind a socket folder.
func dsn(socketDir, database string) string {
	u := url.URL{Scheme: "postgres", User: url.User(superuser), Path: "/" + database}
	query := url.Values{"host": {socketDir}, "port": {"5432"}, "sslmode": {"disable"}}.Encode()
	// A blank in a path: libpq and pgx read %20, but take + for itself.
	u.RawQuery = strings.ReplaceAll(query, "+", "%20")
	return u.String()
}
