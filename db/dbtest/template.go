package dbtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"
)

const (
	templatePrefix = "passage_template_"
	building       = "_building"
	lockKey        = int64(0x70617373616765) // "passage"; one template at a time is made
)

// template gives the name of the database to copy and makes it if it is not
// there. One process at a time makes one: the lock belongs to the connection.
func (s *server) template(ctx context.Context, conn *pgx.Conn, t Template) (string, error) {
	if t.Migrate == nil {
		return "template0", nil
	}
	name, prefix, err := s.templateName(t)
	if err != nil {
		return "", err
	}
	if there, err := exists(ctx, conn, name); err != nil || there {
		return name, err
	}
	if _, err := conn.Exec(ctx, "select pg_advisory_lock($1)", lockKey); err != nil {
		return "", fmt.Errorf("wait for the making of %s: %w", name, err)
	}
	if there, err := exists(ctx, conn, name); err == nil && !there {
		err = s.makeTemplate(ctx, conn, name, t)
		if err == nil && s.private {
			err = dropOlder(ctx, conn, prefix, name)
		}
		if err != nil {
			return "", err // the caller closes the connection, and with it goes the lock
		}
	} else if err != nil {
		return "", err
	}
	if _, err := conn.Exec(ctx, "select pg_advisory_unlock($1)", lockKey); err != nil {
		return "", fmt.Errorf("end the making of %s: %w", name, err)
	}
	return name, nil
}

// makeTemplate migrates under another name, so that half a template is never
// taken for a whole one.
func (s *server) makeTemplate(ctx context.Context, conn *pgx.Conn, name string, t Template) error {
	part := name + building
	if err := drop(ctx, conn, part); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, "create database "+quote(part)+" template template0"); err != nil {
		return fmt.Errorf("create database %s: %w", part, err)
	}
	if err := t.Migrate(ctx, s.dsn(part)); err != nil {
		return fmt.Errorf("migrate the template %s: %w", part, err)
	}
	for _, sql := range []string{
		// A connection to a template would be in the way of each copy.
		"alter database " + quote(part) + " with allow_connections false",
		"select pg_terminate_backend(pid) from pg_stat_activity where datname = '" + part + "'",
		"alter database " + quote(part) + " rename to " + quote(name),
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return fmt.Errorf("finish the template %s: %w", name, err)
		}
	}
	return nil
}

func exists(ctx context.Context, conn *pgx.Conn, name string) (bool, error) {
	var there bool
	err := conn.QueryRow(ctx, "select exists (select from pg_database where datname = $1)", name).Scan(&there)
	if err != nil {
		return false, fmt.Errorf("look for database %s: %w", name, err)
	}
	return there, nil
}

// dropOlder drops the templates that older sources made.
func dropOlder(ctx context.Context, conn *pgx.Conn, prefix, keep string) error {
	names, err := databases(ctx, conn, prefix)
	if err != nil {
		return err
	}
	for _, name := range names {
		if name == keep {
			continue
		}
		if err := drop(ctx, conn, name); err != nil {
			return err
		}
	}
	return nil
}

// databases lists those whose names begin so.
func databases(ctx context.Context, conn *pgx.Conn, prefix string) ([]string, error) {
	rows, err := conn.Query(ctx, "select datname::text from pg_database where starts_with(datname, $1)", prefix)
	if err != nil {
		return nil, fmt.Errorf("list databases: %w", err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("list databases: %w", err)
	}
	return names, nil
}

// templateName is the prefix of all templates of this name with the hash of its
// sources.
func (s *server) templateName(t Template) (name, prefix string, err error) {
	if t.Name == "" {
		t.Name = "passage"
	}
	if t.Sources == nil {
		t.Sources = []string{"db", "db/migrations"}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := t.Name + " " + strings.Join(t.Sources, " ")
	sum, known := s.hashes[key]
	if !known {
		if sum, err = hashFolders(s.root, t.Sources); err != nil {
			return "", "", err
		}
		s.hashes[key] = sum
	}
	prefix = templatePrefix + t.Name + "_"
	return prefix + sum, prefix, nil
}

// hashFolders hashes names and bytes of the files in folders below root.
func hashFolders(root string, folders []string) (string, error) {
	sum := sha256.New()
	for _, folder := range folders {
		entries, err := os.ReadDir(filepath.Join(root, folder))
		if err != nil {
			return "", fmt.Errorf("sources of the template database: %w", err)
		}
		for _, e := range entries {
			if e.IsDir() || strings.HasSuffix(e.Name(), "_test.go") {
				continue
			}
			if err := hashFile(sum, root, filepath.Join(folder, e.Name())); err != nil {
				return "", err
			}
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:8]), nil
}

func hashFile(sum hash.Hash, root, path string) error {
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		return fmt.Errorf("sources of the template database: %w", err)
	}
	_, err = fmt.Fprintf(sum, "%s %d\n%s", path, len(text), text)
	return err
}
