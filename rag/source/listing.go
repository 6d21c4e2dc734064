package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"passage/rag"
	"passage/rag/extract"
)

// maxURI is the most bytes of a URI, as of an ingest.
const maxURI = 1_000

// MaxItems is the most files of one source. A listing that reaches it is not
// complete.
const MaxItems = 200_000

// Item is one file at the source.
type Item struct {
	// URI is its identity: the path below the root of the source with slashes,
	// after the prefix, or the address of a page. Unique in a listing, valid
	// UTF-8, at most 1,000 bytes.
	URI string
	// Name is the file name whose ending tells the format.
	Name string
	Size int64 // bytes
	// Hash says what the bytes are, after the name of the scheme:
	// "sha256:…" of the bytes, or "git:…", the id of a blob. Two items of one
	// source with the same hash have the same bytes.
	Hash string
	// Stamp says cheaply whether the bytes may have changed since the last
	// look; "" when nothing does.
	Stamp    string
	Link     string    // web address of exactly these bytes where there is one, http or https; else ""
	Revision string    // the commit; else ""
	Modified time.Time // when the source knows; else zero

	read func(ctx context.Context) ([]byte, error)
}

// Read gives the bytes. It works until the listing is closed. Errors:
// CodeInvalid, CodeTooLarge, CodeConflict when the file is no longer the one
// that was listed, and those of the file system.
func (it Item) Read(ctx context.Context) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return it.read(ctx)
}

// Problem is something that could not be looked at. It does not hold up the
// rest.
type Problem struct {
	URI     string // of the item, or of the folder when Below; "" with Below is the whole source
	Message string // a sentence for people
	Cause   error  // for the log; nil when the message says all

	// Below says that everything below URI is concerned.
	Below bool
	// Gone says that the item is not there any more, so that what is known of
	// it may go. Otherwise what is known stays.
	Gone bool
}

// Listing is what is at a source.
type Listing struct {
	Items    []Item    // in the order of their URIs
	Problems []Problem // in the order of their URIs
	Revision string    // the commit that was listed; else ""
	LeftOut  int       // files of kinds that are not read, hidden ones, and those the patterns leave out

	// Complete says that nothing is missing but what Problems name. Where it is
	// false, Incomplete says why in a sentence, and nothing may be taken for
	// vanished.
	Complete   bool
	Incomplete string

	closers []func() error
	most    int // items, see MaxItems
}

// Close gives back what the items are read from.
func (l *Listing) Close() error {
	var errs []error
	for _, c := range slices.Backward(l.closers) {
		errs = append(errs, c())
	}
	l.closers = nil
	return errors.Join(errs...)
}

// add takes an item, or says why it cannot be one. It returns false when the
// listing is full.
func (l *Listing) add(it Item) bool {
	switch {
	case len(l.Items) >= l.most:
		l.Incomplete = l.full()
		return false
	case it.Size > extract.MaxBytes:
		l.problem(it.URI, nil, "%s has %d MB; the limit for one file is %d MB. Divide it into several files.", path.Base(it.URI), it.Size>>20, extract.MaxBytes>>20)
	default:
		l.Items = append(l.Items, it)
	}
	return true
}

func (l *Listing) full() string {
	return fmt.Sprintf("The source has more than %d files. Divide it into several sources by folder or pattern; until then nothing is removed.", l.most)
}

func (l *Listing) problem(uri string, cause error, format string, args ...any) *Problem {
	l.Problems = append(l.Problems, Problem{URI: uri, Cause: cause, Message: rag.Errorf(rag.CodeInvalid, format, args...).Message})
	return &l.Problems[len(l.Problems)-1]
}

// fault takes an error as the problem of one item. An error with a sentence of
// its own says it.
func (l *Listing) fault(uri string, err error) *Problem {
	if code := rag.ErrorCode(err); code != rag.CodeInternal {
		return l.problem(uri, err, "%s", rag.ErrorMessage(err))
	}
	return l.problem(uri, err, "%s cannot be read.", path.Base(uri))
}

// finish sorts the listing, drops repeated URIs, and says that it is complete
// unless something was said before.
func (l *Listing) finish() *Listing {
	slices.SortStableFunc(l.Items, func(a, b Item) int { return strings.Compare(a.URI, b.URI) })
	l.Items = slices.CompactFunc(l.Items, func(a, b Item) bool { return a.URI == b.URI })
	slices.SortStableFunc(l.Problems, func(a, b Problem) int { return strings.Compare(a.URI, b.URI) })
	l.Complete = l.Incomplete == ""
	return l
}

// hashOf is the hash of bytes that no scheme of the source's own names.
func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// validURI says whether a path can be an identity.
func validURI(uri string) bool {
	return len(uri) <= maxURI && strings.ToValidUTF8(uri, "") == uri && !strings.ContainsFunc(uri, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// hidden says that a name is a system's own, not the author's: dot files, and
// Word's locks.
func hidden(name string) bool { return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "~$") }
