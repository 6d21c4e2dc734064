package handlers_test

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// memory is a store that keeps everything in maps and keeps to the scope.
type memory struct {
	mu       sync.Mutex
	next     int64
	spaces   []rag.Space
	docs     map[int64]rag.Document
	versions map[int64]*rag.Reading // by version
	chats    map[int64]rag.Chat
	messages map[int64]rag.Message
	fault    error // what every read returns when set
	now      time.Time
	reads    int // calls of Readings
}

func newMemory() *memory {
	return &memory{
		now: day.AddDate(0, 1, 0), docs: map[int64]rag.Document{}, versions: map[int64]*rag.Reading{}, chats: map[int64]rag.Chat{}, messages: map[int64]rag.Message{},
	}
}

func (m *memory) id() int64 {
	m.next++
	return m.next
}

func gone(what string) error {
	return rag.Errorf(rag.CodeNotFound, "There is no such %s.", what)
}

// put adds a document, or a version to the one with the same source.
func (m *memory) put(space, uri, docType, title, text string, date time.Time) rag.Document {
	s, _ := m.EnsureSpace(context.Background(), space)
	m.mu.Lock()
	defer m.mu.Unlock()
	doc := rag.Document{SpaceID: s.ID, Space: s.Name, SourceURI: uri}
	for _, d := range m.docs {
		if d.SpaceID == s.ID && d.SourceURI == uri {
			doc = d
		}
	}
	if doc.ID == 0 {
		doc.ID = m.id()
	}
	doc.Title, doc.DocType, doc.Date, doc.Updated = title, docType, date, date
	doc.Ordinal++
	doc.VersionID = m.id()
	doc.Units = strings.Count(text, "\n")
	m.docs[doc.ID] = doc
	m.versions[doc.VersionID] = &rag.Reading{Document: doc, Version: doc.VersionID, Text: text}
	return doc
}

func (m *memory) Chats(_ context.Context, scope rag.Scope, limit int) ([]rag.Chat, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []rag.Chat
	for _, c := range m.chats {
		if c.Owner == scope.User {
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b rag.Chat) int { return int(b.ID - a.ID) })
	return all[:min(limit, len(all))], m.fault
}

func (m *memory) Chat(_ context.Context, scope rag.Scope, id int64) (rag.Chat, []rag.Message, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c, ok := m.chats[id]
	if !ok || c.Owner != scope.User {
		return rag.Chat{}, nil, gone("conversation")
	}
	var all []rag.Message
	for _, msg := range m.messages {
		if msg.ChatID == id {
			all = append(all, m.resolve(msg, scope))
		}
	}
	slices.SortFunc(all, func(a, b rag.Message) int { return int(a.ID - b.ID) })
	return c, all, m.fault
}

func (m *memory) Message(_ context.Context, scope rag.Scope, id int64) (rag.Message, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	msg, ok := m.messages[id]
	if !ok || m.chats[msg.ChatID].Owner != scope.User {
		return rag.Message{}, gone("message")
	}
	return m.resolve(msg, scope), m.fault
}

// resolve fills citations in as the real store does.
func (m *memory) resolve(msg rag.Message, scope rag.Scope) rag.Message {
	msg.Citations = slices.Clone(msg.Citations)
	for i := range msg.Citations {
		c := &msg.Citations[i]
		doc, ok := m.docs[c.DocID]
		v := m.versions[c.VersionID]
		if !ok || v == nil || !scope.Reads(doc.SpaceID) {
			*c = rag.Citation{Number: c.Number, Used: c.Used, Span: c.Span, Deleted: true}
			continue
		}
		c.Text, c.Newer = c.Span.In(v.Text), doc.VersionID != c.VersionID
	}
	return msg
}

func (m *memory) Documents(_ context.Context, scope rag.Scope, f rag.DocumentFilter) ([]rag.Document, int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []rag.Document
	for _, d := range m.docs {
		fits := scope.Reads(d.SpaceID) && (f.Spaces == nil || slices.Contains(f.Spaces, d.SpaceID)) &&
			(f.DocTypes == nil || slices.Contains(f.DocTypes, d.DocType)) &&
			strings.Contains(strings.ToLower(d.Title+" "+d.SourceURI), strings.ToLower(f.Words)) &&
			(f.State == "" || (f.State == rag.DocumentStale) == d.Stale(m.now))
		if fits {
			all = append(all, d)
		}
	}
	total := len(all)
	key := func(d rag.Document) rag.DocumentPlace { return f.Order.Place(d) }
	compare := func(a, b rag.DocumentPlace) int {
		c := cmp.Or(strings.Compare(a.Key, b.Key), cmp.Compare(a.ID, b.ID))
		if f.Back != (f.Order == rag.ByChange) {
			return -c
		}
		return c
	}
	slices.SortFunc(all, func(a, b rag.Document) int { return compare(key(a), key(b)) })
	if f.From != nil {
		all = slices.DeleteFunc(all, func(d rag.Document) bool { return compare(key(d), *f.From) <= 0 })
	}
	all = all[:min(f.Limit, len(all))]
	if f.Back {
		slices.Reverse(all)
	}
	return all, total, m.fault
}

func (m *memory) Document(_ context.Context, scope rag.Scope, id int64) (rag.Document, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	d, ok := m.docs[id]
	if !ok || !scope.Reads(d.SpaceID) {
		return rag.Document{}, gone("document")
	}
	return d, m.fault
}

func (m *memory) DeleteDocument(ctx context.Context, scope rag.Scope, id int64) error {
	if _, err := m.Document(ctx, scope, id); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.docs, id)
	for v, r := range m.versions {
		if r.Document.ID == id {
			delete(m.versions, v)
		}
	}
	return nil
}

func (m *memory) Reading(ctx context.Context, scope rag.Scope, documentID, versionID int64) (*rag.Reading, error) {
	d, err := m.Document(ctx, scope, documentID)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if versionID == 0 {
		versionID = d.VersionID
	}
	r := m.versions[versionID]
	if r == nil || r.Document.ID != documentID {
		return nil, gone("version")
	}
	d.Title, d.DocType = r.Document.Title, r.Document.DocType // as they were in that version
	return &rag.Reading{Document: d, Version: versionID, Text: r.Text, Outline: r.Outline}, nil
}

func (m *memory) Readings(_ context.Context, scope rag.Scope, versionIDs []int64) (map[int64]*rag.Reading, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reads++
	found := map[int64]*rag.Reading{}
	for _, id := range versionIDs {
		if r := m.versions[id]; r != nil && scope.Reads(r.Document.SpaceID) {
			found[id] = r
		}
	}
	return found, m.fault
}

func (m *memory) NoteDocument(ctx context.Context, scope rag.Scope, id int64, note rag.DocumentNote) error {
	d, err := m.Document(ctx, scope, id)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	d.ReviewDue, d.SupersededBy, d.Successor = note.ReviewDue, "", rag.Successor{}
	for _, o := range m.docs {
		if note.SupersededBy != "" && o.SpaceID == d.SpaceID && (o.SourceURI == note.SupersededBy || o.Title == note.SupersededBy) {
			d.SupersededBy, d.Successor = o.SourceURI, rag.Successor{ID: o.ID, Title: o.Title}
		}
	}
	if d.SupersededBy == "" && note.SupersededBy != "" {
		return rag.Errorf(rag.CodeInvalid, "There is no document “%s” in this space.", note.SupersededBy)
	}
	m.docs[id] = d
	return nil
}

func (m *memory) Versions(ctx context.Context, scope rag.Scope, id int64, before, limit int) ([]rag.VersionInfo, error) {
	d, err := m.Document(ctx, scope, id)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []rag.VersionInfo
	for v, r := range m.versions {
		if r.Document.ID != id || before > 0 && r.Document.Ordinal >= before {
			continue
		}
		info := rag.VersionInfo{
			ID: v, Ordinal: r.Document.Ordinal, State: rag.VersionSuperseded, Title: r.Document.Title, DocType: r.Document.DocType,
			Created: r.Document.Date, LiveAt: r.Document.Date, Bytes: len(r.Text), Recipe: rag.Recipe{Extractor: "markdown/2", Splitter: "split/3"},
		}
		if v == d.VersionID {
			info.State = rag.VersionLive
		}
		all = append(all, info)
	}
	slices.SortFunc(all, func(a, b rag.VersionInfo) int { return b.Ordinal - a.Ordinal })
	return all[:min(limit, len(all))], nil
}

// Restore makes an earlier version the live one.
func (m *memory) Restore(_ context.Context, scope rag.Scope, id, version, live int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	d, r := m.docs[id], m.versions[version]
	switch {
	case r == nil || r.Document.ID != id || !scope.Reads(d.SpaceID):
		return gone("version")
	case d.VersionID != live:
		return rag.Errorf(rag.CodeConflict, "The document was changed meanwhile. Look at its versions again.")
	}
	d.VersionID, d.Ordinal, d.Title = version, r.Document.Ordinal, r.Document.Title
	m.docs[id] = d
	return nil
}

func (m *memory) DocTypes(context.Context) ([]rag.DocType, error) {
	return rag.DefaultDocTypes(), nil
}

func (m *memory) Spaces(_ context.Context, scope rag.Scope) ([]rag.Space, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []rag.Space
	for _, s := range m.spaces {
		if scope.Reads(s.ID) {
			all = append(all, s)
		}
	}
	return all, nil
}

func (m *memory) EnsureSpace(_ context.Context, name string) (rag.Space, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.spaces {
		if s.Name == name {
			return s, nil
		}
	}
	s := rag.Space{ID: m.id(), Name: name}
	m.spaces = append(m.spaces, s)
	return s, nil
}

// cite makes a citation of a document from the start of one text to the end of
// another, with marks.
func (m *memory) cite(t *testing.T, number int, doc rag.Document, from, to string, marks ...string) rag.Citation {
	t.Helper()
	text := m.versions[doc.VersionID].Text
	find := func(part string) rag.Span {
		at := strings.Index(text, part)
		require.GreaterOrEqual(t, at, 0, "the document holds %q", part)
		return rag.Span{Start: at, End: at + len(part)}
	}
	c := rag.Citation{
		Number: number, Used: true, DocID: doc.ID, VersionID: doc.VersionID, Title: doc.Title, SourceURI: doc.SourceURI,
		DocType: doc.DocType, Date: doc.Date, Span: find(from).Union(find(to)),
	}
	c.Text = c.Span.In(text)
	for _, mark := range marks {
		c.Marks = append(c.Marks, rag.Mark{Span: find(mark)})
	}
	return c
}
