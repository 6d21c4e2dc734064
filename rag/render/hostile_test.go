package render_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/render"
)

var hostile = map[string]string{
	"script":                  "<script>alert(1)</script>",
	"script in a paragraph":   "Hello <script>alert(1)</script> there",
	"script split over lines": "<scr\nipt>alert(1)</script>",
	"image with handler":      `<img src=x onerror="alert(1)">`,
	"handler in a paragraph":  `text <b onmouseover=alert(1)>bold</b>`,
	"svg":                     `<svg onload=alert(1)><animate attributeName=href values="javascript:alert(1)"/></svg>`,
	"math":                    `<math><mi xlink:href="data:x,<script>alert(1)</script>"></mi></math>`,
	"style element":           "<style>*{display:none}</style>",
	"style attribute":         `<p style="background:url(javascript:alert(1))">x</p>`,
	"iframe":                  `<iframe src="https://evil.example"></iframe>`,
	"object and embed":        `<object data=x></object><embed src=x>`,
	"form":                    `<form action=https://evil.example><input name=q><button>go</button></form>`,
	"meta refresh":            `<meta http-equiv=refresh content="0;url=https://evil.example">`,
	"base":                    `<base href="https://evil.example/">`,
	"link element":            `<link rel=stylesheet href=https://evil.example/x.css>`,
	"htmx attributes":         `<div hx-get="/documents/1/delete" hx-trigger="load">x</div>`,
	"template":                `<template><script>alert(1)</script></template>`,
	"noscript trick":          `<noscript><p title="</noscript><img src=x onerror=alert(1)>">`,
	"comment trick":           `<!--><img src=x onerror=alert(1)>-->`,
	"cdata trick":             `<![CDATA[><img src=x onerror=alert(1)>]]>`,
	"javascript link":         "[x](javascript:alert(1))",
	"javascript upper case":   "[x](JaVaScRiPt:alert(1))",
	"javascript with entity":  "[x](javascript&colon;alert(1))",
	"javascript with tab":     "[x](java&Tab;script:alert(1))",
	"javascript autolink":     "<javascript:alert(1)>",
	"vbscript link":           "[x](vbscript:msgbox(1))",
	"data link":               "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
	"file link":               "[x](file:///etc/passwd)",
	"scheme-relative link":    "[x](//evil.example/a)",
	"relative link":           "[x](/documents/1/delete)",
	"image":                   "![a](https://evil.example/pixel.png)",
	"data image":              "![a](data:image/svg+xml;base64,AAAA)",
	"reference link":          "[x][r]\n\n[r]: javascript:alert(1)",
	"quote in link title":     `[x](https://ok.example "a\" onmouseover=\"alert(1)")`,
	"quote in address":        `[x](https://ok.example/"onmouseover="alert(1))`,
	"attribute syntax":        `# Heading {#main onclick=alert(1)}`,
	"fence language":          "```\"><script>alert(1)</script>\ncode\n```",
	"fence content":           "```\n</code></pre><script>alert(1)</script>\n```",
	"table cell":              "| a |\n|---|\n| <img src=x onerror=alert(1)> |",
	"code span":               "`<script>alert(1)</script>`",
	"id of our own":           `<mark id="hit">x</mark><a id="main"></a>`,
	"nul and bad bytes":       "a\x00b\xff<script\x00>alert(1)</script>",
	"heading with markup":     "# <img src=x onerror=alert(1)> [x](javascript:alert(1))",
	"unclosed everything":     "<div><p><b><![CDATA[ <!-- [x](javascript:alert(1)",
}

// allowed names what may be in rendered Markdown at all.
var (
	allowedTags = strings.Fields("p br hr em strong del sub sup blockquote ul ol li pre code table thead tbody tr th td mark div span a h1 h2 h3 h4 h5 h6")
	allowedKeys = strings.Fields("dir class id value start align tabindex role aria-label title href rel")
)

func TestHostileMarkdownStaysText(t *testing.T) {
	t.Parallel()
	r := render.New()
	renderings := map[string]func(string) render.HTML{
		"answer": func(s string) render.HTML {
			return r.Answer(s, []render.Cite{{Number: 1, Href: "#s-1-1", Label: `"><script>`}})
		},
		"document": func(s string) render.HTML {
			return r.Source(s, render.Markdown, render.View{Anchors: true, Hit: rag.Span{Start: 0, End: len(s)}, Marks: []rag.Span{{Start: 0, End: len(s)}}, Cited: rag.Span{Start: 0, End: len(s)}}).HTML
		},
		"passage": func(s string) render.HTML {
			return r.Source("# T\n\n"+s, render.Markdown, render.View{Clip: rag.Span{Start: 5, End: 5 + len(s)}, Marks: []rag.Span{{Start: 7, End: 12}}}).HTML
		},
		"plain text": func(s string) render.HTML {
			return r.Source(s, render.Plain, render.View{Marks: []rag.Span{{Start: 1, End: 9}}}).HTML
		},
	}
	for kind, draw := range renderings {
		for name, source := range hostile {
			t.Run(kind+": "+name, func(t *testing.T) {
				t.Parallel()
				got := draw(source)
				for _, n := range all(parse(t, got), "") {
					if n.Data == "html" || n.Data == "head" || n.Data == "body" {
						continue
					}
					require.Contains(t, allowedTags, n.Data, "in %s", got)
					for _, a := range n.Attr {
						require.Contains(t, allowedKeys, a.Key, "in %s", got)
					}
					if href := attr(n, "href"); href != "" {
						ok := strings.HasPrefix(href, "https://") || strings.HasPrefix(href, "#s-") || strings.HasPrefix(href, "#h-")
						require.True(t, ok, "address %q", href)
						if href[0] != '#' {
							require.Equal(t, []string{"nofollow", "noopener", "noreferrer"}, slices.Sorted(slices.Values(strings.Fields(attr(n, "rel")))))
						}
					}
				}
			})
		}
	}
}

// What a tag says is part of a procedure: dropping it would change the step.
func TestRawHTMLIsShownAsItsSource(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ source, want string }{
		"name in angle brackets": {"Run ssh <host> now.", "Run ssh <host> now."},
		"comparison":             {"Give it when age <65 and K+ >5.5 mmol/L.", "Give it when age <65 and K+ >5.5 mmol/L."},
		"block":                  {"<details>\n<summary>Roll back</summary>\n</details>", "<details> <summary>Roll back</summary> </details>"},
		"beside a comment":       {"<!-- reviewed --> Do not restart.", "Do not restart."},
		"comment alone":          {"<!-- reviewed -->", ""},
		"comment inside":         {"Stop <!-- x --> here.", "Stop here."},
		"open comment":           {"<!-- reviewed\n\nStop.", ""},
		"superscript":            {"4 × 10<sup>9</sup>/L", "4 × 109/L"},
	}
	r := render.New()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, words(parse(t, r.Source(c.source, render.Markdown, render.View{}).HTML)))
		})
	}
	sup := all(parse(t, r.Source("10<sup>9</sup>/L", render.Markdown, render.View{}).HTML), "sup")
	require.Equal(t, []string{"9"}, texts(sup))
}

func TestSingleTildesAreRanges(t *testing.T) {
	t.Parallel()
	doc := parse(t, render.New().Answer("10~20 mg, then 30~40 mg, not ~~50 mg~~", nil))
	require.Equal(t, "10~20 mg, then 30~40 mg, not 50 mg", words(doc))
	require.Equal(t, []string{"50 mg"}, texts(all(doc, "del")))
}
