package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"passage/rag"
	"passage/rag/evaluate"
)

func evalCompare(ctx context.Context, p *program, args []string) error {
	f := p.evalFlags("compare")
	seed := f.Uint64("seed", 1, "of the intervals: the same seed gives the same")
	if err := parse(f, args, 2, 2); err != nil {
		return err
	}
	first, a1, err := runNumber(f.Arg(0))
	if err != nil {
		return err
	}
	second, b1, err := runNumber(f.Arg(1))
	if err != nil {
		return err
	}
	return p.withApp(ctx, func(ctx context.Context, a *app) error {
		bench := a.bench()
		x, err := bench.Run(ctx, everything, first, true)
		if err != nil {
			return err
		}
		y, err := bench.Run(ctx, everything, second, true)
		if err != nil {
			return err
		}
		pairs, err := pairsOf(x, a1, y, b1)
		if err != nil {
			return err
		}
		for i, pair := range pairs {
			if i > 0 {
				fmt.Fprintln(p.stdout)
			}
			p.printDifference(pair[0], pair[1], *seed)
		}
		return nil
	})
}

// pairsOf says which results are compared: the two that are named, or all that
// both runs have.
func pairsOf(x evaluate.Run, a int, y evaluate.Run, b int) ([][2]evaluate.Result, error) {
	if a > len(x.Results) || b > len(y.Results) {
		return nil, rag.Errorf(rag.CodeNotFound, "run %d has %d settings, run %d has %d", x.ID, len(x.Results), y.ID, len(y.Results))
	}
	from, to := x.Results, y.Results
	if a > 0 {
		from = from[a-1 : a]
	}
	if b > 0 {
		to = to[b-1 : b]
	}
	if len(from) == 1 && len(to) == 1 {
		return [][2]evaluate.Result{{from[0], to[0]}}, nil
	}
	var pairs [][2]evaluate.Result
	for _, r := range from {
		for _, s := range to {
			if r.Setting.Key() == s.Setting.Key() {
				pairs = append(pairs, [2]evaluate.Result{r, s})
			}
		}
	}
	if len(pairs) == 0 {
		return nil, rag.Errorf(rag.CodeInvalid, "the runs have no setting in common; name one of each, as %d:1 %d:1", x.ID, y.ID)
	}
	return pairs, nil
}

func (p *program) printDifference(a, b evaluate.Result, seed uint64) {
	fmt.Fprintf(p.stdout, "%s → %s\n", a.Setting, b.Setting)
	list := evaluate.Compare(a, b, seed)
	if len(list) == 0 {
		fmt.Fprintln(p.stdout, "The two have no question in common.")
		return
	}
	rows := [][]string{{"measure", "before", "after", "change", "95 % interval", "questions", ""}}
	for _, d := range list {
		info, _ := evaluate.Info(d.Measure)
		format := "%+.3f"
		before, after := digits(d.A), digits(d.B)
		if info.Amount {
			format, before, after = "%+.1f", fmt.Sprintf("%.1f", d.A), fmt.Sprintf("%.1f", d.B)
		}
		rows = append(rows, []string{
			info.Label, before, after, fmt.Sprintf(format, d.Mean), fmt.Sprintf(format+" … "+format, d.Low, d.High),
			strconv.Itoa(d.N), verdict(d, info),
		})
	}
	p.printTable(rows)
}

func verdict(d evaluate.Difference, info evaluate.MeasureInfo) string {
	switch {
	case d.Noise():
		return "within noise"
	case (d.Mean < 0) == info.Less:
		return "better"
	default:
		return "worse"
	}
}

func evalAdvise(ctx context.Context, p *program, args []string) error {
	f := p.evalFlags("advise")
	measure := f.String("measure", string(evaluate.Found), "what is to be kept: a share of which more is better")
	apply := f.Bool("apply", false, "set the strategies of the document types; chunks that they need are indexed first")
	if err := parse(f, args, 1, 1); err != nil {
		return err
	}
	id, _, err := runNumber(f.Arg(0))
	if err != nil {
		return err
	}
	return p.withApp(ctx, func(ctx context.Context, a *app) error {
		run, err := a.bench().Run(ctx, everything, id, true)
		if err != nil {
			return err
		}
		list, err := evaluate.Advise(run, evaluate.Measure(*measure))
		if err != nil {
			return err
		}
		for _, advice := range list {
			fmt.Fprintf(p.stdout, "%s: %s\n", advice.DocType, advice.Reason)
			if !*apply || advice.Strategy == nil {
				continue
			}
			if err := a.apply(ctx, advice); err != nil {
				return err
			}
			fmt.Fprintf(p.stdout, "%s: set to %s\n", advice.DocType, advice.Strategy)
		}
		if len(list) == 0 {
			fmt.Fprintln(p.stdout, "No question of the run expects a document, so there is nothing to advise.")
		}
		return nil
	})
}

// apply gives a document type the strategy of an advice, once its documents have
// the units that it searches.
func (a *app) apply(ctx context.Context, advice evaluate.Advice) error {
	if err := a.prepare(ctx, rag.Filter{DocTypes: []string{advice.DocType}}, advice.Strategy); err != nil {
		return err
	}
	return a.store.SetStrategy(ctx, advice.DocType, *advice.Strategy)
}

func evalExport(ctx context.Context, p *program, args []string) error {
	f := p.evalFlags("export")
	set := f.String("set", "", "name of the set whose questions are written")
	f.String("space", "", spaceOfSet)
	format := f.String("format", "", "csv or json (default: by the name of the file, else json)")
	questions := f.Bool("questions", false, "csv: a line for each question and setting instead of the means")
	out := f.String("out", "-", "file to write; - is the terminal")
	if err := parse(f, args, 0, 1); err != nil {
		return err
	}
	if (f.NArg() == 0) == (*set == "") {
		return rag.Errorf(rag.CodeInvalid, "web eval export needs either the number of a run or --set")
	}
	if *format == "" {
		*format = formatOf(*out)
	}
	if *format != "csv" && *format != "json" {
		return rag.Errorf(rag.CodeInvalid, "--format is csv or json, not %q", *format)
	}
	var id int64
	if *set == "" {
		var err error
		if id, _, err = runNumber(f.Arg(0)); err != nil {
			return err
		}
	}
	return p.withApp(ctx, func(ctx context.Context, a *app) error {
		b := a.bench()
		if *set == "" {
			run, err := b.Run(ctx, everything, id, *format == "json" || *questions)
			if err != nil {
				return err
			}
			return writeRun(*out, p, run, *format, *questions)
		}
		s, err := a.findSet(ctx, b, f)
		if err != nil {
			return err
		}
		list, err := b.Questions(ctx, everything, s.ID)
		if err != nil {
			return err
		}
		return writeFile(*out, p.stdout, func(w io.Writer) error { return evaluate.Write(w, list) })
	})
}

func formatOf(name string) string {
	if strings.EqualFold(filepath.Ext(name), ".csv") {
		return "csv"
	}
	return "json"
}

func writeRun(name string, p *program, run evaluate.Run, format string, questions bool) error {
	return writeFile(name, p.stdout, func(w io.Writer) error {
		switch {
		case format == "json":
			return evaluate.WriteJSON(w, run)
		case questions:
			return evaluate.WriteOutcomesCSV(w, run)
		default:
			return evaluate.WriteCSV(w, run)
		}
	})
}

// writeFile opens a file, "-" for stdout, and has it written.
func writeFile(name string, stdout io.Writer, write func(io.Writer) error) error {
	if name == "-" {
		return write(stdout)
	}
	f, err := os.Create(name)
	if err != nil {
		return rag.WithCause(err, rag.CodeInvalid, "%s cannot be written.", name)
	}
	err = write(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// evalScore measures a file of results: nothing is opened but the files.
func evalScore(_ context.Context, p *program, args []string) error {
	f := p.evalFlags("score")
	questions := f.String("questions", "", "the question set")
	results := f.String("results", "", "what web retrieve wrote for it")
	procedures := f.String("procedures", "", "file of the procedures that questions name as alternatives (default: procedures.jsonl beside the questions)")
	half := f.String("half", "", "a or b: only that half of the questions")
	seed := f.Uint64("seed", 1, "of the intervals: the same seed gives the same")
	out := f.String("out", "", "also write the figures to this file, as CSV when its name ends in .csv, else as JSON")
	show := newPrintFlags(f)
	if err := parse(f, args, 0, 0); err != nil {
		return err
	}
	if *questions == "" || *results == "" {
		return rag.Errorf(rag.CodeInvalid, "name the two files with --questions and --results")
	}
	part, err := evaluate.ParseHalf(*half)
	if err != nil {
		return err
	}
	if err := show.check(); err != nil {
		return err
	}
	list, err := readSet(*questions, *procedures)
	if err != nil {
		return err
	}
	file, err := openFile(*results)
	if err != nil {
		return err
	}
	defer file.Close()
	replies, err := evaluate.ReadReplies(file, *results)
	if err != nil {
		return err
	}
	list = part.Of(list)
	missing := 0
	for _, q := range list {
		if _, ok := replies[q.ID]; !ok {
			missing++
		}
	}
	result := evaluate.ScoreAll(list, replies, *seed)
	fmt.Fprintf(p.stdout, "%d questions\n", result.Questions)
	if missing > 0 {
		fmt.Fprintf(p.stdout, "%d of them have no line in %s and count as not found\n", missing, *results)
	}
	rows := [][]string{{"measure", "mean", "95 % interval", "questions"}}
	for _, info := range show.chosen([]evaluate.Summary{result.Total}) {
		e := result.Total[info.Measure]
		row := []string{info.Label, digits(e.Mean), digits(e.Low) + "–" + digits(e.High), strconv.Itoa(e.N)}
		if info.Amount {
			row[1], row[2] = fmt.Sprintf("%.1f", e.Mean), fmt.Sprintf("%.1f–%.1f", e.Low, e.High)
		}
		rows = append(rows, row)
	}
	p.printTable(rows)
	if *out == "" {
		return nil
	}
	run := evaluate.Run{Set: *questions, State: rag.RunDone, Results: []evaluate.Result{result}}
	run.Plan.Half, run.Plan.Seed, run.Plan.Questions = part, *seed, result.Questions
	return writeRun(*out, p, run, formatOf(*out), false)
}
