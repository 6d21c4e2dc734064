package handlers

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

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
	write, media := runCSV, "text/csv; charset=utf-8"
	if kind == "json" {
		write, media = runJSON, "application/json; charset=utf-8"
	}
	body, err := write(run)
	if err != nil {
		return fmt.Errorf("writing run %d: %w", id, err)
	}
	return download(c, c.Param("file"), media, body)
}

// runCSV has a line for each figure: of each setting, over all questions and for
// each document type.
func runCSV(run evaluate.Run) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	lines := [][]string{{"setting", "doc_type", "measure", "mean", "low", "high", "questions", "p50", "p95"}}
	number := func(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
	for _, r := range run.Results {
		types := []string{""}
		for name := range r.ByType {
			types = append(types, name)
		}
		slices.Sort(types)
		for _, t := range types {
			for _, info := range evaluate.Measures() {
				e, ok := summaryOf(r, t)[info.Measure]
				if !ok {
					continue
				}
				line := []string{r.Setting.String(), t, string(info.Measure), number(e.Mean), number(e.Low), number(e.High), strconv.Itoa(e.N), "", ""}
				if info.Amount {
					line[7], line[8] = number(e.P50), number(e.P95)
				}
				lines = append(lines, line)
			}
		}
	}
	err := w.WriteAll(lines)
	return b.Bytes(), err
}

// runJSON holds all of a run.
func runJSON(run evaluate.Run) ([]byte, error) {
	return json.MarshalIndent(struct {
		ID       int64             `json:"id"`
		Set      string            `json:"set"`
		Name     string            `json:"name,omitempty"`
		State    rag.RunState      `json:"state"`
		Failure  string            `json:"failure,omitempty"`
		Started  time.Time         `json:"started"`
		Finished time.Time         `json:"finished,omitzero"`
		Plan     evaluate.Plan     `json:"plan"`
		Results  []evaluate.Result `json:"results"`
	}{run.ID, run.Set, run.Name, run.State, run.Failure, run.Started, run.Finished, run.Plan, run.Results}, "", " ")
}
