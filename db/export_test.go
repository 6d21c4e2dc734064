package db

import (
	"database/sql"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pressly/goose/v3"
)

// Provider is the migrations over a pool, to step through them.
func Provider(pool *sql.DB) (*goose.Provider, error) { return newProvider(pool) }

// KeptTexts is how many texts are kept in memory.
func (s *Store) KeptTexts() int {
	s.texts.CleanUp()
	return s.texts.EstimatedSize()
}

// Pool is for what tests look at or break behind the store's back.
func (s *Store) Pool() *pgxpool.Pool { return s.pool }
