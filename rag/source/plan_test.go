package source_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag/source"
)

func listing(items ...source.Item) *source.Listing {
	return &source.Listing{Items: items, Complete: true}
}

func item(uri, hash string) source.Item {
	return source.Item{URI: uri, Hash: hash, Size: 1, Name: uri}
}

func live(uri, hash string) source.Known {
	return source.Known{URI: uri, Hash: hash, State: source.Live}
}

// short writes a plan in a line: "+" new, "~" changed, "=" unchanged, ">"
// renamed, "!" skipped, "-" gone, "?" held, "#" withheld.
func short(p source.Plan) string {
	var out []string
	for _, it := range p.New {
		out = append(out, "+"+it.URI)
	}
	for _, c := range p.Changed {
		out = append(out, "~"+c.Item.URI)
	}
	for _, c := range p.Unchanged {
		out = append(out, "="+c.Item.URI)
	}
	for _, r := range p.Renamed {
		s := r.From.URI + ">" + r.To.URI
		if r.Reread {
			s += "*"
		}
		out = append(out, s)
	}
	for _, c := range p.Skipped {
		out = append(out, "!"+c.Item.URI)
	}
	for mark, list := range map[string][]source.Known{"-": p.Gone, "?": p.Held, "#": p.Withheld} {
		for _, k := range list {
			out = append(out, mark+k.URI)
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func TestPlan(t *testing.T) {
	t.Parallel()
	failed := func(uri, hash string) source.Known { return source.Known{URI: uri, Hash: hash, State: source.Failed} }
	twin := func(uri, hash string) source.Known { return source.Known{URI: uri, Hash: hash, State: source.Twin} }
	cases := []struct {
		name  string
		known []source.Known
		items []source.Item
		want  string
	}{
		{"nothing", nil, nil, ""},
		{"first sync", nil, []source.Item{item("b", "2"), item("a", "1")}, "+a +b"},
		{"no change", []source.Known{live("a", "1")}, []source.Item{item("a", "1")}, "=a"},
		{"new bytes", []source.Known{live("a", "1")}, []source.Item{item("a", "2")}, "~a"},
		{"T43: removed at the source", []source.Known{live("a", "1"), live("b", "2")}, []source.Item{item("a", "1")}, "-b =a"},
		{"T43: the last file removed", []source.Known{live("a", "1")}, nil, "-a"},
		{"renamed", []source.Known{live("a.md", "1")}, []source.Item{item("x/b.md", "1")}, "a.md>x/b.md"},
		{"renamed with another ending", []source.Known{live("a.txt", "1")}, []source.Item{item("a.md", "1")}, "a.txt>a.md*"},
		{"renamed and changed is new", []source.Known{live("a", "1")}, []source.Item{item("b", "2")}, "+b -a"},
		{"a folder renamed, same bytes inside", []source.Known{live("a/x", "1"), live("a/y", "1")}, []source.Item{item("b/y", "1"), item("b/x", "1")}, "a/x>b/x a/y>b/y"},
		{"the same name is preferred", []source.Known{live("a/x", "1")}, []source.Item{item("a/y", "1"), item("z/x", "1")}, "+a/y a/x>z/x"},
		{"a copy is new", []source.Known{live("a", "1")}, []source.Item{item("a", "1"), item("b", "1")}, "+b =a"},
		{"moved over another", []source.Known{live("a", "1"), live("b", "2")}, []source.Item{item("b", "1")}, "-a ~b"},
		{"exchanged", []source.Known{live("a", "1"), live("b", "2")}, []source.Item{item("a", "2"), item("b", "1")}, "~a ~b"},
		{"T45: failed, same bytes", []source.Known{failed("a", "1")}, []source.Item{item("a", "1")}, "!a"},
		{"T45: failed, new bytes", []source.Known{failed("a", "1")}, []source.Item{item("a", "2")}, "~a"},
		{"T45: failed, renamed", []source.Known{failed("a.md", "1")}, []source.Item{item("b.md", "1")}, "a.md>b.md"},
		{"failed, another ending may help", []source.Known{failed("a.md", "1")}, []source.Item{item("a.txt", "1")}, "+a.txt -a.md"},
		{"failed, gone", []source.Known{failed("a", "1")}, nil, "-a"},
		{"a twin stays", []source.Known{live("a", "1"), twin("b", "1")}, []source.Item{item("a", "1"), item("b", "1")}, "=a =b"},
		{"a twin inherits the document", []source.Known{live("a", "1"), twin("b", "1")}, []source.Item{item("b", "1")}, "a>b"},
		{"a twin whose document changed is read", []source.Known{live("a", "1"), twin("b", "1"), twin("c", "1")}, []source.Item{item("a", "2"), item("b", "1"), item("c", "1")}, "+b =c ~a"},
		{"a twin goes, the document stays", []source.Known{live("a", "1"), twin("b", "1")}, []source.Item{item("a", "1")}, "-b =a"},
		{"a failed file gives a twin nothing", []source.Known{failed("a", "1"), twin("b", "1")}, []source.Item{item("b", "1")}, "+b -a"},
		{"empty files are like no other", []source.Known{live("a", "0")}, []source.Item{{URI: "b", Hash: "0"}}, "+b -a"},
		{"known twice", []source.Known{live("a", "1"), live("a", "1")}, []source.Item{item("a", "1")}, "=a"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, short(source.MakePlan(c.known, listing(c.items...), source.Limits{})))
		})
	}
}

func TestPlanKeepsWhatCouldNotBeLookedAt(t *testing.T) {
	t.Parallel()
	known := []source.Known{live("a", "1"), live("d/b", "2"), live("d/e/c", "3"), live("dd", "4")}
	for _, c := range []struct {
		name    string
		listing source.Listing
		want    string
	}{
		{"an incomplete listing", source.Listing{Incomplete: "why"}, "?a ?d/b ?d/e/c ?dd"},
		{"a file", source.Listing{Complete: true, Problems: []source.Problem{{URI: "d/b"}}}, "-a -d/e/c -dd ?d/b"},
		{"a folder", source.Listing{Complete: true, Problems: []source.Problem{{URI: "d", Below: true}}}, "-a -dd ?d/b ?d/e/c"},
		{"everything", source.Listing{Complete: true, Problems: []source.Problem{{Below: true}}}, "?a ?d/b ?d/e/c ?dd"},
		{"a name that is a folder's is not the folder", source.Listing{Complete: true, Problems: []source.Problem{{URI: "d"}}}, "-a -d/b -d/e/c -dd"},
		{"said to be gone", source.Listing{Complete: true, Problems: []source.Problem{{URI: "a", Gone: true}, {URI: "d", Below: true}}}, "-a -dd ?d/b ?d/e/c"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, short(source.MakePlan(known, &c.listing, source.Limits{})))
		})
	}
	incomplete := source.Listing{Items: []source.Item{item("new", "1")}, Incomplete: "why"}
	require.Equal(t, "+new ?a ?d/b ?d/e/c ?dd", short(source.MakePlan(known, &incomplete, source.Limits{})),
		"what is held may still be there, so nothing is renamed")
}

func TestSafetyStop(t *testing.T) {
	t.Parallel()
	known := make([]source.Known, 0, 30)
	var there []source.Item
	for i := range 20 {
		k := live(fmt.Sprintf("f%02d", i), strconv.Itoa(i))
		known, there = append(known, k), append(there, item(k.URI, k.Hash))
	}
	for i := range 10 { // these have no documents and do not count
		known = append(known, source.Known{URI: fmt.Sprintf("x%d", i), Hash: "x", State: source.Failed})
	}
	for _, c := range []struct {
		name   string
		left   int
		limits source.Limits
		gone   int
	}{
		{"30 of 100 may go", 14, source.Limits{}, 6},
		{"more may not", 13, source.Limits{}, 0},
		{"nothing is there", 0, source.Limits{}, 0},
		{"a handful may go whatever the share", 15, source.Limits{Share: 0.01}, 5},
		{"more than a handful may not", 14, source.Limits{Share: 0.01}, 0},
		{"all may go by the share", 0, source.Limits{Share: 1}, 20},
		{"agreed", 10, source.Limits{Agreed: 10}, 10},
		{"agreed to fewer", 9, source.Limits{Agreed: 10}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := source.MakePlan(known, listing(there[:c.left]...), c.limits)
			if c.gone > 0 {
				require.Len(t, p.Gone, c.gone+10)
				require.Empty(t, p.Stop)
				return
			}
			require.Empty(t, p.Gone)
			require.Len(t, p.Withheld, 20-c.left+10)
			require.Contains(t, p.Stop, fmt.Sprintf("%d of 20 documents", 20-c.left))
			require.Contains(t, p.Stop, "confirm")
		})
	}
}

// apply is what a store does with a plan: what is known afterwards. outcome
// says how the reading of an item ends.
func apply(t *testing.T, known []source.Known, p source.Plan, outcome func(source.Item) source.State) []source.Known {
	t.Helper()
	after := map[string]source.Known{}
	for _, k := range known {
		after[k.URI] = k
	}
	for _, r := range p.Renamed {
		k := r.From
		delete(after, k.URI)
		k.URI, k.Stamp = r.To.URI, r.To.Stamp
		if r.Twin {
			require.Equal(t, source.Twin, after[k.URI].State)
		} else {
			require.NotContains(t, after, k.URI)
		}
		after[k.URI] = k
	}
	for _, k := range p.Gone {
		require.Contains(t, after, k.URI)
		delete(after, k.URI)
	}
	read := func(it source.Item, document bool) {
		state := outcome(it)
		if state != source.Failed {
			for _, k := range after {
				if k.Hash == it.Hash && k.State == source.Live && k.URI != it.URI {
					state = source.Twin
				}
			}
		}
		after[it.URI] = source.Known{URI: it.URI, Hash: it.Hash, Stamp: it.Stamp, State: state, Document: document && state == source.Failed}
	}
	for _, c := range p.Changed {
		read(c.Item, c.Known.State == source.Live || c.Known.Document)
	}
	for _, it := range p.New {
		read(it, false)
	}
	// An ingest looks a second time at twins of documents that changed meanwhile.
	for _, c := range slices.Concat(p.Changed, changes(p.New)) {
		if after[c.Item.URI].State == source.Twin {
			read(c.Item, false)
		}
	}
	out := slices.Collect(maps.Values(after))
	slices.SortFunc(out, func(a, b source.Known) int { return strings.Compare(a.URI, b.URI) })
	return out
}

func changes(items []source.Item) []source.Change {
	out := make([]source.Change, len(items))
	for i, it := range items {
		out[i].Item = it
	}
	return out
}

// After a plan was carried out, what is known is what was listed, and a second
// look finds nothing to do but what a twin still has to get.
func TestPlanLeadsToTheListing(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 43))
	for round := range 150 {
		var known []source.Known
		for step := range 6 {
			l := randomListing(rng)
			before := slices.Clone(known)
			limits := source.Limits{Share: []float64{0, 0.1, 1}[rng.IntN(3)], Agreed: rng.IntN(8)}
			p := source.MakePlan(known, l, limits)
			requirePartition(t, known, l, p)

			mixed := *l
			mixed.Items, mixed.Problems = slices.Clone(l.Items), slices.Clone(l.Problems)
			shuffled := slices.Clone(known)
			rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
			rng.Shuffle(len(mixed.Items), func(i, j int) { mixed.Items[i], mixed.Items[j] = mixed.Items[j], mixed.Items[i] })
			rng.Shuffle(len(mixed.Problems), func(i, j int) { mixed.Problems[i], mixed.Problems[j] = mixed.Problems[j], mixed.Problems[i] })
			require.Equal(t, p, source.MakePlan(shuffled, &mixed, limits), "the order matters")
			require.Equal(t, before, known, "what was given was changed")

			outcome := func(it source.Item) source.State {
				if it.Hash == "h0" || it.Size == 0 { // some bytes can never be read
					return source.Failed
				}
				return source.Live
			}
			known = apply(t, known, p, outcome)
			requireListed(t, known, l, p, fmt.Sprintf("round %d step %d: %s", round, step, short(p)))
		}
	}
}

func randomListing(rng *rand.Rand) *source.Listing {
	l := &source.Listing{Complete: rng.IntN(6) > 0}
	for i := range 12 {
		uri := fmt.Sprintf("%s/%d%s", []string{"a", "b", "a/c"}[i%3], i/3, []string{".md", ".txt"}[rng.IntN(2)])
		switch rng.IntN(5) {
		case 0, 1:
		case 2:
			if rng.IntN(4) == 0 {
				l.Problems = append(l.Problems, source.Problem{URI: []string{uri, "a/c", "b"}[rng.IntN(3)], Below: true, Gone: rng.IntN(4) == 0})
			}
		default:
			l.Items = append(l.Items, source.Item{URI: uri, Hash: fmt.Sprintf("h%d", rng.IntN(7)), Size: 1, Stamp: strconv.Itoa(rng.IntN(99))})
		}
	}
	return l
}

// requirePartition checks that nothing is forgotten and nothing is done twice.
func requirePartition(t *testing.T, known []source.Known, l *source.Listing, p source.Plan) {
	t.Helper()
	var items, from []string
	for _, it := range p.New {
		items = append(items, it.URI)
		if slices.ContainsFunc(known, func(k source.Known) bool { return k.URI == it.URI }) {
			from = append(from, it.URI)
		}
	}
	for _, list := range [][]source.Change{p.Changed, p.Unchanged, p.Skipped} {
		for _, c := range list {
			require.Equal(t, c.Known.URI, c.Item.URI)
			items, from = append(items, c.Item.URI), append(from, c.Known.URI)
		}
	}
	for _, r := range p.Renamed {
		require.Equal(t, r.From.Hash, r.To.Hash)
		items, from = append(items, r.To.URI), append(from, r.From.URI)
		if r.Twin {
			from = append(from, r.To.URI)
		}
	}
	for _, list := range [][]source.Known{p.Gone, p.Held, p.Withheld} {
		for _, k := range list {
			from = append(from, k.URI)
			require.False(t, slices.ContainsFunc(l.Items, func(it source.Item) bool { return it.URI == k.URI }), "%s is there", k.URI)
		}
	}
	slices.Sort(items)
	slices.Sort(from)
	var wantItems, wantFrom []string
	for _, it := range l.Items {
		wantItems = append(wantItems, it.URI)
	}
	for _, k := range known {
		wantFrom = append(wantFrom, k.URI)
	}
	slices.Sort(wantItems)
	slices.Sort(wantFrom)
	require.Equal(t, wantItems, items, short(p))
	require.Equal(t, wantFrom, from, short(p))
	require.False(t, len(p.Gone) > 0 && len(p.Withheld) > 0)
	require.Equal(t, len(p.Withheld) > 0, p.Stop != "")
	require.False(t, !l.Complete && len(p.Gone)+len(p.Renamed)+len(p.Withheld) > 0, "removed by an incomplete listing")
}

// requireListed checks that what is known is what was listed and what was kept
// with care, and that all bytes that can be read have a document.
func requireListed(t *testing.T, known []source.Known, l *source.Listing, p source.Plan, msg string) {
	t.Helper()
	var want, got []string
	for _, it := range l.Items {
		want = append(want, it.URI+" "+it.Hash)
	}
	documents := map[string]bool{}
	for _, k := range slices.Concat(p.Held, p.Withheld) {
		want = append(want, k.URI+" "+k.Hash)
	}
	for _, k := range known {
		got = append(got, k.URI+" "+k.Hash)
		documents[k.Hash] = documents[k.Hash] || k.State == source.Live
	}
	slices.Sort(want)
	slices.Sort(got)
	require.Equal(t, want, got, msg)
	listed := map[string]bool{}
	for _, it := range l.Items {
		listed[it.URI] = true
	}
	for _, k := range known {
		if listed[k.URI] && k.State == source.Twin {
			require.True(t, documents[k.Hash], "%s: %s has lost its document", msg, k.URI)
		}
	}
}
