package main

import (
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"passage/rag"
	"passage/rag/evaluate"
	"passage/rag/retrieve"
)

// sweepFlags are the flags that choose the settings of a run. Each list is
// combined with each other.
type sweepFlags struct {
	flags                                *pflag.FlagSet
	sweeps, strategies, ks, chunks, legs *[]string
	caps, tops                           *[]int
	exact, plain                         *bool
	fusions                              *[]string
	tokens, chars                        *int
}

func newSweepFlags(f *pflag.FlagSet) sweepFlags {
	return sweepFlags{
		flags:      f,
		sweeps:     f.StringSlice("sweep", nil, strings.Join(evaluate.SweepNames(), ", ")+" (default: default, unless --strategy is given)"),
		strategies: f.StringSlice("strategy", nil, "auto, sentence_window, parent_section, fixed_tokens, fixed_chars; several with commas"),
		ks:         f.StringSlice("k", []string{"3"}, "sentence_window: sentences on each side, paragraph, section"),
		caps:       f.IntSlice("cap", []int{rag.DefaultCap}, "parent_section: most tokens of a section"),
		chunks:     f.StringSlice("size", []string{"256/32"}, "fixed_tokens, fixed_chars: size/overlap"),
		tops:       f.IntSlice("top", nil, "passages wanted (default: as in the chat)"),
		legs:       f.StringSlice("legs", nil, "hybrid, dense, bm25 (default: hybrid)"),
		fusions:    f.StringArray("fusion", nil, "weights as \"cosine=0.5 words=1\", or ranks, or own; may be repeated (default: own)"),
		exact:      f.Bool("exact", false, "sentence_window: exactly k sentences; a procedure that is touched is labelled, not completed"),
		plain:      f.Bool("plain-order", false, "without the reranker"),
		tokens:     f.Int("budget-tokens", 0, "most tokens of all passages together; 0: as in the chat, below 0: no limit"),
		chars:      f.Int("budget-chars", 0, "most characters of all passages together; 0: no such limit"),
	}
}

// strategyOf is a strategy that a flag belongs to.
var strategyOf = map[string]rag.StrategyKind{"k": rag.SentenceWindow, "size": rag.FixedTokens, "cap": rag.ParentSection}

// settings lists what the flags ask for; chunks are the strategies that need no
// embedding.
func (s sweepFlags) settings(chunks []rag.Strategy) ([]evaluate.Setting, error) {
	var sweep evaluate.Sweep
	for _, name := range []string{"k", "size", "cap"} {
		if s.flags.Changed(name) && len(*s.strategies) == 0 {
			return nil, rag.Errorf(rag.CodeInvalid, "--%s is of the strategies of --strategy and says nothing to a sweep: add --strategy, as --strategy %s", name, strategyOf[name])
		}
	}
	names := *s.sweeps
	if len(names) == 0 && len(*s.strategies) == 0 {
		names = []string{"default"}
	}
	for _, name := range names {
		more, err := evaluate.NamedSweep(name, chunks)
		if err != nil {
			return nil, err
		}
		sweep.Strategies = append(sweep.Strategies, more.Strategies...)
		sweep.Tops, sweep.Legs = append(sweep.Tops, more.Tops...), append(sweep.Legs, more.Legs...)
		sweep.Fusions = append(sweep.Fusions, more.Fusions...)
	}
	forced, err := s.forced()
	if err != nil {
		return nil, err
	}
	sweep.Strategies = append(sweep.Strategies, forced...)
	if len(*s.tops) > 0 {
		sweep.Tops = *s.tops
	}
	if len(*s.legs) > 0 {
		sweep.Legs = nil
		for _, l := range *s.legs {
			sweep.Legs = append(sweep.Legs, retrieve.Legs(l))
		}
	}
	if len(*s.fusions) > 0 {
		sweep.Fusions = nil
	}
	for _, text := range *s.fusions {
		f, err := evaluate.ParseFusion(text)
		if err != nil {
			return nil, err
		}
		sweep.Fusions = append(sweep.Fusions, f)
	}
	sweep.Base = evaluate.Setting{Exact: *s.exact, PlainOrder: *s.plain, BudgetTokens: *s.tokens, BudgetChars: *s.chars}
	return sweep.Settings()
}

// forced lists the strategies of --strategy with their sizes.
func (s sweepFlags) forced() ([]*rag.Strategy, error) {
	var list []*rag.Strategy
	for _, kind := range *s.strategies {
		switch kind := rag.StrategyKind(kind); kind {
		case "auto":
			list = append(list, nil)
		case rag.SentenceWindow:
			for _, k := range *s.ks {
				w, err := rag.ParseWindow(k)
				if err != nil {
					return nil, err
				}
				list = append(list, &w)
			}
		case rag.ParentSection:
			for _, c := range *s.caps {
				list = append(list, &rag.Strategy{Kind: kind, Cap: c})
			}
		case rag.FixedTokens, rag.FixedChars:
			for _, c := range *s.chunks {
				size, overlap, _ := strings.Cut(c, "/")
				n, err := strconv.Atoi(size)
				o := 0
				if err == nil && overlap != "" {
					o, err = strconv.Atoi(overlap)
				}
				if err != nil {
					return nil, rag.Errorf(rag.CodeInvalid, "--size takes size/overlap, as 256/32, not %q", c)
				}
				list = append(list, &rag.Strategy{Kind: kind, Size: n, Overlap: o})
			}
		default:
			list = append(list, &rag.Strategy{Kind: kind}) // is refused with the names there are
		}
	}
	return list, nil
}
