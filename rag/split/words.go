package split

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// functionWords are the frequent small words of each language, in lower case,
// with the languages that have them.
var functionWords = func() map[string]lang {
	words := map[string]lang{}
	for l, list := range map[lang]string{
		english: "the of and to in is was were be been are for that it its with as on by at from this these those they he she we you i his her their our your not but or an a have has had will would can could should may if when which who what where there then than so do does did no yes about into over after before all any some more my me him them us up out how why let must only also because very see use",
		german:  "der die das den dem des und oder ist sind war waren wird werden wurde wurden hat haben hatte ein eine einen einem einer eines nicht mit von zu zum zur im in am an auf für bei nach aus um als auch es er sie wir ihr ich du sich wenn wie was wer dass daß noch nur aber dann danach siehe über unter vor durch so bis seit kein keine man mehr ihre seine ab gilt dort hier kann muss soll bitte",
		dutch:   "de het een en van is was zijn waren niet met voor op te aan in bij naar uit om als ook er hij zij ze wij ik je u dat die dit deze maar of dan nog wel geen door over tot werd worden wordt heeft hebben had kan moet zal zich zo al meer onder tegen na waar wat wie wacht hier daar zie dhr mevr",
		nordic:  "og och är er ikke icke inte det den der som en et ett til till av af på i på med for för fra från var har hade havde kan skal ska vil vill jeg jag han hun hon vi de du sig seg men eller om ved vid ud ut op upp så når när hvor hvad hva vad hvem vem blev ble bliver blir efter etter over över under mod mot også även här her där se fordi meg mig dem denne dette detta",
		finnish: "ja on ei se hän että oli ovat mutta tai kun kuin joka myös niin jos minä sinä me te he ole olen vain nyt sitten tämä hänen ollut mitä missä siellä sen",
		french:  "le la les l un une des du de d et est sont était a ont été dans en au aux par pour sur avec sans ne pas n plus que qui qu ce c cette ces il elle ils elles nous vous je j on se s son sa ses leur leurs mais ou où comme si aussi très voir soit tout fait être après avant puis non quand",
		spanish: "el la los las un una unos unas de del y es son era fue fueron en a al por para con sin no se su sus que qué lo le les como cómo pero más o si sí muy ya hay ha han está están este esta estos ese esa donde dónde cuando cuándo también entre sobre hasta desde yo él ella ellos nos me te luego después porque véase según ayer",
		italian: "il lo la i gli le un uno una di del della dei delle dello degli e è sono era fu in nel nella nei a al alla ai alle da dal dalla per con su sul sulla non che chi si se come ma più o anche suo sua loro ha hanno ho questo questa quello quella dove quando poi dopo prima molto tra fra io lui lei mi ti ci vi ne ed cosa vedi l",
		portuguese: "o a os as um uma uns umas de do da dos das e é são era foi foram em no na nos nas por pelo pela para com sem não se seu sua que ao à aos às como mas mais ou também já há tem têm ele ela nós eu está estão este esta isso onde quando depois muito entre sobre até desde porque ver lhe me " +
			"num numa",
		romanian:  "și în la de pe cu nu este sunt era a fost au am că care ce din pentru un o lui ei îi se sau mai dar după când unde dacă prin între el ea noi al ale cel cea",
		polish:    "i w we z ze na do nie się jest są był była było byli to ten ta te o od po za przy przez dla że jak ale lub oraz czy co kto gdzie gdy już tylko tak jego jej ich który która które być może mam ma także też pod nad przed u potem wszyscy urodził zmarł",
		czech:     "a v ve z ze na do ne se je jsou byl byla bylo byli to ten ta od po za při pro že jak ale nebo či co kdo kde když už jen tak jeho její jsem jsme také pak podle pod nad před u o s k sa som sú bol bola bolo boli aj alebo pre čo ako ako nie si viz mám jeho kde však tento",
		balkan:    "i u na je su se da za od sa s iz ili ne nije što kako ali kao koji koja koje bio bila bilo biti to taj ta po do pri ki v z ter pa kot tudi ni bi lahko",
		hungarian: "a az és hogy nem is egy ez volt van meg de ha csak már még mint vagy el ki be le fel ami aki ezt azt lesz után szerint között ő én mi voltak",
		turkish:   "ve bir bu da de için ile çok ne mi mı mu mü değil var yok daha gibi ama o ben sen biz siz onlar olarak olan oldu kadar sonra önce en her şey ki hem ya veya ise göre ben diye dedi yani bkz tarafından evet hayır belki",
	} {
		for w := range strings.FieldsSeq(list) {
			words[w] |= l
		}
	}
	return words
}()

// starters are words that commonly start a sentence and are no function words.
var starters = func() map[string]bool {
	words := map[string]bool{}
	for _, list := range []string{
		// English.
		"above according accordingly additionally afterwards again although always among another anyone apply ask below besides both check clearly click consequently consider " +
			"currently despite don due during each earlier either even eventually every everyone except few finally first following fortunately further furthermore generally give given " +
			"hence here however hundreds immediately indeed initially instead keep last later like likewise look lots make many maybe meanwhile might millions moreover most much neither " +
			"never nevertheless next nobody none nonetheless nor note nothing now obviously often once one open other others otherwise people perhaps please possibly previously quite " +
			"rather read recently remember repeat restart run same second select set several shall similarly since someone something sometimes soon start still stop such suddenly take though " +
			"thousands three through thus till today together tomorrow tonight too two unfortunately under unless unlike until upon used usually verify well whatever whenever whereas whether " +
			"while whoever whom whose within without yesterday yet",
		// German, Dutch, the Nordic languages.
		"diese dieser dieses dies doch nun heute gestern morgen dabei dadurch daher damit darauf deshalb dazu jedoch allerdings außerdem zudem zunächst zuerst schließlich später weil obwohl " +
			"während nachdem bevor viele alle alles manche jeder jede jedes beide einige falls sobald warum wann wo woher wohin welche welcher trotzdem sonst ferner nein ja",
		"daarna toen nu vandaag gisteren morgen daarom echter bovendien eerst later hoewel terwijl veel alle iedereen niemand sommige waarom wanneer hoe dus ook",
		"derefter deretter efterfølgende nu nå idag imorgen derfor desuden dessutom først først sedan därefter därför eftersom mange mange många alla alle hvorfor varför hvordan hur hvis om " +
			"etterpå senere senare ingen nogle noen några",
		"sitten nyt tänään huomenna siksi lisäksi ensin myöhemmin koska vaikka kaikki monet miksi milloin miten",
		// Romance.
		"ensuite enfin alors ainsi donc cependant toutefois pourtant aujourd hier demain depuis lorsque puisque pourquoi comment chaque certains plusieurs tous beaucoup rien personne vérifiez celui mon notre",
		"entonces además sin embargo hoy mañana aunque mientras todos todo muchos cada algunos nadie nada por quién quien cuál así primero también tampoco finalmente ahora",
		"quindi inoltre però oggi ieri domani sebbene mentre tutti tutto molti ogni alcuni nessuno niente perché così prima infine adesso questi queste",
		"então além porém hoje ontem amanhã embora enquanto todos tudo muitos cada alguns ninguém nada quem qual assim primeiro finalmente agora também ele",
		"apoi astăzi ieri mâine deși însă toți mulți",
		// Slavic in Latin letters, Hungarian, Turkish.
		"następnie dziś jutro wczoraj jednak dlatego ponadto najpierw później ponieważ chociaż wszyscy wszystko wielu każdy niektórzy dlaczego kiedy jeśli jeżeli on ona oni one ja ty my wy był była było",
		"poté potom dnes zítra včera však proto nejprve později protože ačkoli všichni všechno mnoho každý někteří proč kdy pokud jestliže on ona oni já ty my vy avšak preto potom dnes zajtra keď keďže ak všetci byl byla bol bola",
		"zatim danas sutra jučer međutim zato najprije kasnije iako svi mnogi on ona oni ja ti mi vi danes jutri vendar potem",
		"azután ma holnap tegnap azonban ezért először később mert bár mindenki sok miért mikor hol",
		"ardından bugün yarın dün ancak fakat bu şu bunun önce ilk herkes bazı neden nasıl nerede eğer çünkü onun şimdi böylece ayrıca",
		// Cyrillic: Russian, Ukrainian, Bulgarian, Kazakh.
		"а и но или в во на по с со к ко от до из за у о об при для без под над после перед это этот эта эти тот та те он она они оно я ты мы вы его её их наш все всё весь если когда где как что кто почему " +
			"так там здесь тут тогда потом затем теперь сейчас сегодня завтра вчера также однако поэтому кроме хотя пока не нет да каждый многие некоторые один два три был была было были",
		"й та але або у в на по з із зі до від за це цей ця ці той він вона вони воно я ти ми ви його її їх якщо коли де як що хто чому так там тут тоді потім тепер зараз сьогодні також однак тому хоча не ні був була були",
		"и а но или в във на по с със от до за при това този тази тези той тя те то аз ти ние вие ако когато къде как какво кой защо така там тук тогава после сега днес също обаче затова не да бил била били през",
		"ол бұл осы сол мен сен біз сіз олар егер қашан қайда қалай не кім неге сондықтан содан сосын қазір бүгін ертең кеше бірақ және барлық әр көп",
		// Greek.
		"ο η το οι τα τον την του της των ένας μία μια ένα και αλλά ή σε στο στη στην στον από για με χωρίς αν όταν πού πώς τι ποιος γιατί έτσι εκεί εδώ τότε μετά έπειτα τώρα σήμερα αύριο επίσης όμως δεν να θα είναι ήταν αυτός αυτή αυτό",
		// Armenian.
		"նա նրանք դու ես մենք դուք այս այդ այն բայց և եթե երբ որտեղ ինչ ով",
	} {
		for w := range strings.FieldsSeq(list) {
			words[w] = true
		}
	}
	return words
}()

// starter says that the word, in upper case, commonly starts a sentence, so that
// an abbreviation before it ended the last one.
func starter(w string) bool {
	first, _ := utf8.DecodeRuneInString(w)
	if !unicode.IsUpper(first) {
		return false
	}
	if len(w) > 1 && len(w) < 5 && strings.ToUpper(w) == w && first < utf8.RuneSelf {
		return false // "U.S. IT"
	}
	w = strings.ToLower(w)
	return functionWords[w] != 0 || starters[w]
}

// functionWord says that the word, in lower case, is one of some language.
func functionWord(w string) bool { return functionWords[w] != 0 || starters[w] }

// particle says that the word is part of names, besides being a small word:
// "J. Le Goff".
func particle(w string) bool {
	switch w {
	case "Le", "La", "Les", "De", "Di", "Da", "Du", "Des", "Del", "Della", "Von", "Van", "Der", "Den", "Ter", "Ten", "El", "Al", "Los", "Las", "Dos", "Das", "Do", "Lo", "Il", "San", "St", "Zu":
		return true
	}
	return false
}
