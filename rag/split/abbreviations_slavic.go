package split

// Those of the Slavic languages, in Latin and in Cyrillic letters, and of
// Kazakh, which shares some of them.
var slavicLists = []abbreviations{
	// Polish.
	{kind: never, words: "np tzn tj tzw m.in zob tys mln mld mlrd wg śp tłum"},
	{only: polish, kind: never, words: "ok dot pt nast ros dol por ang niem łac im os pow woj gm zm ur red wyd mies prze p jw ds br sp"},
	{kind: beforeName, words: "ks św bł hab inż płk ppłk mjr kpt dyr zast bryg dyw"},
	{kind: mayEnd, words: "stycz lut kwiet czerw sierp wrz paźdz grudz"},
	{only: polish, kind: beforeName, words: "al pl ul prof mgr gen o s plut kard abp bp lek"},
	{kind: beforeNumber, words: "poz rys rozdz ust pkt zał dz"},
	{only: polish, kind: beforeNumber, words: "art tab str s t lit nr tel"},
	{kind: withName, words: "o.o z.o.o"},
	{kind: mayEnd, words: "itd itp zł godz"},
	{only: polish, kind: mayEnd, words: "n.e p.n.e gr"},
	{only: polish, kind: ofYear, words: "r w ww"},
	// Czech and Slovak.
	{kind: never, words: "tzv t.j t.zn vč příp např kupř napr tis popř písm odst ods obv pís cca př.n.l pr.n.l př pr.kr něm lat roč vyd zák sb zb atp pozn"},
	{only: czech, kind: never, words: "mil event angl m n t z j r st kol nar zem angl nem franc min max u tj resp stol"},
	{kind: beforeName, words: "mudr judr phdr rndr paeddr mvdr thdr pharmdr nám csc drsc bc"},
	{only: czech, kind: beforeName, words: "ing doc ul p sv gen plk kpt mgr gl"},
	{kind: beforeNumber, words: "č čl obr kapit čís"},
	{only: czech, kind: beforeNumber, words: "str s odd tab kap roč"},
	{kind: withName, words: "s.r.o a.s spol v.o.s k.s š.p o.p.s"},
	{kind: mayEnd, words: "atd atď apod stb kč n.l hod"},
	{only: czech, kind: mayEnd, words: "pod ap"},
	// Croatian, Slovene, Serbian in Latin letters; Hungarian; Turkish.
	{kind: never, words: "npr tzv odn"},
	{only: hungarian, kind: never, words: "pl kb ill ún vö ld mn"},
	{only: hungarian, kind: beforeName, words: "dr özv id ifj sz szt u"},
	{kind: mayEnd, words: "stb"},
	{kind: never, words: "bkz yakl yy örn çev haz krş"},
	{kind: beforeName | capital, words: "cad mah blv"},
	{kind: beforeNumber | capital, words: "kat"},
	{only: turkish, kind: never, words: "s ör m.ö m.s sok no kat apt mah cad bul blv tel"},
	{kind: beforeName, words: "doç yrd"},
	{only: turkish, kind: beforeName, words: "av dr prof sn ord op müh hz"},
	{kind: withName, words: "a.ş şti"},
	{kind: mayEnd, words: "vb vd"},
	{only: turkish, kind: mayEnd, words: "vs"},
	// Russian.
	{kind: never, words: "т.е т.к т.н т.о т.ч напр см ср прим англ нем лат рус фр греч т.наз т.зв макс мин прибл ок букв перен разг устар наст назв соотв след пред вкл ориг пер букв в.т.ч и.о до.н.э"},
	{kind: beforeName, words: "акад проф доц гр им ул пос обл пл просп пр-т пер св инж тов бул наб бульв г-н г-жа д-р чл.-корр канд ген полк кап лейт сен мл дер р-н пр"},
	{kind: beforeNumber, words: "стр рис табл гл п пп ст л с д кв тел корп вып кн разд подп черт илл ил прил абз оф под эт"},
	{kind: mayEnd, words: "т.д т.п др руб коп тыс млн млрд трлн л.с м мм кг км шт экз чел час ч мин сек сут н.э проч л ед куб.м кв.м кв.км куб.см кв.см"},
	{kind: ofYear, words: "г гг в вв"},
	{kind: mayEnd, words: "янв февр фев апр авг сент сен септ окт нояб ноя ноем дек січ лют берез квіт трав черв лип серп верес жовт листоп груд"},
	// Ukrainian, Bulgarian, Serbian.
	{kind: never, words: "див тзв т.зв т.зв наприкл порівн орієнт приб т.нар б.а вж срв напр"},
	{kind: beforeName, words: "вул просп пров смт буд гр-н ген-л г-жо ж.к бл вх"},
	{kind: beforeNumber, words: "фиг чл ал т ет ап мал розд тит арк §"},
	{kind: mayEnd, words: "ін грн лв хил тис млн стот ст.ст"},
	{kind: ofYear, words: "р рр ст"},
	// Kazakh.
	{kind: never, words: "қ ауд"},
	{kind: mayEnd, words: "т.б т.с.с мың тг"},
	{kind: withName, words: "ж жж ғ ғғ"},
}
