package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"passage/rag"
	"passage/rag/evaluate"
)

// evalCommands are the sub-commands of web eval.
func evalCommands() []command {
	return []command{
		{"import", "--set NAME [--space S] [--procedures P.jsonl] FILE…", "add the questions of JSONL files to a set, and check that their documents are there", evalImport},
		{"list", "", "list the question sets and the last runs", evalList},
		{"run", "--set NAME [--space S] [--sweep NAME] [--strategy …] [--k …] [--top …] [--legs …]", "ask a set under one or more settings and store the figures", evalRun},
		{"show", "RUN", "print the figures of a run", evalShow},
		{"compare", "RUN[:SETTING] RUN[:SETTING]", "say what changed between two runs or settings, with intervals", evalCompare},
		{"advise", "RUN [--apply]", "name the smallest setting within noise of the best for each document type", evalAdvise},
		{"export", "RUN --format csv|json | --set NAME", "write a run as CSV or JSON, or the questions of a set as JSONL", evalExport},
		{"delete", "--run RUN | --set NAME", "delete a run, or a set with its questions and runs", evalDelete},
		{"score", "--questions Q.jsonl --results R.jsonl", "measure results of web retrieve without storing anything", evalScore},
	}
}

// evalCommand measures retrieval on questions whose answers are known.
func evalCommand(ctx context.Context, p *program, args []string) error {
	if len(args) == 0 || args[0] == "-h" || args[0] == "--help" || args[0] == "help" {
		fmt.Fprint(p.stdout, "web eval measures retrieval on questions whose answers are known.\n\n")
		for _, c := range evalCommands() {
			fmt.Fprintf(p.stdout, "  web eval %-8s %s\n      %s\n", c.name, c.usage, c.help)
		}
		return nil
	}
	for _, c := range evalCommands() {
		if c.name == args[0] {
			return c.run(ctx, p, args[1:])
		}
	}
	return rag.Errorf(rag.CodeInvalid, "there is no command web eval %q; web eval --help lists them", args[0])
}

// evalFlags makes the flag set of a sub-command.
func (p *program) evalFlags(name string) *pflag.FlagSet {
	for _, c := range evalCommands() {
		if c.name == name {
			return p.flags("eval "+name, c.usage)
		}
	}
	return p.flags("eval "+name, "")
}

// bench gives the evaluations of the app.
func (a *app) bench() *evaluate.Bench {
	id := ""
	if a.embedder != nil {
		id = a.embedder.ID()
	}
	return evaluate.NewBench(evaluate.Options{
		Retriever: a.retriever, Corpus: a.store, Rows: a.store, Tokens: a.tokens, Chunks: a.cut.ChunkTokens(),
		Embedder: id, Version: version, Log: a.log, Prepare: a.prepare,
	})
}

// spaceID gives the id of a space by name, 0 for "".
func (a *app) spaceID(ctx context.Context, name string) (int64, error) {
	if name == "" {
		return 0, nil
	}
	f, err := a.filter(ctx, []string{name}, nil)
	if err != nil {
		return 0, err
	}
	return f.Spaces[0], nil
}

// spaceOfSet is the flag that tells sets of the same name apart.
const spaceOfSet = `space of the set, when several have the name; "" for the one that is about all spaces`

// findSet gives the set of --set, in the space of --space when that is given: ""
// is the set without a space.
func (a *app) findSet(ctx context.Context, b *evaluate.Bench, f *pflag.FlagSet) (evaluate.QuestionSet, error) {
	name, space := f.Lookup("set").Value.String(), f.Lookup("space").Value.String()
	if name == "" {
		return evaluate.QuestionSet{}, rag.Errorf(rag.CodeInvalid, "name the question set with --set")
	}
	sets, err := b.Sets(ctx, everything)
	if err != nil {
		return evaluate.QuestionSet{}, err
	}
	sets = slices.DeleteFunc(sets, func(s evaluate.QuestionSet) bool { return s.Name != name || f.Changed("space") && s.Space != space })
	switch len(sets) {
	case 1:
		return sets[0], nil
	case 0:
		return evaluate.QuestionSet{}, rag.Errorf(rag.CodeNotFound, "there is no question set %q; web eval import makes one, web eval list names those there are", name)
	default:
		return evaluate.QuestionSet{}, rag.Errorf(rag.CodeInvalid, "there are %d question sets %q in different spaces; name the space with --space, or write --space \"\" for the one about all of them", len(sets), name)
	}
}

// reported is how many problems are printed.
const reported = 20

func (p *program) printProblems(problems []evaluate.Problem) {
	if len(problems) == 0 {
		return
	}
	left := 0
	for i, problem := range problems {
		if problem.LeftOut {
			left++
		}
		if i < reported {
			fmt.Fprintf(p.stdout, "  question %s: %s\n", problem.Question, problem.Why)
		}
	}
	if more := len(problems) - reported; more > 0 {
		fmt.Fprintf(p.stdout, "  and %d more\n", more)
	}
	fmt.Fprintf(p.stdout, "%d problems; %s\n", len(problems), leftOut(left))
}

func leftOut(n int) string {
	if n == 0 {
		return "every question is measured"
	}
	return fmt.Sprintf("questions that are not measured because of them: up to %d", n)
}

func evalImport(ctx context.Context, p *program, args []string) error {
	f := p.evalFlags("import")
	set := f.String("set", "", "name of the set; it is made when it is not there")
	space := f.String("space", "", "space that the questions are about (default: all of them)")
	procedures := f.String("procedures", "", "file of the procedures that questions name as alternatives (default: procedures.jsonl beside each file)")
	if err := parse(f, args, 1, -1); err != nil {
		return err
	}
	if *set == "" {
		return rag.Errorf(rag.CodeInvalid, "name the question set with --set")
	}
	var list []evaluate.Question
	for _, name := range f.Args() {
		more, err := readSet(name, *procedures)
		if err != nil {
			return err
		}
		list = append(list, more...)
	}
	return p.withApp(ctx, func(ctx context.Context, a *app) error {
		id, err := a.spaceID(ctx, *space)
		if err != nil {
			return err
		}
		b := a.bench()
		s, err := b.EnsureSet(ctx, everything, id, *set)
		if err != nil {
			return err
		}
		added, changed, err := b.Put(ctx, everything, s.ID, list)
		if err != nil {
			return err
		}
		fmt.Fprintf(p.stdout, "%s: %d questions added, %d changed, %d as they were\n", s.Name, added, changed, len(list)-added-changed)
		problems, err := b.Check(ctx, everything, s.ID)
		if err != nil {
			return err
		}
		p.printProblems(problems)
		return nil
	})
}

// readSet reads a file of questions, with the procedures it names.
func readSet(name, procedures string) ([]evaluate.Question, error) {
	if procedures == "" {
		procedures = filepath.Join(filepath.Dir(name), "procedures.jsonl")
		if _, err := os.Stat(procedures); errors.Is(err, fs.ErrNotExist) {
			procedures = ""
		}
	}
	var known evaluate.Procedures
	if procedures != "" {
		f, err := openFile(procedures)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if known, err = evaluate.ReadProcedures(f, procedures); err != nil {
			return nil, err
		}
	}
	f, err := openFile(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return evaluate.Read(f, name, known)
}

func openFile(name string) (*os.File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, rag.WithCause(err, rag.CodeInvalid, "%s cannot be read.", name)
	}
	return f, nil
}

// listedRuns is how many runs web eval list shows.
const listedRuns = 30

func evalList(ctx context.Context, p *program, args []string) error {
	if err := parse(p.evalFlags("list"), args, 0, 0); err != nil {
		return err
	}
	return p.withApp(ctx, func(ctx context.Context, a *app) error {
		b := a.bench()
		sets, err := b.Sets(ctx, everything)
		if err != nil {
			return err
		}
		runs, err := b.Runs(ctx, everything, 0, listedRuns)
		if err != nil {
			return err
		}
		rows := [][]string{{"set", "space", "questions", "changed"}}
		for _, s := range sets {
			rows = append(rows, []string{s.Name, orAll(s.Space), strconv.Itoa(s.Questions), s.Updated.Format("2006-01-02 15:04")})
		}
		p.printTable(rows)
		if len(runs) == 0 {
			return nil
		}
		rows = [][]string{{"run", "set", "state", "settings", "questions", "half", "started", "name"}}
		for _, r := range runs {
			rows = append(rows, []string{
				strconv.FormatInt(r.ID, 10), r.Set, string(r.State), strconv.Itoa(len(r.Plan.Settings)), strconv.Itoa(r.Plan.Questions),
				string(r.Plan.Half), r.Started.Format("2006-01-02 15:04"), r.Name,
			})
		}
		fmt.Fprintln(p.stdout)
		p.printTable(rows)
		return nil
	})
}

func orAll(space string) string {
	if space == "" {
		return "(all)"
	}
	return space
}

// printTable prints rows in columns; numbers stand at the right of theirs. The
// first row is the header.
func (p *program) printTable(rows [][]string) {
	widths := make([]int, len(rows[0]))
	right := make([]bool, len(rows[0]))
	for n, row := range rows {
		for i, s := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(s))
			if n > 0 {
				right[i] = s == "" && right[i] || s != "" && strings.ContainsRune(".0123456789+-−–", []rune(s)[0])
			}
		}
	}
	for _, row := range rows {
		var b strings.Builder
		for i, s := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(s))
			if i > 0 {
				b.WriteString("  ")
			}
			if right[i] {
				b.WriteString(pad + s)
			} else {
				b.WriteString(s + pad)
			}
		}
		fmt.Fprintln(p.stdout, strings.TrimRight(b.String(), " "))
	}
}

func evalDelete(ctx context.Context, p *program, args []string) error {
	f := p.evalFlags("delete")
	run := f.Int64("run", 0, "number of the run")
	set := f.String("set", "", "name of the set")
	f.String("space", "", spaceOfSet)
	if err := parse(f, args, 0, 0); err != nil {
		return err
	}
	if (*run == 0) == (*set == "") {
		return rag.Errorf(rag.CodeInvalid, "web eval delete needs either --run or --set")
	}
	return p.withApp(ctx, func(ctx context.Context, a *app) error {
		b := a.bench()
		if *run != 0 {
			if err := b.DeleteRun(ctx, everything, *run); err != nil {
				return err
			}
			fmt.Fprintf(p.stdout, "run %d deleted\n", *run)
			return nil
		}
		s, err := a.findSet(ctx, b, f)
		if err != nil {
			return err
		}
		if err := b.DeleteSet(ctx, everything, s.ID); err != nil {
			return err
		}
		fmt.Fprintf(p.stdout, "%s deleted, with %d questions and its runs\n", s.Name, s.Questions)
		return nil
	})
}
