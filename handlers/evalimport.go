package handlers

import (
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"passage/rag"
	"passage/rag/evaluate"
	"passage/views"
)

const (
	importPath        = "/evaluation/sets"
	mostQuestionBytes = 20 << 20 // of one file of questions
)

// importQuestions takes a file of questions into a set. What is wrong with the
// file is shown beside the form, and nothing of it is kept.
func (p *pages) importQuestions(c echo.Context) error {
	ctx, scope := c.Request().Context(), p.cfg.ScopeOf(c)
	name := strings.TrimSpace(c.FormValue("name"))
	back := views.Evaluation{Import: views.ImportForm{Open: true, Name: name}}
	refuse := func(err error) error {
		status, message := describe(err)
		if status >= http.StatusInternalServerError || rag.ErrorCode(err) == rag.CodeNotFound {
			return err
		}
		back.Import.Faults = []string{message}
		return p.showEvaluation(c, status, back, startValues{space: c.FormValue("set-space")})
	}
	if name == "" || len([]rune(name)) > maxNameSize {
		return refuse(rag.Errorf(rag.CodeInvalid, "Please name the set, with at most %d characters.", maxNameSize))
	}
	questions, err := readQuestions(c)
	if err != nil {
		return refuse(err)
	}
	space, _ := strconv.ParseInt(c.FormValue("set-space"), 10, 64) // what is no number means every space
	set, err := p.cfg.Evaluation.EnsureSet(ctx, scope, space, name)
	if err != nil {
		return refuse(fmt.Errorf("making question set: %w", err))
	}
	added, changed, err := p.cfg.Evaluation.Put(ctx, scope, set.ID, questions)
	if err != nil {
		return refuse(fmt.Errorf("importing questions into set %d: %w", set.ID, err))
	}
	q := url.Values{"set": {itoa(set.ID)}, "imported": {strconv.Itoa(added)}, "changed": {strconv.Itoa(changed)}}
	return c.Redirect(http.StatusSeeOther, "/evaluation?"+q.Encode())
}

// readQuestions reads the file of a form.
func readQuestions(c echo.Context) (questions []evaluate.Question, err error) {
	header, err := c.FormFile("questions")
	if err != nil || header.Filename == "" {
		return nil, rag.WithCause(err, rag.CodeInvalid, "Please choose a file of questions.")
	}
	if header.Size > mostQuestionBytes {
		return nil, rag.Errorf(rag.CodeTooLarge, "The file is larger than %s.", megabytes(mostQuestionBytes))
	}
	var f multipart.File
	if f, err = header.Open(); err != nil {
		return nil, fmt.Errorf("opening a file of questions: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return evaluate.Read(f, fileName(header.Filename), nil)
}

// importedText says what an import did.
func importedText(c echo.Context) string {
	added, _ := strconv.Atoi(c.QueryParam("imported")) // what is no number was typed by hand
	changed, _ := strconv.Atoi(c.QueryParam("changed"))
	text := count(added, "question was", "questions were") + " added"
	if changed > 0 {
		text += ", " + count(changed, "was", "were") + " replaced"
	}
	return text + "."
}

// checkImport says which questions of the set cannot be measured, and why.
func (p *pages) checkImport(c echo.Context, view *views.Evaluation) error {
	id, _ := strconv.ParseInt(c.QueryParam("set"), 10, 64)
	if id <= 0 {
		return nil // the address was typed by hand and names no set
	}
	problems, err := p.cfg.Evaluation.Check(c.Request().Context(), p.cfg.ScopeOf(c), id)
	if err != nil {
		return fmt.Errorf("checking question set %d: %w", id, err)
	}
	if len(problems) == 0 {
		return nil
	}
	view.Notice.Kind = "warning"
	view.Notice.Text += " " + willBe(problems)
	view.Problems, view.More = problemList(problems)
	return nil
}

// willBe says how the questions with problems would be measured.
func willBe(problems []evaluate.Problem) string {
	left, lacking := troubled(problems)
	var said []string
	if left > 0 {
		said = append(said, count(left, "question", "questions")+" of the set cannot be measured")
	}
	if lacking > 0 {
		said = append(said, count(lacking, "question", "questions")+" will be asked without one of the places")
	}
	return strings.Join(said, ", ") + "."
}

// exportQuestions gives a set as a file that can be imported again.
func (p *pages) exportQuestions(c echo.Context) error {
	id, err := strconv.ParseInt(strings.TrimSuffix(c.Param("file"), ".jsonl"), 10, 64)
	if err != nil {
		return rag.Errorf(rag.CodeNotFound, "There is no such page.")
	}
	ctx, scope := c.Request().Context(), p.cfg.ScopeOf(c)
	questions, err := p.cfg.Evaluation.Questions(ctx, scope, id)
	if err != nil {
		return fmt.Errorf("reading questions of set %d: %w", id, err)
	}
	var b strings.Builder
	if err := evaluate.Write(&b, questions); err != nil {
		return fmt.Errorf("writing questions of set %d: %w", id, err)
	}
	return download(c, "questions-"+itoa(id)+".jsonl", "application/x-ndjson; charset=utf-8", []byte(b.String()))
}

// download sends a file to be kept.
func download(c echo.Context, name, kind string, body []byte) error {
	c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="`+name+`"`)
	return c.Blob(http.StatusOK, kind, body)
}
