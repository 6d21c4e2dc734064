package source

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
)

// handful is how many documents a sync may always remove, whatever share that
// is: small sources are tidied up too.
const handful = 5

// State is what became of an item when it was last looked at.
type State string

// The states of what is known.
const (
	Live   State = "live"   // a document stands under the URI
	Twin   State = "twin"   // its bytes are those of a document under another URI, so it has none of its own
	Failed State = "failed" // the bytes cannot be taken in, after all tries
)

// Known is what was seen of an item at the last sync: its URI, and hash and
// stamp of the bytes that were taken in or failed then.
type Known struct {
	URI   string
	Hash  string
	Stamp string
	State State
	// Document says that a document stands under the URI although its newest
	// bytes failed: an older version is live. Live implies it.
	Document bool
}

func (k Known) document() bool { return k.Document || k.State == Live }

// Limits say how much a sync may remove.
type Limits struct {
	// Share is the share of the documents above which none is removed; 0 means
	// DefaultShare. A handful, 5, may always go.
	Share float64
	// Agreed is how many removals a person has agreed to. When no more than
	// these would go, they do, whatever their share.
	Agreed int
}

// Change is an item that is known under the same URI.
type Change struct {
	Known Known
	Item  Item
}

// Rename is a document whose bytes now stand under another URI. Its identity
// moves there: nothing has to be read again, unless Reread.
type Rename struct {
	From Known
	To   Item
	// Reread says that the ending changed too, so that the bytes must be read
	// as another format.
	Reread bool
	// Twin says that the item at To was known before as a twin; the document
	// takes its place.
	Twin bool
}

// Plan is what a sync has to do. Every known URI is in exactly one of Changed,
// Unchanged, Skipped, Renamed (as From, or as To of a twin), Gone, Withheld and
// Held, or in New when it is a twin that lost its document; every item in
// exactly one of New, Changed, Unchanged, Skipped and Renamed (as To). Each list
// is in the order of its (new) URIs.
type Plan struct {
	New       []Item
	Changed   []Change
	Unchanged []Change // the stamp of the item may be new; store it
	Renamed   []Rename
	Skipped   []Change // failed before, and its bytes are still those
	Gone      []Known
	Held      []Known // not looked at: a problem, or a listing that is not complete

	// Withheld would be gone but for the safety stop, and Stop says so in
	// sentences; else nil and "". A person agrees by Limits.Agreed with
	// len(Withheld) or more.
	Withheld []Known
	Stop     string
}

// Empty says that nothing is to be done.
func (p Plan) Empty() bool {
	return len(p.New) == 0 && len(p.Changed) == 0 && len(p.Renamed) == 0 && len(p.Gone) == 0 && len(p.Withheld) == 0
}

// MakePlan compares what is known with what is there. It is pure, and the
// order of what it is given does not matter.
func MakePlan(known []Known, l *Listing, limits Limits) Plan {
	items := make(map[string]Item, len(l.Items))
	for _, it := range l.Items {
		items[it.URI] = it
	}
	known = slices.Clone(known)
	slices.SortFunc(known, func(a, b Known) int {
		return cmp.Or(strings.Compare(a.URI, b.URI), strings.Compare(a.Hash, b.Hash), strings.Compare(string(a.State), string(b.State)))
	})
	var p Plan
	var twins []Change
	var missing []Known
	seen := make(map[string]bool, len(known))
	for _, k := range known {
		it, there := items[k.URI]
		switch {
		case seen[k.URI]:
			continue // a URI is known once
		case !there:
			missing = append(missing, k)
		case it.Hash != k.Hash:
			p.Changed = append(p.Changed, Change{k, it})
		case k.State == Failed:
			p.Skipped = append(p.Skipped, Change{k, it})
		case k.State == Twin:
			twins = append(twins, Change{k, it})
		default:
			p.Unchanged = append(p.Unchanged, Change{k, it})
		}
		seen[k.URI] = true
	}
	for _, it := range l.Items {
		if !seen[it.URI] {
			p.New = append(p.New, it)
		}
	}
	slices.SortFunc(p.New, func(a, b Item) int { return strings.Compare(a.URI, b.URI) })
	missing = p.hold(missing, l)
	missing = p.rename(missing, &twins)
	p.settle(twins)
	p.remove(missing, known, limits)
	return p
}

// hold keeps what could not be looked at and returns the rest.
func (p *Plan) hold(missing []Known, l *Listing) []Known {
	if !l.Complete {
		p.Held = missing
		return nil
	}
	at, below := map[string]bool{}, map[string]bool{}
	gone := map[string]bool{}
	for _, pr := range l.Problems {
		if pr.Gone {
			gone[pr.URI] = true
			continue
		}
		at[pr.URI] = true
		if pr.Below {
			below[pr.URI] = true
		}
	}
	return slices.DeleteFunc(missing, func(k Known) bool {
		held := at[k.URI] && !gone[k.URI] || below[""]
		for dir := k.URI; !held && strings.Contains(dir, "/"); {
			dir = dir[:strings.LastIndexByte(dir, '/')]
			held = below[dir]
		}
		if held {
			p.Held = append(p.Held, k)
		}
		return held
	})
}

// rename pairs what is missing with new items of the same bytes, and with twins,
// and returns what has no pair. Of several candidates one with the same name is
// preferred. A file without bytes is like no other.
func (p *Plan) rename(missing []Known, twins *[]Change) []Known {
	q := queues{taken: map[string]bool{}, by: map[string][]target{}}
	for _, it := range p.New {
		if it.Size > 0 {
			q.put(target{it, false})
		}
	}
	for _, t := range *twins {
		q.put(target{t.Item, true})
	}
	for _, sameName := range []bool{true, false} {
		missing = slices.DeleteFunc(missing, func(k Known) bool {
			r, ok := q.take(k, sameName)
			if ok {
				p.Renamed = append(p.Renamed, r)
			}
			return ok
		})
	}
	p.New = slices.DeleteFunc(p.New, func(it Item) bool { return q.taken[it.URI] })
	*twins = slices.DeleteFunc(*twins, func(t Change) bool { return q.taken[t.Item.URI] })
	slices.SortFunc(p.Renamed, func(a, b Rename) int { return strings.Compare(a.To.URI, b.To.URI) })
	return missing
}

// target is where a document may move: a new item, or that of a twin.
type target struct {
	it   Item
	twin bool
}

// queues hold the targets by their bytes, and by bytes and name.
type queues struct {
	by    map[string][]target
	taken map[string]bool
}

func (q *queues) put(t target) {
	for _, key := range []string{t.it.Hash, t.it.Hash + "\n" + path.Base(t.it.URI)} {
		q.by[key] = append(q.by[key], t)
	}
}

// take finds the target of a known item that is missing.
func (q *queues) take(k Known, sameName bool) (Rename, bool) {
	if k.State == Twin || k.Hash == "" {
		return Rename{}, false // it has nothing to move
	}
	key := k.Hash
	if sameName {
		key += "\n" + path.Base(k.URI)
	}
	for len(q.by[key]) > 0 && q.taken[q.by[key][0].it.URI] {
		q.by[key] = q.by[key][1:]
	}
	for _, t := range q.by[key] {
		reread := !strings.EqualFold(path.Ext(k.URI), path.Ext(t.it.URI))
		if q.taken[t.it.URI] || !k.document() && (t.twin || reread) {
			continue // without a document there is nothing to move, and as another format the bytes may be read
		}
		q.taken[t.it.URI] = true
		return Rename{From: k, To: t.it, Reread: reread, Twin: t.twin}, true
	}
	return Rename{}, false
}

// settle keeps the twins whose document is still there. The first of the others
// is read anew, as its bytes now have no document.
func (p *Plan) settle(twins []Change) {
	holds := map[string]bool{}
	for _, c := range p.Unchanged {
		holds[c.Item.Hash] = true
	}
	for _, r := range p.Renamed {
		holds[r.To.Hash] = true
	}
	for _, k := range p.Held {
		holds[k.Hash] = holds[k.Hash] || k.State == Live
	}
	for _, t := range twins {
		if holds[t.Item.Hash] {
			p.Unchanged = append(p.Unchanged, t)
			continue
		}
		p.New = append(p.New, t.Item)
		holds[t.Item.Hash] = true
	}
	slices.SortFunc(p.New, func(a, b Item) int { return strings.Compare(a.URI, b.URI) })
	slices.SortFunc(p.Unchanged, func(a, b Change) int { return strings.Compare(a.Item.URI, b.Item.URI) })
}

// remove lets go what is missing, unless that is suspiciously much.
func (p *Plan) remove(missing, known []Known, limits Limits) {
	total, lost := documents(known), documents(missing)
	share := cmp.Or(limits.Share, DefaultShare)
	if lost <= handful || float64(lost) <= share*float64(total) || lost <= limits.Agreed {
		p.Gone = missing
		return
	}
	p.Withheld = missing
	p.Stop = fmt.Sprintf("%d of %d documents are no longer at the source; that is more than the %.3g %% a sync may remove, so none was removed. "+
		"Check the address, the branch, the folder and the patterns. If the documents should really go, confirm their removal.", lost, total, 100*share)
}

// documents counts the documents, each URI once.
func documents(known []Known) int {
	n, last := 0, ""
	for i, k := range known {
		if k.document() && (i == 0 || k.URI != last) {
			n++
		}
		last = k.URI
	}
	return n
}
