package source

import (
	"context"
	"path"
	"time"

	"passage/rag/extract/archive"
)

// packed is a ZIP file at a source. It stands for a folder.
type packed struct {
	uri      string
	stamp    string
	modified time.Time
	open     func() (*archive.Archive, error)
}

// unpack takes the documents of a ZIP file as items. One that cannot be opened
// keeps what is known of them.
func (l *Listing) unpack(z packed) bool {
	hashing, err := z.open()
	if err != nil {
		l.fault(z.uri, err).Below = true
		return true
	}
	reading, err := z.open() // what may be unpacked of an archive is limited, and hashing has used some of it
	if err != nil {
		l.fault(z.uri, err).Below = true
		return true
	}
	for _, n := range hashing.LeftOut {
		l.LeftOut += n
	}
	for i, e := range hashing.Entries {
		it := Item{
			URI: z.uri + "/" + e.Path, Name: path.Base(e.Path), Stamp: z.stamp, Modified: z.modified,
		}
		if !validURI(it.URI) {
			l.problem(clean(it.URI), nil, "A file in %s has a name that is too long or no text. Rename it.", path.Base(z.uri))
			continue
		}
		data, err := e.Read()
		if err != nil {
			l.fault(it.URI, err)
			continue
		}
		it.Size, it.Hash = int64(len(data)), hashOf(data)
		it.read = func(context.Context) ([]byte, error) {
			data, err := reading.Entries[i].Read()
			if err == nil && hashOf(data) != it.Hash {
				return nil, moved(it)
			}
			return data, err
		}
		if !l.add(it) {
			return false
		}
	}
	return true
}
