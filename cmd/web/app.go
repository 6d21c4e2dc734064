package main

import (
	"context"
	"errors"
	"log/slog"

	"passage/db"
	"passage/db/cluster"
	"passage/rag"
	"passage/rag/answer"
	"passage/rag/embed"
	"passage/rag/embed/uselite"
	"passage/rag/ingest"
	"passage/rag/llm"
	"passage/rag/rerank"
	"passage/rag/retrieve"
	"passage/rag/split"
	"passage/rag/tokens"
)

// everything is the scope of commands run on the server, and of the local
// user: until people sign in, whoever reaches the server may read all of it.
var everything = rag.Scope{User: "local", All: true}

// app is the running program: everything between the configuration and the
// pages. Close stops its parts in the reverse order of their start.
type app struct {
	config    config
	log       *slog.Logger
	store     *db.Store
	embedder  rag.Embedder // nil: words only
	reranker  rag.Reranker // nil: the order of the search is kept
	model     llm.Model    // nil: quotations
	ingester  *ingest.Ingester
	retriever *retrieve.Retriever
	desk      *answer.Desk
	cut       split.Options    // what sections, chunks and units are counted by
	tokens    tokens.Tokenizer // of the language model: what passages are counted by
	known     bool             // cut.Chunks is the embedder's own tokenizer, not a guess

	closers []closer
}

type closer struct {
	what string
	stop func(ctx context.Context) error
}

func (a *app) onClose(what string, stop func(ctx context.Context) error) {
	a.closers = append(a.closers, closer{what, stop})
}

// close stops the parts, the last started first, within the time limit. The
// context may have ended already: that is why the program stops.
func (a *app) close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.config.StopTimeout)
	defer cancel()
	var errs []error
	for i := len(a.closers) - 1; i >= 0; i-- {
		if err := a.closers[i].stop(ctx); err != nil {
			a.log.WarnContext(ctx, "not stopped cleanly", "part", a.closers[i].what, "error", err)
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// withApp opens the app, runs fn and closes the app again.
func (p *program) withApp(ctx context.Context, fn func(context.Context, *app) error) error {
	a, err := p.open(ctx)
	if err != nil {
		return err
	}
	err = fn(ctx, a)
	return errors.Join(err, a.close(ctx))
}

// open starts the parts in order: database, migrations, embedder, reranker,
// model, desk.
func (p *program) open(ctx context.Context) (_ *app, err error) {
	a := &app{config: p.config, log: p.log}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.close(ctx))
		}
	}()
	if err := a.openStore(ctx); err != nil {
		return nil, err
	}
	if err := a.openTokenizers(); err != nil {
		return nil, err
	}
	if err := a.openEmbedder(ctx); err != nil {
		return nil, err
	}
	a.openLimit()
	if err := a.warnOfOtherEmbedders(ctx); err != nil {
		return nil, err
	}
	if err := a.openReranker(); err != nil {
		return nil, err
	}
	if err := a.openModel(ctx); err != nil {
		return nil, err
	}
	a.ingester = ingest.New(a.store, a.embedder, a.cut, a.log)
	a.retriever = retrieve.New(a.store, a.embedder, a.tokens, a.cut.ChunkTokens()).WithReranker(a.reranker, a.config.RerankCandidates)
	a.desk = answer.NewDesk(a.store, a.retriever, a.model, a.log)
	a.onClose("answers", a.desk.Close)
	return a, nil
}

// database gives the DSN of the database, starting the private cluster when
// no server is named.
func (a *app) database(ctx context.Context) (string, error) {
	if a.config.DatabaseURL != "" {
		return a.config.DatabaseURL, nil
	}
	c, err := cluster.Start(ctx, cluster.Options{DataDir: a.config.Data, Logger: a.log})
	if err != nil {
		return "", err
	}
	a.onClose("postgres", c.Stop)
	return c.DSN(""), nil
}

func (a *app) openStore(ctx context.Context) error {
	dsn, err := a.database(ctx)
	if err != nil {
		return err
	}
	if err := db.Migrate(ctx, dsn); err != nil {
		return err
	}
	if a.store, err = db.Open(ctx, dsn, a.log); err != nil {
		return err
	}
	a.onClose("database", func(ctx context.Context) error {
		closed := make(chan struct{})
		go func() { a.store.Close(); close(closed) }() // waits for statements under way
		return await(ctx, closed)
	})
	return nil
}

func (a *app) openEmbedder(ctx context.Context) error {
	c := a.config
	switch c.Embedder {
	case "none":
		return nil
	case "use-lite":
		e, err := uselite.New()
		if err != nil {
			return err
		}
		a.embedder = e
		return nil
	}
	e, err := embed.Open(ctx, embed.Config{
		Provider: c.Embedder, BaseURL: c.EmbedBaseURL, Model: c.EmbedModel, APIKey: c.EmbedAPIKey,
		Dimension: c.EmbedDimension, MaxTokens: c.EmbedMaxTokens, Tokens: a.cut.Chunks, Exact: a.known, Logger: a.log,
	})
	if err != nil {
		return err
	}
	a.embedder = e
	a.onClose("embedder", func(context.Context) error { e.Close(); return nil })
	return nil
}

// warnOfOtherEmbedders says when documents have vectors of another embedder
// than the one configured: they are found by their words only until they are
// ingested again.
func (a *app) warnOfOtherEmbedders(ctx context.Context) error {
	if a.embedder == nil {
		return nil
	}
	counts, err := a.store.Embedders(ctx, everything)
	if err != nil {
		return err
	}
	for id, n := range counts {
		if id != a.embedder.ID() {
			a.log.WarnContext(ctx, "documents without vectors of the configured embedder are found by their words only; ingest them again to change that",
				"documents", n, "their_embedder", id, "embedder", a.embedder.ID())
		}
	}
	return nil
}

// openReranker makes the reranker. It is not called before the first question:
// one that is away then costs the better order only.
func (a *app) openReranker() error {
	c := a.config
	if c.Reranker == "" {
		return nil
	}
	tok := a.cut.Tokens // cl100k
	if c.RerankTokenizer != "" {
		var err error
		if tok, err = openTokenizer(c.RerankTokenizer); err != nil {
			return err
		}
	}
	r, err := rerank.Open(rerank.Config{
		Provider: c.Reranker, BaseURL: c.RerankBaseURL, Model: c.RerankModel, APIKey: c.RerankAPIKey,
		MaxTokens: c.RerankMaxTokens, Tokens: tok, Exact: c.RerankTokenizer != "", Timeout: c.RerankTimeout, Logger: a.log,
	})
	if err != nil {
		return err
	}
	a.reranker = r
	a.onClose("reranker", func(context.Context) error { r.Close(); return nil })
	return nil
}

// openModel makes the model. One that cannot be reached now is kept: each
// answer tries it and falls back to quotations by itself.
func (a *app) openModel(ctx context.Context) error {
	c := a.config
	if c.LLMProvider == "" {
		a.log.InfoContext(ctx, "no language model configured: matching passages are quoted")
		return nil
	}
	m, err := llm.New(llm.Config{
		Provider: c.LLMProvider, BaseURL: c.LLMBaseURL, Model: c.LLMModel, APIKey: c.LLMAPIKey,
		ContextTokens: c.LLMContext, Timeout: c.LLMTimeout, Logger: a.log,
	})
	if err != nil {
		return err
	}
	a.model = m
	a.onClose("model", func(context.Context) error { m.Close(); return nil })
	if err := m.Available(ctx); err != nil {
		a.log.WarnContext(ctx, "the language model does not answer; passages are quoted until it does", "model", m.Name(), "error", err)
	}
	return nil
}

func migrate(ctx context.Context, p *program, args []string) error {
	if err := parse(p.flags("migrate", ""), args, 0, 0); err != nil {
		return err
	}
	a := &app{config: p.config, log: p.log}
	err := a.openStore(ctx)
	if err == nil {
		p.log.InfoContext(ctx, "the database is up to date")
	}
	return errors.Join(err, a.close(ctx))
}
