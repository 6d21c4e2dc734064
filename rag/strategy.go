package rag

import (
	"fmt"
	"strconv"
	"strings"
)

// StrategyKind is how a hit grows into a passage.
type StrategyKind string

// The kinds of strategy.
const (
	SentenceWindow StrategyKind = "sentence_window"
	ParentSection  StrategyKind = "parent_section"
	FixedTokens    StrategyKind = "fixed_tokens"
	FixedChars     StrategyKind = "fixed_chars"
)

// Extent is how far a sentence window reaches when not by a number.
type Extent string

// The extents of a window. ExtentCount means K sentences on both sides.
const (
	ExtentCount     Extent = ""
	ExtentParagraph Extent = "paragraph"
	ExtentSection   Extent = "section"
)

// Limits of a strategy's settings.
const (
	MaxWindow     = 50     // sentences on each side
	MinSectionCap = 64     // tokens
	MaxSectionCap = 16_384 // tokens
	MaxChunkSize  = 8_192  // tokens or characters
	DefaultCap    = 1_024  // tokens of a section before its middle layer is used
)

// Strategy says how a hit of a document type grows. It is stored as JSON with
// the type; Validate is the one check for every way in.
type Strategy struct {
	Kind    StrategyKind `json:"kind"`
	K       int          `json:"k,omitempty"`       // sentence_window: sentences on each side
	Extent  Extent       `json:"extent,omitempty"`  // sentence_window: paragraph or section instead of K
	Cap     int          `json:"cap,omitempty"`     // parent_section: most tokens of a section; 0 means DefaultCap
	Size    int          `json:"size,omitempty"`    // fixed_*: tokens or characters
	Overlap int          `json:"overlap,omitempty"` // fixed_*: shared with the chunk before, below Size
}

// UnitSet names the units a strategy searches: sentences for windows and
// parents, or fixed chunks of one size and overlap.
type UnitSet string

// SentenceSet is the set of sentence units, which every version has.
const SentenceSet UnitSet = "sentence"

// plainTokens is the tokenizer whose chunks are named by their size alone.
const plainTokens = "cl100k_base"

// UnitSet gives the set of units that the strategy searches, where chunks of
// tokens are cut by the tokenizer of that name. Chunks of another tokenizer are
// another set, so that they are never taken for each other:
// "tokens-256-32-use-lite". Those of cl100k_base are "tokens-256-32".
func (s Strategy) UnitSet(tokenizer string) UnitSet {
	switch s.Kind {
	case FixedTokens:
		set := fmt.Sprintf("tokens-%d-%d", s.Size, s.Overlap)
		if tokenizer != "" && tokenizer != plainTokens {
			set += "-" + tokenizer
		}
		return UnitSet(set)
	case FixedChars:
		return UnitSet(fmt.Sprintf("chars-%d-%d", s.Size, s.Overlap))
	default:
		return SentenceSet
	}
}

// SectionCap is the most tokens a section may have before its middle layer is
// returned instead.
func (s Strategy) SectionCap() int {
	if s.Cap > 0 {
		return s.Cap
	}
	return DefaultCap
}

// String is the short form for people: "sentence_window k=3".
func (s Strategy) String() string {
	switch s.Kind {
	case SentenceWindow:
		if s.Extent != ExtentCount {
			return string(s.Kind) + " " + string(s.Extent)
		}
		return string(s.Kind) + " k=" + strconv.Itoa(s.K)
	case ParentSection:
		return string(s.Kind) + " cap=" + strconv.Itoa(s.SectionCap())
	default:
		return fmt.Sprintf("%s %d/%d", s.Kind, s.Size, s.Overlap)
	}
}

// Validate returns an Error with CodeInvalid that says what to change.
func (s Strategy) Validate() error {
	switch s.Kind {
	case SentenceWindow:
		if s.Extent != ExtentCount && s.Extent != ExtentParagraph && s.Extent != ExtentSection {
			return Errorf(CodeInvalid, "A sentence window reaches k sentences, a paragraph or a section; %q is none of them.", s.Extent)
		}
		if s.K < 0 || s.K > MaxWindow {
			return Errorf(CodeInvalid, "The window size k must be from 0 to %d, not %d.", MaxWindow, s.K)
		}
	case ParentSection:
		if s.Cap != 0 && (s.Cap < MinSectionCap || s.Cap > MaxSectionCap) {
			return Errorf(CodeInvalid, "The section cap must be from %d to %d tokens, not %d.", MinSectionCap, MaxSectionCap, s.Cap)
		}
	case FixedTokens, FixedChars:
		if s.Size < 1 || s.Size > MaxChunkSize {
			return Errorf(CodeInvalid, "The chunk size must be from 1 to %d, not %d.", MaxChunkSize, s.Size)
		}
		if s.Overlap < 0 || s.Overlap >= s.Size {
			return Errorf(CodeInvalid, "The overlap must be from 0 to %d (below the chunk size of %d), not %d.", s.Size-1, s.Size, s.Overlap)
		}
	default:
		return Errorf(CodeInvalid, "There is no strategy %q. Use sentence_window, parent_section, fixed_tokens or fixed_chars.", s.Kind)
	}
	return nil
}

// ParseWindow reads the k of a sentence window: a number, "paragraph" or
// "section".
func ParseWindow(k string) (Strategy, error) {
	s := Strategy{Kind: SentenceWindow}
	k = strings.TrimSpace(k)
	if e := Extent(k); e == ExtentParagraph || e == ExtentSection {
		s.Extent = e
		return s, nil
	}
	n, err := strconv.Atoi(k)
	if err != nil {
		return s, Errorf(CodeInvalid, "The window size must be a number, paragraph or section, not %q.", k)
	}
	s.K = n
	return s, s.Validate()
}

// DefaultDocTypes are the types a new database starts with.
func DefaultDocTypes() []DocType {
	types := []DocType{
		{Name: "runbook", Label: "Runbook", Strategy: Strategy{Kind: ParentSection, Cap: DefaultCap}},
		{Name: "guideline", Label: "Guideline", Strategy: Strategy{Kind: ParentSection, Cap: DefaultCap}},
		{Name: "design_doc", Label: "Design document", Strategy: Strategy{Kind: SentenceWindow, K: 3}},
		{Name: "note", Label: "Note", Strategy: Strategy{Kind: SentenceWindow, K: 2}},
		{Name: "reference", Label: "Reference", Strategy: Strategy{Kind: FixedTokens, Size: 256, Overlap: 32}},
	}
	for i := range types {
		types[i].Fusion = DefaultFusion(types[i].Name)
	}
	return types
}
