package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"passage/rag/render"
	"passage/static"
)

// pages holds what the handlers share.
type pages struct {
	cfg      Config
	markup   *render.Renderer
	passages *passageCache
	advised  adviceCache
}

// New makes the handler of the whole program.
func New(cfg Config) *echo.Echo {
	cfg = cfg.withDefaults()
	p := &pages{cfg: cfg, markup: render.New(), passages: newPassageCache(cachedPassages)}

	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.IPExtractor = ipExtractor(cfg.Proxies)
	e.HTTPErrorHandler = p.problem
	e.Use(requestID, p.logRequest, secure, recoverPanic())

	e.GET("/healthz", func(c echo.Context) error { return c.String(http.StatusOK, "ok\n") })
	e.GET("/readyz", p.ready)
	e.GET(static.Prefix+"*", echo.WrapHandler(static.Handler()))
	e.HEAD(static.Prefix+"*", echo.WrapHandler(static.Handler()))

	site := e.Group("", p.limitBody, csrf(cfg.SecureCookies), middleware.GzipWithConfig(middleware.GzipConfig{
		MinLength: 1024,
		Skipper:   func(c echo.Context) bool { return c.Path() == streamPath || c.Path() == jobsStreamPath },
	}))
	site.GET("/", p.start)
	site.POST("/chats", p.ask)
	site.GET("/chats/:id", p.chat)
	site.POST("/chats/:id/messages", p.ask)
	site.GET(streamPath, p.stream)
	site.POST("/answers/:id/stop", p.stop)
	site.POST("/answers/:id/again", p.again)
	site.GET("/documents", p.documents)
	site.GET("/documents/:id", p.document)
	site.GET("/documents/:id/versions", p.versions)
	site.GET("/documents/:id/diff", p.diff)
	site.GET("/documents/:id/note", p.noteForm)
	site.POST("/documents/:id/note", p.note)
	if cfg.Restorer != nil {
		site.GET("/documents/:id/restore", p.askRestore)
		site.POST("/documents/:id/restore", p.restore)
	}
	site.GET("/documents/:id/delete", p.askDelete)
	site.POST("/documents/:id/delete", p.delete)
	site.GET("/upload", p.uploadForm)
	site.POST("/upload", p.upload)
	p.jobPages(site)
	if cfg.Lab != nil {
		site.GET(labPath, p.lab)
	}
	if cfg.Evaluation != nil {
		p.evaluationPages(site)
	}
	return e
}

// evaluationPages are the pages of question sets and runs.
func (p *pages) evaluationPages(site *echo.Group) {
	site.GET("/evaluation", p.evaluation)
	site.POST(importPath, p.importQuestions)
	site.GET("/evaluation/sets/:file", p.exportQuestions)
	site.GET("/evaluation/place", p.place)
	site.POST("/evaluation/runs", p.startRun)
	site.GET("/evaluation/runs/:id", p.run)
	site.GET("/evaluation/runs/:id/progress", p.runProgress)
	site.GET("/evaluation/runs/:id/:file", p.exportRun)
	site.POST("/evaluation/runs/:id/cancel", p.cancelRun)
	site.POST("/answers/:id/wrong", p.wrong)
	if p.cfg.Tuner != nil {
		site.POST("/evaluation/runs/:id/apply", p.apply)
		site.POST(strategyPath, p.setStrategy)
	}
}

// streamPath is where the stream of an answer is followed.
const streamPath = "/answers/:id/stream"

// ready says whether the program can serve now.
func (p *pages) ready(c echo.Context) error {
	if err := p.cfg.Ready(c.Request().Context()); err != nil {
		p.cfg.Log.WarnContext(c.Request().Context(), "not ready", "error", err)
		return c.String(http.StatusServiceUnavailable, "not ready\n")
	}
	return c.String(http.StatusOK, "ready\n")
}
