package handlers

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"passage/rag"
	"passage/rag/answer"
	"passage/rag/retrieve"
	"passage/views"
)

// labPath is the address of the search lab.
const labPath = "/lab"

// Lab searches by any setting and says how it came to what it found.
type Lab interface {
	// Retrieve finds passages. Errors: CodeInvalid, CodeUnavailable,
	// CodeRateLimited.
	Retrieve(ctx context.Context, req retrieve.Request) (retrieve.Result, error)
}

// Cuts knows which documents are cut into which chunks.
type Cuts interface {
	// LiveVersions lists the live versions in the filter that lack a unit set,
	// all of them when it is "".
	LiveVersions(ctx context.Context, scope rag.Scope, filter rag.Filter, missing rag.UnitSet) ([]int64, error)
}

// lab asks one question under up to three settings and shows beside each other
// how each of them comes to what the model would get. The address says all of
// it, so that it can be handed on.
func (p *pages) lab(c echo.Context) error {
	ctx, scope, q := c.Request().Context(), p.cfg.ScopeOf(c), readLabQuery(c)
	view := views.Lab{Question: q.question, Most: answer.MaxQuestion, Setups: setups(q)}
	var err error
	if view.Spaces, view.Types, err = p.choices(ctx, scope, q.space, q.docType); err != nil {
		return err
	}
	layout := views.Layout{Title: "Search lab", Section: "lab"}
	if !q.asked {
		return draw(c, http.StatusOK, views.LabPage(layout, view))
	}
	status := http.StatusBadRequest
	view.Fault, view.Notice = q.questionFault(), filterFault(q, view)
	if view.Fault == "" && view.Notice == nil {
		view.Share = q.url()
		if status, err = p.compare(c, scope, q, &view); err != nil {
			return err
		}
	}
	return draw(c, status, views.LabPage(layout, view))
}

// compare asks the question under the setting of every column, one after the
// other, so that none slows another down. The status is that of bad input when
// every column holds some.
func (p *pages) compare(c echo.Context, scope rag.Scope, q labQuery, view *views.Lab) (int, error) {
	ctx, status := c.Request().Context(), http.StatusBadRequest
	var tried []labTry
	for _, col := range q.columns {
		if !col.on() {
			continue
		}
		t := labTry{column: col, invalid: len(col.faults) > 0}
		if !t.invalid {
			var err error
			if t.result, err = p.cfg.Lab.Retrieve(ctx, col.request(scope, q)); err != nil {
				t.invalid = rag.ErrorCode(err) == rag.CodeInvalid
				if t.fault, err = p.besideColumn(c, err); err != nil {
					return 0, fmt.Errorf("searching for column %s of the lab: %w", col.letter(), err)
				}
			}
		}
		if !t.invalid {
			status = http.StatusOK
		}
		tried = append(tried, t)
	}
	lib, err := p.openTried(ctx, scope, tried)
	if err != nil {
		return 0, err
	}
	for _, t := range tried {
		column := p.labColumn(t, lib)
		if t.searched() {
			if err := p.sayMissing(ctx, scope, q, t, &column); err != nil {
				return 0, err
			}
		}
		view.Columns = append(view.Columns, column)
	}
	return status, nil
}

// labTry is what one column of the lab came to.
type labTry struct {
	column  labColumn
	result  retrieve.Result
	invalid bool   // what was typed cannot be searched by
	fault   string // why it could not be searched, for people
}

func (t labTry) searched() bool { return !t.invalid && t.fault == "" }

// besideColumn gives the sentence about a fault that concerns one column only;
// any other is given back.
func (p *pages) besideColumn(c echo.Context, err error) (string, error) {
	switch rag.ErrorCode(err) {
	case rag.CodeInvalid:
		return rag.ErrorMessage(err), nil
	case rag.CodeUnavailable, rag.CodeRateLimited:
		p.logFault(c, err) // the page comes all the same
		_, message := describe(err)
		return message, nil
	default:
		return "", err
	}
}

// openTried reads the versions that the columns speak of, all at once.
func (p *pages) openTried(ctx context.Context, scope rag.Scope, tried []labTry) (library, error) {
	lib := library{readings: map[int64]*rag.Reading{}}
	var wanted []int64
	seen := map[int64]bool{}
	want := func(version int64) {
		if !seen[version] {
			seen[version] = true
			wanted = append(wanted, version)
		}
	}
	for _, t := range tried {
		for _, passage := range t.result.Passages {
			want(passage.Version)
		}
		for _, h := range t.result.Trace.Hits {
			want(h.Version)
		}
		for _, w := range t.result.Trace.Windows[:min(len(t.result.Trace.Windows), labWindows)] {
			want(w.Version)
		}
		for _, cut := range t.result.Trace.Cut[:min(len(t.result.Trace.Cut), labCuts)] {
			want(cut.Version)
		}
	}
	var err error
	if lib.labels, err = p.typeLabels(ctx); err != nil || len(wanted) == 0 {
		return lib, err
	}
	if lib.readings, err = p.cfg.Store.Readings(ctx, scope, wanted); err != nil {
		return lib, fmt.Errorf("reading what the lab found: %w", err)
	}
	return lib, nil
}

// questionFault says what is wrong with the question, "" for nothing.
func (q labQuery) questionFault() string {
	switch n := utf8.RuneCountInString(q.question); {
	case n == 0:
		return "The question is empty. Write what you want to know."
	case n > answer.MaxQuestion:
		return "The question has " + grouped(float64(n), 0) + " characters; the limit is " + grouped(answer.MaxQuestion, 0) + ". Shorten it."
	default:
		return ""
	}
}

// filterFault says that the address names a space or a document type that is
// not there, or that the asker may not read.
func filterFault(q labQuery, view views.Lab) *views.Notice {
	if q.spaceText != "" && !chosen(view.Spaces) {
		return &views.Notice{Kind: "error", Head: "Nothing was searched", Text: "There is no such space. Choose one of the list."}
	}
	if q.docType != "" && !chosen(view.Types) {
		return &views.Notice{Kind: "error", Head: "Nothing was searched", Text: "There is no document type " + strconv.Quote(cutTo(q.docType, 40)) + ". Choose one of the list."}
	}
	return nil
}

func chosen(options []views.Option) bool {
	for _, o := range options {
		if o.Selected {
			return true
		}
	}
	return false
}
