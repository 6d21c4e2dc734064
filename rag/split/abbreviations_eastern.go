package split

// Those of Greek and of the scripts without upper case.
var easternLists = []abbreviations{
	// Greek.
	{kind: never, words: "π.χ δηλ περ βλ πρβλ λ.χ τ.μ χλμ υπ αγγλ γαλλ"},
	{kind: beforeName, words: "κ κα κος δρ καθ αγ κκ δις οδ λεωφ πλ ιατρ δικ"},
	{kind: beforeNumber, words: "σελ εικ πίν άρθρ αρ παρ τηλ κεφ τόμ τ εδ αριθ σχ αρθ"},
	{kind: mayEnd, words: "μ.μ π.μ κ.λπ κλπ κ.ά κ.τ.λ κ.ο.κ μ.χ εκ δισ χιλ αι δρχ ιαν φεβ μαρ απρ ιουν ιουλ αυγ σεπ οκτ νοε δεκ"},
	{kind: withName, words: "α.ε ε.π.ε ο.ε"},
	// Hindi, Marathi and their neighbours, which have no capitals: none of these
	// ends a sentence.
	{kind: never, words: "डॉ श्री प्रो प्रा कु सौ स्व रु रू मि पृ सं क्र उदा इ चि पं मो पो कि ई ए बी सी डी ई एफ जी एच आई जे के एल एम एन ओ पी क्यू आर एस टी यू वी डब्ल्यू एक्स वाई वाय झेड ज़ेड अॅड ॲड प्रि न्या अंदा जि ता तह व्ही नं जन फर फेब्रु अक्टू ऑक्टो सित सप्टें नव नोव्हें दिस डिसें ऑग जाने"},
	{kind: never, words: "ডা ড মো মোঃ প্রফ திரு டாக்டர்"},
	// Arabic, Persian, Hebrew.
	{kind: never, words: "أ.د م.م ص ج د م أ هـ ق.م ه.ش ه.ق ر.ک ب.م"},
	// Armenian.
	{kind: never, words: "թ դ ք հ մ գ օր տես պրոֆ դոկտ"},
	// Vietnamese.
	{kind: beforeName | capital, words: "tp ts ths pgs gs bs"},
	// Thai.
	{kind: never, words: "นพ พญ ดร ผศ รศ ศ น พ.ศ ค.ศ"},
}
