package docx

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRuns(t *testing.T) {
	t.Parallel()
	super, low := `<w:vertAlign w:val="superscript"/>`, `<w:vertAlign w:val="subscript"/>`
	p := func(inner string) string { return "<w:p>" + inner + "</w:p>" }
	fld := func(instr, result string) string {
		return `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> ` + instr + ` </w:instrText></w:r>` +
			`<w:r><w:fldChar w:fldCharType="separate"/></w:r>` + result + `<w:r><w:fldChar w:fldCharType="end"/></w:r>`
	}
	for _, c := range []struct{ name, xml, want string }{
		{"tabs, breaks, hyphens", p(`<w:r><w:t>a</w:t><w:tab/><w:t>b </w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:softHyphen/><w:t>e</w:t></w:r>`), "paragraph a b⏎c-de\n"},
		{"two breaks part paragraphs", p(`<w:r><w:t>a</w:t><w:br/><w:br/><w:t>b</w:t></w:r>`), "paragraph a\nparagraph b\n"},
		{"control characters", p(run("", "a&#x9;b\u0085c\u00add\ufeff")), "paragraph a b⏎cd\n"},
		{"insertions stay, deletions go", p(`<w:ins>` + run("", "new ") + `</w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:moveFrom>` + run("", "there") + `</w:moveFrom><w:moveTo>` + run("", "here") + `</w:moveTo>`), "paragraph new here\n"},
		{"a deleted end joins two paragraphs", `<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>` + run("", "one ") + "</w:p>" + par("", "two"), "paragraph one two\n"},
		{"a big first letter", `<w:p><w:pPr><w:framePr w:dropCap="drop"/></w:pPr>` + run("", "O") + "</w:p>" + par("", "nce"), "paragraph Once\n"},
		{"wrappers", p(`<w:smartTag><w:customXml><w:sdt><w:sdtPr><w:alias w:val="x"/></w:sdtPr><w:sdtContent>` + run("", "a") + `</w:sdtContent></w:sdt></w:customXml></w:smartTag><w:bdo>` + run("", "b") + `</w:bdo>`), "paragraph ab\n"},
		{"signs by their place", p(`<w:r><w:t>dose </w:t><w:sym w:font="Symbol" w:char="F0A3"/><w:t> 5 </w:t><w:sym w:font="Symbol" w:char="F06D"/><w:t>g</w:t><w:sym w:font="Wingdings" w:char="F0E0"/><w:sym w:font="Symbol" w:char="00B3"/></w:r>`), "paragraph dose ≤ 5 µg→≥\n"},
		{"letters in a font of signs", p(run(`<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>`, "m\uf0b1") + run("", "g")), "paragraph µ±g\n"},
		{"a power", p(run("", "10") + run(super, "9") + run("", " cells")), "paragraph 10^9 cells\n"},
		{"a negative power in two runs", p(run("", "10") + run(super, "−") + run(super+"<w:b/>", "9")), "paragraph 10^−9\n"},
		{"a raised position", p(run("", "10") + run(`<w:position w:val="6"/>`, "9")), "paragraph 10^9\n"},
		{"a sum as a power", p(run("", "x") + run(super, "n+1")), "paragraph x^(n+1)\n"},
		{"units", p(run("", "kg/m") + run(super, "2") + run("", " min") + run(super, "-1")), "paragraph kg/m^2 min^-1\n"},
		{"ions and signs", p(run("", "Ca") + run(super, "2+") + run("", " Na") + run(super, "+")), "paragraph Ca^2+ Na+\n"},
		{"ordinals", p(run("", "1") + run(super, "st") + run("", " X") + run(super, "TM")), "paragraph 1st XTM\n"},
		{"references after a word and a stop", p(run("", "in patients") + run(super, "3,4") + run("", ". Give 5.") + run(super, "10")), "paragraph in patients[3,4]. Give 5.[10]\n"},
		{"a mark behind a number", p(run("", "12.5") + run(super, "a")), "paragraph 12.5^a\n"},
		{"lowered", p(run("", "H") + run(low, "2") + run("", "O 5") + run(low, "2")), "paragraph H2O 5_2\n"},
		{"all raised", p(run(super, "all of it")), "paragraph all of it\n"},
		{"a field shows its result", p(run("", "page ") + fld("PAGEREF x", run("", "7"))), "paragraph page 7\n"},
		{"a simple field", p(`<w:fldSimple w:instr=" REF x ">` + run("", "seven") + `</w:fldSimple>`), "paragraph seven\n"},
		{"a field in an instruction", p(fld(`IF `, "") + `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>IF </w:instrText></w:r>` + fld("X", run("", "hidden")) + `<w:r><w:fldChar w:fldCharType="separate"/></w:r>` + run("", "shown") + `<w:r><w:fldChar w:fldCharType="end"/></w:r>`), "paragraph shown\n"},
		{"a field that never ends hides nothing", p(`<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>TOC</w:instrText></w:r>`+run("", "a")) + par("", "b"), "paragraph a\nparagraph b\n"},
		{"an end without a beginning", p(`<w:r><w:fldChar w:fldCharType="end"/></w:r>` + run("", "a")), "paragraph a\n"},
		{"a table of contents is left out", p(fld(`TOC \o "1-3"`, run("", "1 Intro 3")+"</w:p><w:p>"+run("", "2 End 9"))) + par("", "text"), "paragraph text\n"},
		{"a link by a field", p(fld(`HYPERLINK "https://example.org/a" \l "b"`, run("", "here"))), "paragraph [here](https://example.org/a#b)\n"},
		{"a link to a script is no link", p(fld(`HYPERLINK "javascript:alert(1)"`, run("", "here"))), "paragraph here\n"},
		{"a sign by a field", p(`<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>SYMBOL 163 \f "Symbol" \s 12</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>` + run("", " 5 mg")), "paragraph ≤ 5 mg\n"},
		{"a fraction by a field", p(run("", "give ") + `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>EQ \f(1,2)</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>` + run("", " tablet")), "paragraph give 1/2 tablet\n"},
		{"a ticked box", p(`<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText>FORMCHECKBOX</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>` + run("", " done")), "paragraph ☒ done\n"},
		{"one branch of alternatives", p(`<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:docPr descr="Flow"/><w:txbxContent>` + par("", "box") + `</w:txbxContent></w:drawing></mc:Choice><mc:Fallback><w:pict><w:txbxContent>` + par("", "box") + `</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r>` + run("", "a")), "paragraph ![Flow]a\nparagraph box\n"},
		{"the other branch when the first says nothing", p(`<mc:AlternateContent><mc:Choice Requires="new"><w:r><w:new/></w:r></mc:Choice><mc:Fallback>` + run("", "old") + `</mc:Fallback></mc:AlternateContent>`), "paragraph old\n"},
		{"words drawn as a picture", p(`<w:r><w:pict><v:shape><v:textpath string="DRAFT"/></v:shape></w:pict></w:r>`), "paragraph DRAFT\n"},
		{"a picture that Word described", p(`<w:r><w:drawing><wp:inline><wp:docPr id="1" name="Picture 1" descr="A screen&#10;&#10;Description automatically generated"/></wp:inline></w:drawing></w:r>`), "paragraph ![A screen]\n"},
		{"a reading above words", p(`<w:r><w:ruby><w:rubyPr/><w:rt>` + run("", "かん") + `</w:rt><w:rubyBase>` + run("", "漢") + `</w:rubyBase></w:ruby></w:r>`), "paragraph 漢(かん)\n"},
		{
			"an equation", p(`<m:oMath><m:r><m:t>x=</m:t></m:r><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f><m:sSup><m:e><m:r><m:t>10</m:t></m:r></m:e><m:sup><m:r><m:t>9</m:t></m:r></m:sup></m:sSup><m:rad><m:radPr/><m:deg/><m:e><m:r><m:t>y</m:t></m:r></m:e></m:rad></m:oMath>`),
			"paragraph x=(a+b)/210^9√(y)\n",
		},
		{"words outside of paragraphs", run("", "stray"), "paragraph stray\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, tree(body(t, c.xml)))
		})
	}
}

func TestLinksAndNotes(t *testing.T) {
	t.Parallel()
	doc := read(t, parts{
		"word/document.xml": `<w:p><w:hyperlink r:id="r1" w:anchor="top">` + run("", "wiki") + `</w:hyperlink>` + run("", ", ") + `<w:hyperlink w:anchor="Rotate">` + run("", "below") + `</w:hyperlink>` +
			`<w:hyperlink w:anchor="_Toc12">` + run("", ", there") + `</w:hyperlink><w:r><w:footnoteReference w:id="2"/></w:r>` + run("", ".") + `<w:r><w:endnoteReference w:id="1"/></w:r></w:p>` +
			item(1, 0, "step") + `<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>` + run("", "max 40 mg") + `<w:r><w:footnoteReference w:id="3"/></w:r></w:p>` + item(1, 0, "end"),
		"word/numbering.xml":           simple,
		"word/_rels/document.xml.rels": `<Relationships xmlns="x"><Relationship Id="r1" Type="http://x/hyperlink" Target="https://wiki.example.org/k" TargetMode="External"/></Relationships>`,
		"word/footnotes.xml":           `<w:footnote w:type="separator" w:id="0">` + par("", "---") + `</w:footnote><w:footnote w:id="3"><w:p><w:r><w:footnoteRef/></w:r>` + run("", " In the elderly 20 mg.") + `</w:p></w:footnote><w:footnote w:id="2">` + par("", "First.") + par("", "Second.") + `</w:footnote>`,
		"word/endnotes.xml":            `<w:endnote w:id="1">` + par("", "The end.") + `</w:endnote>`,
	})
	require.Equal(t, `paragraph [wiki](https://wiki.example.org/k#top), [below](#Rotate), there[1].[i]
note "footnote"
  paragraph [1] First.
  paragraph Second.
note "footnote"
  paragraph [i] The end.
list ordered
  item "1."
    paragraph step
  item "2."
    paragraph max 40 mg[2]
    note "footnote"
      paragraph [2] In the elderly 20 mg.
  item "3."
    paragraph end
`, tree(doc))
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	doc := body(t, "<w:p>"+run("<w:vanish/>", "Do not print this.")+run("", "Words")+`<w:del><w:r><w:delText>x</w:delText></w:r></w:del>`+
		`<w:r><w:sym w:font="Wingdings" w:char="F0C8"/></w:r></w:p><w:altChunk r:id="x"/>`)
	require.Equal(t, []string{
		"Hidden text was left out: 4 words, beginning with “Do not print this.”.",
		"A tracked deletion or move was left out; tracked insertions are kept.",
		"An embedded file was left out. Upload it as a document of its own if it matters.",
		"A sign of a symbol font could not be read; it is kept as it is stored.",
	}, doc.Warnings)
	require.Empty(t, body(t, par("", "Words")).Warnings)
}
