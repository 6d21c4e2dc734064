package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"passage/rag"
	"passage/rag/evaluate"
)

func evalRun(ctx context.Context, p *program, args []string) error {
	f := p.evalFlags("run")
	f.String("set", "", "name of the question set")
	f.String("space", "", spaceOfSet)
	name := f.String("name", "", "name of the run, for people")
	half := f.String("half", "", "a or b: only that half of the questions, to tune on one and report on the other")
	seed := f.Uint64("seed", 1, "of the intervals: the same seed gives the same")
	chunks := f.Bool("chunks", false, "index fixed chunks that are missing first")
	out := f.String("out", "", "also write the run to this file, as CSV when its name ends in .csv, else as JSON")
	show := newPrintFlags(f)
	sweep := newSweepFlags(f)
	if err := parse(f, args, 0, 0); err != nil {
		return err
	}
	part, err := evaluate.ParseHalf(*half)
	if err != nil {
		return err
	}
	if _, err := sweep.settings(nil); err != nil { // before anything is started
		return err
	}
	if err := show.check(); err != nil {
		return err
	}
	return p.withApp(ctx, func(ctx context.Context, a *app) error {
		b := a.bench()
		s, err := a.findSet(ctx, b, f)
		if err != nil {
			return err
		}
		known, err := b.ChunkStrategies(ctx, everything, s.ID)
		if err != nil {
			return err
		}
		plan := evaluate.Plan{SetID: s.ID, Name: *name, Half: part, Seed: *seed, AddChunks: *chunks}
		if plan.Settings, err = sweep.settings(known); err != nil {
			return err
		}
		run, err := b.Measure(ctx, everything, plan, p.tell())
		if err != nil {
			return err
		}
		if *out != "" {
			if err := writeRun(*out, p, run, formatOf(*out), false); err != nil {
				return err
			}
		}
		p.printRun(run, show)
		return nil
	})
}

// tell prints how far a run is, in steps of a tenth.
func (p *program) tell() func(evaluate.Progress) {
	last := 0
	return func(g evaluate.Progress) {
		if tenth := 10 * g.Done / max(g.Total, 1); tenth > last {
			last = tenth
			fmt.Fprintf(p.stderr, "%d of %d\n", g.Done, g.Total)
		}
	}
}

func evalShow(ctx context.Context, p *program, args []string) error {
	f := p.evalFlags("show")
	show := newPrintFlags(f)
	if err := parse(f, args, 1, 1); err != nil {
		return err
	}
	if err := show.check(); err != nil {
		return err
	}
	id, _, err := runNumber(f.Arg(0))
	if err != nil {
		return err
	}
	return p.withApp(ctx, func(ctx context.Context, a *app) error {
		run, err := a.bench().Run(ctx, everything, id, false)
		if err != nil {
			return err
		}
		p.printRun(run, show)
		return nil
	})
}

// runNumber reads "12" or "12:3": a run, and the number of one of its settings,
// 0 for all.
func runNumber(s string) (id int64, setting int, err error) {
	run, number, some := strings.Cut(s, ":")
	id, err = strconv.ParseInt(run, 10, 64)
	if err == nil && some {
		setting, err = strconv.Atoi(number)
	}
	if err != nil || id < 1 || some && setting < 1 {
		return 0, 0, rag.Errorf(rag.CodeInvalid, "%q is no run; write its number, as 12, or 12:3 for its third setting (web eval list shows the runs)", s)
	}
	return id, setting, nil
}

// printFlags choose what is printed of a run.
type printFlags struct {
	measures *[]string
	byType   *bool
}

func newPrintFlags(f *pflag.FlagSet) printFlags {
	return printFlags{
		measures: f.StringSlice("measures", nil, "measures to print, all for every one (default: the main ones)"),
		byType:   f.Bool("by-type", false, "also print the figures of each document type"),
	}
}

// mainMeasures are printed when none are chosen.
var mainMeasures = []evaluate.Measure{
	evaluate.Found, evaluate.Complete, evaluate.AnswerInContext, evaluate.CharRecall, evaluate.CharIoU, evaluate.Hit1, evaluate.MRR,
	evaluate.RefusedRightly, evaluate.RefusedWrongly, evaluate.Tokens, evaluate.Latency,
}

func (f printFlags) check() error {
	for _, m := range *f.measures {
		if _, ok := evaluate.Info(evaluate.Measure(m)); !ok && m != "all" {
			return rag.Errorf(rag.CodeInvalid, "there is no measure %q; there are %s", m, measureNames())
		}
	}
	return nil
}

func measureNames() string {
	var names []string
	for _, info := range evaluate.Measures() {
		names = append(names, string(info.Measure))
	}
	return strings.Join(names, ", ")
}

// chosen lists the measures to print that some summary has.
func (f printFlags) chosen(summaries []evaluate.Summary) []evaluate.MeasureInfo {
	var list []evaluate.MeasureInfo
	for _, info := range evaluate.Measures() {
		wanted := slices.Contains(mainMeasures, info.Measure)
		if len(*f.measures) > 0 {
			wanted = slices.Contains(*f.measures, string(info.Measure)) || slices.Contains(*f.measures, "all")
		}
		there := slices.ContainsFunc(summaries, func(s evaluate.Summary) bool { _, ok := s[info.Measure]; return ok })
		if wanted && there {
			list = append(list, info)
		}
	}
	return list
}

func (p *program) printRun(run evaluate.Run, show printFlags) {
	fmt.Fprintf(p.stdout, "run %d on %s: %s, %d of %d questions measured", run.ID, run.Set, run.State, measured(run), run.Plan.Questions)
	if run.Plan.Half != "" {
		fmt.Fprintf(p.stdout, " of half %s", run.Plan.Half)
	}
	c := run.Plan.Corpus
	fmt.Fprintf(p.stdout, "; %d documents, %d units, %s\n", c.Documents, c.Units, orWordsOnly(c.Embedder))
	if run.Failure != "" {
		fmt.Fprintln(p.stdout, run.Failure)
	}
	p.printProblems(run.Plan.Problems)
	p.printResults(run.Results, show, func(r evaluate.Result) evaluate.Summary { return r.Total })
	if !*show.byType {
		return
	}
	for _, name := range typesOf(run.Results) {
		fmt.Fprintf(p.stdout, "\n%s\n", name)
		p.printResults(run.Results, show, func(r evaluate.Result) evaluate.Summary { return r.ByType[name] })
	}
}

func measured(run evaluate.Run) int {
	if len(run.Results) == 0 {
		return 0
	}
	return run.Results[0].Questions
}

func orWordsOnly(embedder string) string {
	if embedder == "" {
		return "words only"
	}
	return embedder
}

func typesOf(results []evaluate.Result) []string {
	var names []string
	for _, r := range results {
		names = append(names, r.TypeNames()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// printResults prints a line for each setting: shares with their 95 % interval,
// amounts with their mean, milliseconds with their median and 95th percentile.
func (p *program) printResults(results []evaluate.Result, show printFlags, of func(evaluate.Result) evaluate.Summary) {
	summaries := make([]evaluate.Summary, len(results))
	for i, r := range results {
		summaries[i] = of(r)
	}
	columns := show.chosen(summaries)
	rows := [][]string{{"", "setting"}}
	for _, info := range columns {
		label := info.Label
		if info.Measure == evaluate.Latency {
			label = "ms p50/p95"
		}
		rows[0] = append(rows[0], label)
	}
	for i, r := range results {
		row := []string{strconv.Itoa(i + 1), r.Setting.String()}
		for _, info := range columns {
			row = append(row, figure(info, summaries[i]))
		}
		rows = append(rows, row)
	}
	p.printTable(rows)
}

// figure prints an estimate.
func figure(info evaluate.MeasureInfo, s evaluate.Summary) string {
	e, ok := s[info.Measure]
	switch {
	case !ok:
		return ""
	case info.Measure == evaluate.Latency:
		return fmt.Sprintf("%.1f/%.1f", e.P50, e.P95)
	case info.Amount:
		return fmt.Sprintf("%.0f", e.Mean)
	default:
		return fmt.Sprintf("%s %s–%s", digits(e.Mean), digits(e.Low), digits(e.High))
	}
}

// digits prints a share: ".843".
func digits(f float64) string { return strings.TrimPrefix(strconv.FormatFloat(f, 'f', 3, 64), "0") }
