package handlers

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"passage/rag"
)

// dates as people read them and as machines do; a date that is not known is "".
func dates(t time.Time) (people, machines string) {
	if t.IsZero() {
		return "", ""
	}
	return t.Format("2 January 2006"), t.Format(time.DateOnly)
}

func megabytes(n int64) string { return strconv.FormatInt(n>>20, 10) + " MB" }

// fileSize is the size of a file as people read it.
func fileSize(n int) string {
	switch {
	case n < 1_000:
		return count(n, "byte", "bytes")
	case n < 1_000_000:
		return strconv.FormatFloat(float64(n)/1e3, 'f', 1, 64) + " kB"
	default:
		return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) + " MB"
	}
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// idOf reads the id in the path. What is no id names nothing.
func idOf(c echo.Context) (int64, error) {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil || id < 1 {
		return 0, rag.Errorf(rag.CodeNotFound, "There is no such page.")
	}
	return id, nil
}

// outsideAddress gives the address and host of a source that is on the web, ""
// for one that is a file.
func outsideAddress(sourceURI string) (address, host string) {
	u, err := url.Parse(sourceURI)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return "", ""
	}
	return u.String(), u.Host
}

// placeURL is the address of a document at a passage: what is cited, and in it
// what matched, the best match first, which is where the page opens.
func placeURL(docID, versionID int64, cited rag.Span, marks []rag.Mark) string {
	q := url.Values{}
	q.Set("v", itoa(versionID))
	q.Set("start", strconv.Itoa(cited.Start))
	q.Set("end", strconv.Itoa(cited.End))
	marks = slices.Clone(marks)
	slices.SortStableFunc(marks, func(a, b rag.Mark) int { return cmp.Compare(b.Score, a.Score) })
	for _, m := range marks {
		q.Add("m", strconv.Itoa(m.Span.Start)+"-"+strconv.Itoa(m.Span.End))
	}
	return documentURL(docID) + "?" + q.Encode() + "#hit"
}

func documentURL(id int64) string { return "/documents/" + itoa(id) }

func chatURL(id int64) string { return "/chats/" + itoa(id) }
