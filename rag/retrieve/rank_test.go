package retrieve

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/analyze"
)

// library is an index in memory that scores by words as the store does, with
// profiles. Its vectors know nothing: what is tested is what the words tell.
type library struct {
	fakeIndex
	profiles map[int64]*rag.Profile
	hidden   map[int64]bool // versions that were written before there were profiles
	mu       sync.Mutex
	read     int // profiles read from the store
}

// newLibrary takes documents as "Title\n# Heading\nText…".
func newLibrary(t *testing.T, docs ...string) *library {
	t.Helper()
	l := &library{
		fakeIndex: fakeIndex{types: []rag.DocType{{Name: "runbook", Strategy: rag.Strategy{Kind: rag.SentenceWindow}, Fusion: rag.DefaultFusion("runbook")}}, readings: map[int64]*rag.Reading{}},
		profiles:  map[int64]*rag.Profile{}, hidden: map[int64]bool{},
	}
	for i, doc := range docs {
		title, text, _ := strings.Cut(doc, "\n")
		r := reading(t, int64(i+1), "runbook", text)
		r.Document.Title = title
		p := &rag.Profile{Version: r.Version, DocType: "runbook", Set: rag.SentenceSet}
		ofTitle := hashes(analyze.Terms(title))
		for _, u := range r.Outline.UnitsOf(rag.SentenceSet) {
			above := hashes(analyze.Terms(r.Outline.Sections[u.Section].Heading))
			terms := append(append(append([]uint32{}, ofTitle...), above...), hashes(analyze.Terms(u.Span.In(r.Text)))...)
			p.Units = append(p.Units, rag.ProfileUnit{
				ID: u.ID, Span: u.Span, Section: u.Section, Kind: u.Kind, Procedure: u.Procedure >= 0,
				Title: len(ofTitle), Lead: len(ofTitle) + len(above), Terms: terms,
			})
		}
		l.readings[r.Version], l.profiles[r.Version] = r, p
	}
	return l
}

// DocTypes has the weights of the program, which the other tests leave out.
func (l *library) DocTypes(context.Context) ([]rag.DocType, error) { return l.types, nil }

func (l *library) units(term string) (holding, all int) {
	h := rag.TermHash(term)
	for _, p := range l.profiles {
		for i := range p.Units {
			all++
			for _, t := range p.Units[i].Terms {
				if t == h {
					holding++
					break
				}
			}
		}
	}
	return holding, all
}

func (l *library) Weights(_ context.Context, _ rag.Scope, _ rag.Filter, _ rag.UnitSet, terms []string) ([]rag.TermWeight, error) {
	weights := make([]rag.TermWeight, len(terms))
	for i, t := range terms {
		n, all := l.units(t)
		weights[i] = rag.TermWeight{Term: t, Units: n, Of: all, IDF: spread{float64(n), float64(all)}.idf()}
	}
	return weights, nil
}

// LexicalWeighted gives one unit of each document that holds a term.
func (l *library) LexicalWeighted(_ context.Context, _ rag.Scope, _ rag.Filter, _ rag.UnitSet, terms []rag.SearchTerm, _ int) ([]rag.Hit, error) {
	var hits []rag.Hit
	for v := int64(1); v <= int64(len(l.profiles)); v++ {
		for i, u := range l.profiles[v].Units {
			held := 0.0
			for _, t := range terms {
				for _, h := range u.Terms {
					if h == rag.TermHash(t.Term) {
						held++
						break
					}
				}
			}
			if held > 0 {
				hits = append(hits, rag.Hit{UnitID: u.ID, VersionID: v, DocType: "runbook", Set: rag.SentenceSet, Ordinal: i, Span: u.Span, BM25: held})
				break
			}
		}
	}
	return hits, nil
}

func (l *library) Profiles(_ context.Context, _ rag.Scope, _ rag.UnitSet, ids []int64) (map[int64]*rag.Profile, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	found := map[int64]*rag.Profile{}
	for _, id := range ids {
		if p := l.profiles[id]; p != nil && !l.hidden[id] {
			found[id] = p
			l.read++
		}
	}
	return found, nil
}

func (l *library) ask(t *testing.T, question string, f *rag.Fusion) Result {
	t.Helper()
	ret := New(l, fakeEmbedder{}, words{}, "")
	ret.calibrate, ret.keep = never, 0
	res, err := ret.Retrieve(t.Context(), Request{Scope: rag.Scope{All: true}, Question: question, Fusion: f, Exact: true, BudgetTokens: -1, Top: 20})
	require.NoError(t, err)
	require.NotEmpty(t, res.Passages)
	return res
}

// Each sign alone finds what only it can see.
func TestEachSignSpeaks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, question, want string
		fusion               rag.Fusion
		docs                 []string
	}{
		{
			"words of the unit", "broker certificate", "Rotate the broker certificate.",
			rag.Fusion{Words: 1},
			[]string{"A\nThe broker runs.\n", "B\nRotate the broker certificate.\n"},
		},
		{
			"words of its neighbours", "broker certificate expiry", "Certificate.",
			rag.Fusion{Window: 1},
			[]string{"A\nThe broker runs.\nIt is fine.\nIt is good.\nIt is old.\n", "B\nExpiry is near.\nCertificate.\nThe broker waits.\n"},
		},
		{
			"words of the whole document", "broker certificate expiry", "Broker one.",
			rag.Fusion{Document: 1, Words: 0.001},
			[]string{"A\nBroker zero.\nFiller here.\n", "B\nBroker one.\nFiller.\nFiller.\nFiller.\nFiller.\nCertificate two.\nExpiry three.\n"},
		},
		{
			"the title", "kafka broker down", "It failed.",
			rag.Fusion{Title: 1, Words: 0.001},
			[]string{"Redis\nThe kafka broker is down.\n", "Kafka broker down\nIt failed.\n"},
		},
		{
			"the heading that is asked for", "What causes lag?", "Too much load.",
			rag.Fusion{Aspect: 1, Words: 0.001},
			[]string{"Lag\n# Symptoms\nGraphs rise.\n# Causes\nToo much load.\n# Treatment\nAdd hosts.\n"},
		},
		{
			"a procedure when the question asks how", "How do I fix lag?", "1. Add hosts.",
			rag.Fusion{Steps: 1, Words: 0.001},
			[]string{"Lag\nLag is bad, lag is slow.\n1. Add hosts.\n2. Wait.\n"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			res := newLibrary(t, tt.docs...).ask(t, tt.question, &tt.fusion)
			require.Contains(t, res.Passages[0].Text, tt.want, "%+v", res.Trace.Hits)
		})
	}
}

// A dose of the drug that is asked for comes before a better worded one of
// another drug.
func TestAnotherSubjectComesLater(t *testing.T) {
	t.Parallel()
	l := newLibrary(t,
		"Kestromycin\n# Children\nThe dose in children is 7.5 mg/kg.\n",
		"Plenvarol\n# Adults\nThe dose is 5 mg.\n"+strings.Repeat("It is so.\n", 30),
		"Other\nThe bed.\n", "More\nThe ward.\n")
	f := rag.DefaultFusion("guideline")
	f.Title = 0 // by itself
	require.Equal(t, int64(2), l.ask(t, "dose of Plenvarol in children", &f).Passages[0].Version)
	f.Subject = 0
	require.Equal(t, int64(1), l.ask(t, "dose of Plenvarol in children", &f).Passages[0].Version)
}

// No weight above 0 turns an answer that has more of every sign into a worse one.
func TestMoreOfEverySignNeverRanksLower(t *testing.T) {
	t.Parallel()
	l := newLibrary(t,
		"Redis\n# Notes\nThe certificate.\n",
		"Kafka certificates\n# Rotate\nHow to rotate the broker certificate.\n1. Rotate the broker certificate.\n2. Check the broker certificate.\n")
	for _, f := range []rag.Fusion{rag.DefaultFusion("runbook"), rag.DefaultFusion("note"), {Words: 1}, {Window: 1}, {Document: 1}, {Title: 1, Words: 0.1}} {
		res := l.ask(t, "How do I rotate the kafka broker certificate?", &f)
		require.Equal(t, int64(2), res.Passages[0].Version, "%+v", f)
	}
}

// Units that no leg gave are added from the documents with the most words.
func TestUnitsOfGoodDocumentsAreAdded(t *testing.T) {
	t.Parallel()
	l := newLibrary(t, "A\nBroker.\nOther words.\nThe certificate of the broker.\n")
	res := l.ask(t, "broker certificate", nil)
	require.Len(t, res.Trace.Hits, 3, "the leg gave the first unit only")
	require.Equal(t, int64(1002), res.Trace.Hits[0].Unit)
}

// Versions with and without a profile take part together, and many of them.
func TestVersionsWithoutProfileTakePart(t *testing.T) {
	t.Parallel()
	docs := make([]string, 0, 100)
	for i := range 100 {
		docs = append(docs, fmt.Sprintf("Doc %d\nThe broker number%d.\n", i, i))
	}
	l := newLibrary(t, docs...)
	for v := int64(1); v <= 100; v += 2 {
		l.hidden[v] = true
	}
	res := l.ask(t, "broker number42", nil)
	require.Equal(t, "The broker number42.", res.Passages[0].Text)
	for _, h := range res.Trace.Hits {
		require.False(t, math.IsNaN(h.Score))
	}
}

// The same question gives the same order and scores, also beside others, and a
// profile is read once.
func TestRankingIsRepeatable(t *testing.T) {
	t.Parallel()
	l := newLibrary(t, "A\nBroker certificate one.\nTwo.\n", "B\nThe certificate.\nBroker.\n", "C\nBroker.\n")
	ret := New(l, fakeEmbedder{}, words{}, "")
	ret.calibrate = never
	ask := func() []TraceHit {
		res, err := ret.Retrieve(t.Context(), Request{Scope: rag.Scope{All: true}, Question: "broker certificate"})
		if err != nil {
			return nil
		}
		return res.Trace.Hits
	}
	want := ask()
	require.NotEmpty(t, want)
	var wg sync.WaitGroup
	got := make([][]TraceHit, 16)
	for i := range got {
		wg.Go(func() { got[i] = ask() })
	}
	wg.Wait()
	for _, hits := range got {
		require.Equal(t, want, hits)
	}
	require.Equal(t, 3, l.read)
}

func TestCuesStandAtTheStartOfWords(t *testing.T) {
	t.Parallel()
	for question, how := range map[string]bool{
		"How do I rotate it?": true, "Walk me through": true, "Fix the broker": true,
		"Which prefix has it?": false, "Is it secure?": false, "What is a misstep?": false,
	} {
		require.Equal(t, how, asksHow(question), question)
	}
	require.Nil(t, asked("Is it secure in the pharmacy?"))
	require.NotNil(t, asked("What causes it?"))
	require.NotEqual(t, asked("What causes it?"), asked("How is it treated?"))
}

// A word weighs the same wherever it stands: common in one set and absent from
// another, it is common.
func TestWordsAreWeighedOverAllSets(t *testing.T) {
	t.Parallel()
	a, b := spread{900, 1_000}, spread{0, 10}
	both := spread{a.units + b.units, a.of + b.of}
	require.InDelta(t, a.idf(), both.idf(), 0.02)
}

func TestRanksAloneAreReciprocal(t *testing.T) {
	t.Parallel()
	const chunks = rag.UnitSet("tokens-256-32")
	dense := []rag.Hit{{UnitID: 1, Cosine: 0.3}, {UnitID: 2, Cosine: 0.2}, {UnitID: 3, Set: chunks, Cosine: 0.9}}
	lexical := []rag.Hit{{UnitID: 2, BM25: 5}, {UnitID: 3, Set: chunks, BM25: 1}}
	possible := map[rag.UnitSet]float64{"": 10, chunks: 10}
	hits := rankOnly(fuse(dense, lexical, possible), dense, lexical, possible)
	require.Equal(t, []int64{3, 2, 1}, []int64{hits[0].UnitID, hits[1].UnitID, hits[2].UnitID})
	require.InDelta(t, 1/61.0+1/62.0, hits[0].Score, 1e-12)
	require.InDelta(t, 1/63.0+1/61.0, hits[1].Score, 1e-12)
	require.InDelta(t, 1/62.0, hits[2].Score, 1e-12)
}

// T59: scores of ranks are small, and no limit is held against them.
func TestRanksAloneLeaveNothingOut(t *testing.T) {
	t.Parallel()
	l := newLibrary(t, "Kafka broker certificate\nRotate the kafka broker certificate.\n", "Other\nA broker of shares.\n", "More\nOf shares.\n")
	ret := New(l, fakeEmbedder{}, words{}, "")
	require.InDelta(t, keepShare, ret.keep, 0)
	res, err := ret.Retrieve(t.Context(), Request{
		Scope: rag.Scope{All: true}, Question: "rotate kafka broker certificate", Fusion: &rag.Fusion{RankOnly: true},
	})
	require.NoError(t, err)
	require.False(t, res.Refused)
	versions := map[int64]bool{}
	for _, p := range res.Passages {
		require.Less(t, p.Score, 0.04)
		versions[p.Version] = true
	}
	require.Contains(t, versions, int64(2), "what holds only one of the words is kept")
}

// The evidence does not change with the weights: the calibration fits no others.
func TestEvidenceHasWeightsOfItsOwn(t *testing.T) {
	t.Parallel()
	var lines strings.Builder
	for i := range 30 {
		fmt.Fprintf(&lines, "Rotate number %d.\n", i)
	}
	l := newLibrary(t, "Kafka broker certificate\nRotate the kafka broker certificate.\n", "Rotate\n"+lines.String())
	ret := New(l, fakeEmbedder{}, words{}, "")
	ask := func(f *rag.Fusion) Result {
		res, err := ret.Retrieve(t.Context(), Request{Scope: rag.Scope{All: true}, Question: "rotate kafka broker certificate", Fusion: f})
		require.NoError(t, err)
		return res
	}
	as, other := ask(nil), ask(&rag.Fusion{Title: 1})
	require.Equal(t, as.Trace.Evidence, other.Trace.Evidence)
	require.NotEqual(t, as.Trace.Hits[0].Score, other.Trace.Hits[0].Score)
}

func TestPassagesFarBehindAreLeftOut(t *testing.T) {
	t.Parallel()
	l := newLibrary(t, "Kafka broker certificate\nRotate the kafka broker certificate.\n", "Other\nA broker of shares.\n", "More\nOf shares.\n")
	ret := New(l, fakeEmbedder{}, words{}, "")
	ret.calibrate = never
	res, err := ret.Retrieve(t.Context(), Request{Scope: rag.Scope{All: true}, Question: "rotate kafka broker certificate"})
	require.NoError(t, err)
	require.Len(t, res.Passages, 1)
	require.Equal(t, whyFar, res.Trace.Cut[len(res.Trace.Cut)-1].Why)
}
