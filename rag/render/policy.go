package render

import (
	"regexp"

	"github.com/microcosm-cc/bluemonday"
)

// The only values that pass.
var (
	wholeNumber = regexp.MustCompile(`^[0-9]{1,9}$`)
	codeClass   = regexp.MustCompile(`^language-[\w+#.-]{1,40}$`)
	blockClass  = regexp.MustCompile(`^(cited|cut|raw|plain|table|counted|gap|cut cited|raw cited|plain cited|table cited|counted cited)$`)
	inlineClass = regexp.MustCompile(`^(link|image|cite|marker|gap)$`)
	alignment   = regexp.MustCompile(`^(left|right|center)$`)
	direction   = regexp.MustCompile(`^(auto|ltr)$`)
	headingID   = regexp.MustCompile(`^h-[\p{L}\p{N}_-]{1,100}$`)
	hitID       = regexp.MustCompile(`^` + hit + `$`)
	linkTarget  = regexp.MustCompile(`^(https?://|mailto:|#[hs]-)`)
	linkRel     = regexp.MustCompile(`^` + outside + `$`)
	zero        = regexp.MustCompile(`^0$`)
	region      = regexp.MustCompile(`^region$`)
)

const (
	// hit is the id of the first mark, and the fragment of links to it.
	hit = "hit"
	// outside is the rel of every link that leaves the program.
	outside = "noopener noreferrer nofollow"
)

// policy lets through what the writers of this package emit and nothing else.
// The writers are built not to need it; it is the second lock on the door.
func policy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "hr", "em", "strong", "del", "sub", "sup", "blockquote", "ul", "ol", "li",
		"pre", "code", "table", "thead", "tbody", "tr", "th", "td", "h1", "h2", "h3", "h4", "h5", "h6")
	p.AllowElements("mark", "div", "span")
	p.AllowAttrs("dir").Matching(direction).OnElements("p", "li", "blockquote", "th", "td", "pre", "h1", "h2", "h3", "h4", "h5", "h6")
	p.AllowAttrs("class").Matching(blockClass).OnElements("p", "li", "blockquote", "pre", "table", "tr", "div", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6")
	p.AllowAttrs("class").Matching(codeClass).OnElements("code")
	p.AllowAttrs("class").Matching(inlineClass).OnElements("span", "a")
	p.AllowAttrs("id").Matching(headingID).OnElements("h1", "h2", "h3", "h4", "h5", "h6")
	p.AllowAttrs("id").Matching(hitID).OnElements("mark")
	p.AllowAttrs("value").Matching(wholeNumber).OnElements("li")
	p.AllowAttrs("start").Matching(wholeNumber).OnElements("ol")
	p.AllowAttrs("align").Matching(alignment).OnElements("th", "td")
	p.AllowAttrs("tabindex").Matching(zero).OnElements("pre", "div")
	p.AllowAttrs("role").Matching(region).OnElements("div")
	p.AllowAttrs("aria-label", "title").OnElements("a", "div")
	p.AllowAttrs("href").Matching(linkTarget).OnElements("a")
	p.AllowAttrs("rel").Matching(linkRel).OnElements("a")
	p.AllowURLSchemes("http", "https", "mailto")
	p.AllowRelativeURLs(true) // for fragments; linkTarget lets no other relative URL pass
	p.RequireParseableURLs(true)
	p.RequireNoFollowOnFullyQualifiedLinks(true)
	p.RequireNoReferrerOnFullyQualifiedLinks(true)
	return p
}
