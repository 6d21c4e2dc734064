package evaluate

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
	"time"
)

// exportJSON is a run as a report: everything that is known of it.
type exportJSON struct {
	ID       int64      `json:"id,omitempty"`
	Set      string     `json:"set"`
	Name     string     `json:"name,omitempty"`
	State    string     `json:"state"`
	Failure  string     `json:"failure,omitempty"`
	Started  *time.Time `json:"started,omitempty"`
	Finished *time.Time `json:"finished,omitempty"`
	Plan     Plan       `json:"plan"`
	Results  []labelled `json:"results"`
}

type labelled struct {
	Label string `json:"label"`
	Result
}

// WriteJSON writes a run with all that is loaded of it as one JSON object.
func WriteJSON(w io.Writer, run Run) error {
	x := exportJSON{
		ID: run.ID, Set: run.Set, Name: run.Name, State: string(run.State), Failure: run.Failure,
		Started: known(run.Started), Finished: known(run.Finished), Plan: run.Plan, Results: []labelled{},
	}
	for _, r := range run.Results {
		x.Results = append(x.Results, labelled{r.Setting.String(), r})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(x)
}

func known(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// WriteCSV writes the figures of a run, one line for each setting, document type
// (empty: all together) and measure.
func WriteCSV(w io.Writer, run Run) error {
	c := csv.NewWriter(w)
	rows := [][]string{{"number", "setting", "doc_type", "measure", "mean", "low", "high", "n", "p50", "p95"}}
	for i, r := range run.Results {
		rows = append(rows, summaryRows(i+1, r, "", r.Total)...)
		for _, name := range r.TypeNames() {
			rows = append(rows, summaryRows(i+1, r, name, r.ByType[name])...)
		}
	}
	return c.WriteAll(rows)
}

func summaryRows(number int, r Result, docType string, s Summary) [][]string {
	var rows [][]string
	for _, info := range Measures() {
		e, ok := s[info.Measure]
		if !ok {
			continue
		}
		row := []string{
			strconv.Itoa(number), cell(r.Setting.String()), cell(docType), string(info.Measure),
			decimal(e.Mean), decimal(e.Low), decimal(e.High), strconv.Itoa(e.N), "", "",
		}
		if info.Amount {
			row[8], row[9] = decimal(e.P50), decimal(e.P95)
		}
		rows = append(rows, row)
	}
	return rows
}

// WriteOutcomesCSV writes what every question gave under every setting, one line
// each. The run needs its outcomes.
func WriteOutcomesCSV(w io.Writer, run Run) error {
	c := csv.NewWriter(w)
	header := []string{"number", "setting", "question", "kind", "doc_type", "refused"}
	for _, info := range Measures() {
		header = append(header, string(info.Measure))
	}
	rows := [][]string{header}
	for i, r := range run.Results {
		for _, o := range r.Outcomes {
			row := []string{
				strconv.Itoa(i + 1), cell(r.Setting.String()), cell(o.Question), string(o.Kind), cell(o.DocType), strconv.FormatBool(o.Refused),
			}
			for _, info := range Measures() {
				value := ""
				if v, ok := o.Values[info.Measure]; ok {
					value = decimal(v)
				}
				row = append(row, value)
			}
			rows = append(rows, row)
		}
	}
	return c.WriteAll(rows)
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// cell keeps a spreadsheet from taking a text for a formula.
func cell(s string) string {
	if s == "" {
		return s
	}
	switch s[0] {
	case '=', '+', '-', '@', '\t', '\r':
		return "'" + s
	}
	return s
}
