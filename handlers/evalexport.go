package handlers

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/labstack/echo/v4"

	"passage/rag"
	"passage/rag/evaluate"
)

// exportRun gives a run as a file: the figures as CSV, or everything, question by
// question, as JSON.
func (p *pages) exportRun(c echo.Context) error {
	id, err := idOf(c)
	if err != nil {
		return err
	}
	_, kind, _ := strings.Cut(c.Param("file"), ".")
	if c.Param("file") != "run-"+itoa(id)+"."+kind || kind != "csv" && kind != "json" {
		return rag.Errorf(rag.CodeNotFound, "There is no such page.")
	}
	run, err := p.cfg.Evaluation.Run(c.Request().Context(), p.cfg.ScopeOf(c), id, kind == "json")
	if err != nil {
		return fmt.Errorf("reading run %d: %w", id, err)
	}
	write, media := evaluate.WriteCSV, "text/csv; charset=utf-8"
	if kind == "json" {
		write, media = evaluate.WriteJSON, "application/json; charset=utf-8"
	}
	var b bytes.Buffer
	if err := write(&b, run); err != nil {
		return fmt.Errorf("writing run %d: %w", id, err)
	}
	return download(c, c.Param("file"), media, b.Bytes())
}
