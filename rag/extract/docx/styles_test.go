package docx

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// pstyle is a paragraph style.
func pstyle(id, name, base, inner string) string {
	if base != "" {
		base = `<w:basedOn w:val="` + base + `"/>`
	}
	return `<w:style w:type="paragraph" w:styleId="` + id + `"><w:name w:val="` + name + `"/>` + base + inner + `</w:style>`
}

func TestHeadings(t *testing.T) {
	t.Parallel()
	styles := `<w:style w:type="paragraph" w:default="1" w:styleId="Standard"><w:name w:val="Normal"/></w:style>` +
		pstyle("berschrift1", "heading 1", "Standard", `<w:rPr><w:b/></w:rPr>`) +
		pstyle("berschrift2", "heading 2", "berschrift1", `<w:pPr><w:outlineLvl w:val="1"/></w:pPr>`) +
		pstyle("Kapitel", "Kapitel", "berschrift2", "") +
		pstyle("Anhang", "Anhang", "berschrift1", `<w:pPr><w:outlineLvl w:val="9"/></w:pPr>`) +
		pstyle("LO", "Überschrift 3", "", "") +
		pstyle("Titel", "Title", "", "") + pstyle("Unter", "Subtitle", "", "")
	for _, c := range []struct{ name, xml, want string }{
		{"by the name of the style, whatever its id", styled("berschrift1", "A"), "heading1 A\n"},
		{"by the outline level of the style", styled("berschrift2", "A"), "heading2 A\n"},
		{"through the style that it is based on", styled("Kapitel", "A"), "heading2 A\n"},
		{"not when the style takes the level away", styled("Anhang", "A"), "paragraph A\n"},
		{"by a name in another language", styled("LO", "A"), "heading3 A\n"},
		{"by the level of the paragraph itself", par(`<w:outlineLvl w:val="3"/>`, "A"), "heading4 A\n"},
		{"levels below six", par(`<w:outlineLvl w:val="8"/>`, "A"), "heading6 A\n"},
		{"body text by the paragraph itself", par(`<w:pStyle w:val="berschrift1"/><w:outlineLvl w:val="9"/>`, "A"), "paragraph A\n"},
		{"a style that is not defined", styled("Heading1", "A"), "paragraph A\n"},
		{
			"words of a heading are not bold", `<w:p><w:pPr><w:pStyle w:val="berschrift1"/></w:pPr>` + run("<w:b/>", "A ") + run("<w:i/>", "b") + "<w:r><w:br/></w:r>" + run("", "c") + "</w:p>",
			"heading1 A b c\n",
		},
		{"an empty heading is none", styled("berschrift1", "  ") + par("", "A"), "paragraph A\n"},
		{
			"a clause that is numbered as a heading is text", styled("berschrift2", strings.Repeat("The lessee shall. ", 30)),
			"paragraph " + strings.TrimSpace(strings.Repeat("The lessee shall. ", 30)) + "\n",
		},
		{"a title heads a body without level 1", styled("Titel", "T") + styled("Unter", "S") + styled("berschrift2", "A"), "heading1 T\nparagraph S\nheading2 A\n"},
		{"a title beside headings of level 1", styled("Titel", "T") + styled("berschrift1", "A"), "paragraph **T**\nheading1 A\n"},
		{"titles as headings", styled("Titel", "T") + par("", "a") + styled("Titel", "U") + styled("berschrift1", "A"), "heading1 T\nparagraph a\nheading1 U\nheading1 A\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, tree(read(t, parts{"word/document.xml": c.xml, "word/styles.xml": styles})))
		})
	}
	t.Run("without styles the ids say it", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, "heading1 T\nheading2 A\n", tree(body(t, styled("Title", "T")+styled("Heading2", "A"))))
	})
}

func TestTitle(t *testing.T) {
	t.Parallel()
	core := func(title string) string {
		return `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>` +
			title + `</dc:title><dc:creator>A. Author</dc:creator><dcterms:modified>2024-02-29T23:10:00Z</dcterms:modified></cp:coreProperties>`
	}
	for _, c := range []struct{ name, core, xml, want string }{
		{"of the properties", "Sepsis guideline", par("", "a"), "Sepsis guideline"},
		{"of the text before the properties", "Old", styled("Title", "New"), "New"},
		{"over two lines", "", styled("Title", "One") + styled("Title", "Two"), "One Two"},
		{"of a program", "Microsoft Word - sepsis.doc", par("", "a"), ""},
		{"of a new document", "Document1", par("", "a"), ""},
		{"of a template", "[Document title]", par("", "a"), ""},
		{"a file's name", "sepsis_v3 final.docx", par("", "a"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			doc := read(t, parts{"word/document.xml": c.xml, "docProps/core.xml": core(c.core)})
			require.Equal(t, c.want, doc.Title)
			require.Equal(t, map[string]string{"author": "A. Author", "date": "2024-02-29"}, doc.Meta)
		})
	}
}

func TestLooks(t *testing.T) {
	t.Parallel()
	styles := pstyle("Loud", "Loud", "", `<w:rPr><w:b/></w:rPr>`) +
		pstyle("Src", "Source Code", "", "") + pstyle("Pre", "HTML Preformatted", "", "") +
		pstyle("Caution", "CautionText", "", "") + pstyle("Q", "Quote", "", "") +
		`<w:style w:type="character" w:styleId="S"><w:name w:val="Strong"/><w:rPr><w:b/></w:rPr></w:style>` +
		`<w:style w:type="character" w:styleId="V"><w:name w:val="Verbatim Char"/></w:style>`
	mono := `<w:rFonts w:ascii="Courier New"/>`
	for _, c := range []struct{ name, xml, want string }{
		{"bold and italic", "<w:p>" + run("<w:b/>", "a") + run("", " b ") + run("<w:i/><w:strike/>", "c") + "</w:p>", "paragraph **a** b ~~_c_~~\n"},
		{"off again", "<w:p>" + run(`<w:b w:val="0"/>`, "a") + run(`<w:b w:val="false"/>`, "b") + "</w:p>", "paragraph ab\n"},
		{"a character style", "<w:p>" + run(`<w:rStyle w:val="S"/>`, "a") + "</w:p>", "paragraph **a**\n"},
		{"two styles cancel each other out", `<w:p><w:pPr><w:pStyle w:val="Loud"/></w:pPr>` + run(`<w:rStyle w:val="S"/>`, "a") + "</w:p>", "paragraph a\n"},
		{"a bold paragraph is not bold inside", styled("Loud", "a"), "paragraph a\n"},
		{"code in a line", "<w:p>" + run("", "Run ") + run(mono, "ls -l") + run("", " now") + "</w:p>", "paragraph Run `ls -l` now\n"},
		{"code in a line by a style", "<w:p>" + run("", "Run ") + run(`<w:rStyle w:val="V"/>`, "ls") + "</w:p>", "paragraph Run `ls`\n"},
		{"lines of code are one block", "<w:p>" + run(mono, "if x:") + "</w:p><w:p>" + run(mono, "    y\u00a0= 1") + "</w:p>", "code \"if x:\\n    y = 1\"\n"},
		{"tabs and breaks in code", "<w:p><w:r><w:rPr>" + mono + "</w:rPr><w:t>a</w:t><w:br/><w:tab/><w:t>b</w:t></w:r></w:p>", "code \"a\\n\\tb\"\n"},
		{"an empty line of code", styled("Src", "a") + `<w:p><w:pPr><w:pStyle w:val="Src"/></w:pPr></w:p>` + styled("Src", "b"), "code \"a\\n\\nb\"\n"},
		{"an ordinary empty paragraph ends code", styled("Pre", "a") + "<w:p/>" + styled("Pre", "b"), "code \"a\"\ncode \"b\"\n"},
		{"a box by its style", styled("Caution", "Hot.") + styled("Caution", "Very.") + par("", "x"), "note \"caution\"\n  paragraph Hot.\n  paragraph Very.\nparagraph x\n"},
		{"a quotation", styled("Q", "a"), "quote\n  paragraph a\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, tree(read(t, parts{"word/document.xml": c.xml, "word/styles.xml": styles})))
		})
	}
	t.Run("a typewritten document is no code", func(t *testing.T) {
		t.Parallel()
		doc := read(t, parts{"word/document.xml": par("", "Dear all,"), "word/styles.xml": `<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Courier New"/></w:rPr></w:rPrDefault></w:docDefaults>`})
		require.Equal(t, "paragraph Dear all,\n", tree(doc))
	})
}
