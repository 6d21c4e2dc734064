package split_test

import "testing"

// A second set, of what every language has in common: short sentences, lists
// inside a paragraph, abbreviations at the end, speech, addresses.
func TestBlindSecond(t *testing.T) {
	t.Parallel()
	requireCases(t,
		// German.
		"Hallo Welt.¦ Mein Name ist Jonas.", "Wie heißt du?¦ Ich heiße Jonas.", "Da ist er!¦ Ich kann ihn sehen.", "Ich heiße Jonas E. Schmidt.¦ Du?",
		"1. Das Gerät ausschalten¦ 2. Den Deckel öffnen¦ 3. Das Teil tauschen", "a) Wasser¦ b) Brot¦ c) Salz",
		"Er lebt in der EU.¦ Und du?", "Die Stadt liegt ca. 20 km südl. von Wien.¦ Sie ist klein.", "Das gilt auch für Kinder u. Jugendliche.¦ Ende.",
		"Treffen wir uns um 18.00 Uhr am Alexanderplatz?¦ Gerne!", "„Ja“, sagte er.¦ Sie schwieg.",
		"Er hat 3 Kinder, geb. 2001, 2003 u. 2007.¦ Alle sind gesund.", "Bd. 3 ist vergriffen.¦ Bd. 4 erscheint im Nov. 2024.",
		"Kant, Hegel, Marx usw. sind Philosophen.¦ Sie sind tot.",
		"Vers. 2.1 behebt den Fehler.¦ Danke!", "Die Sitzung dauert von 9.00 bis ca. 12.30 Uhr.¦ Danach gibt es Essen.",
		// French.
		"Bonjour.¦ Je m'appelle Jonas.", "Quel est votre nom ?¦ Je m'appelle Jonas.", "Le voilà !¦ Je le vois.", "Il est 9 h.¦ Il fait 20 °C.¦ On y va ?",
		"1. Éteindre l'appareil¦ 2. Ouvrir le capot¦ 3. Changer la pièce", "Il vit aux É.-U. depuis 1990.¦ Elle aussi.",
		"Né à Paris le 3 mars 1950, M. Lambert est ingénieur à la S.N.C.F.¦ Il est marié.", "« Oui », dit-il.¦ Elle se tut.", "Voir ci-dessous (cf. fig. 3, p. 12).¦ Merci.",
		"Env. 50 % des cas, i.e. la moitié, guérissent.¦ C'est peu.",
		// Spanish, Portuguese, Italian.
		"Hola.¦ Me llamo Jonas.", "¿Cómo se llama usted?¦ Me llamo Jonas.", "¡Ahí está!¦ Lo veo.", "1. Apague el aparato¦ 2. Abra la tapa¦ 3. Cambie la pieza",
		"El Dr. Pérez vive en Sta. Cruz.¦ La Sra. Pérez, en Sto. Domingo.", "Ocurrió a las 3:30 p.m. del lunes.¦ Nadie lo vio.", "Véase el vol. 2, págs. 12-15.¦ También el ap. 3.",
		"Llegó tarde, i.e., a las 10.¦ Se disculpó.", "¡Ay, mi madre!¦ ¡Me caigo!",
		"Olá.¦ O meu nome é Jonas.", "Qual é o seu nome?¦ Chamo-me Jonas.", "A Dra. Ana P. Lima e o Sr. J. Dias saíram.¦ Fim.",
		"Ciao.¦ Mi chiamo Jonas.", "Come si chiama?¦ Mi chiamo Jonas.", "Eccolo!¦ Lo vedo.", "La Sig.ra Bianchi abita in Via Roma n. 12 a Torino.¦ Il Sig. Bianchi no.",
		"Il fatturato è di 1,5 mln. di euro, ca. il 3% in più.¦ Bene!", "1. Spegnere l'apparecchio¦ 2. Aprire il coperchio¦ 3. Cambiare il pezzo",
		// Dutch, Nordic.
		"Hallo.¦ Mijn naam is Jonas.", "Hoe heet je?¦ Ik heet Jonas.", "Daar is hij!¦ Ik zie hem.", "Afb. A geeft het weer.¦ Zie ook tab. B.",
		"Hij woont in de E.U. sinds 1990.¦ Zij ook.", "Hej verden.¦ Mit navn er Jonas.", "Hvad hedder du?¦ Jeg hedder Jonas.", "Der er han!¦ Jeg kan se ham.",
		"Han arbejder hos A. P. Møller i København.¦ Hun er cand.mag. i dansk.", "Det koster 5 kr.¦ Vil du have det?", "1. Sluk apparatet¦ 2. Åbn låget¦ 3. Skift delen",
		"Hon är f.d. lärare.¦ Han är bl.a. snickare.", "Minä olen Jonas.¦ Kuka sinä olet?",
		// Polish, Czech, Slovak.
		"Cześć.¦ Nazywam się Jonas.", "Jak się nazywasz?¦ Nazywam się Jonas.", "Tam jest!¦ Widzę go.", "Mieszkał w Warszawie w l. 1920–1930.¦ Potem wyjechał.",
		"Książka ma 300 s. i kosztuje 40 zł.¦ Polecam.", "1. Wyłącz urządzenie¦ 2. Otwórz pokrywę¦ 3. Wymień część", "Ahoj.¦ Jmenuji se Jonas.", "Bydlím v ul. Dlouhá 5, tel. 123 456 789.¦ Zavolej.",
		"Majiteľ firmy X, spol. s r. o., je známy.¦ Polícia ho hľadá.",
		"Prezident M. R. Štefánik zahynul v r. 1919.¦ Bol generál.",
		// Russian, Ukrainian, Bulgarian, Kazakh.
		"Привет.¦ Меня зовут Джонас.", "Как вас зовут?¦ Меня зовут Джонас.", "Вот он!¦ Я его вижу.", "Объём — 5 куб. м.¦ Масса — 3 кг.¦ Всё.", "Он приехал из г. Тулы, ул. Мира, 5.¦ Она — из д. Ивановка.",
		"1. Выключите прибор¦ 2. Откройте крышку¦ 3. Замените деталь", "Это было в 20-х гг. прошлого века.¦ Давно.", "Ж. Верн и Дж. Лондон — писатели.¦ Ч. Дарвин — учёный.",
		"Площадь — 5 тыс. кв. км.¦ Население — 2 млн. чел.¦ Столица — Тула.",
		"Привіт.¦ Мене звати Джонас.", "Здравей.¦ Казвам се Джонас.", "Той е роден на 5.VII.1950 г. в с. Драгоево.¦ Учи в София.", "Сәлем.¦ Менің атым Джонас.", "Сенің атың кім?¦ Менің атым Джонас.",
		"Ол Абай ат. университетте оқыды.¦ Қазір дәрігер.", "Ә. Бөкейхан мен М. Дулатұлы кездесті.¦ Олар дос еді.",
		// Greek, Turkish, Armenian.
		"Γεια σας.¦ Με λένε Γιώργο.", "Πώς σε λένε;¦ Με λένε Γιώργο.", "Σήμερα είναι Τρίτη.¦ Πού είσαι;¦ Δεν σε βλέπω.", "Merhaba.¦ Benim adım Jonas.", "Adın ne?¦ Benim adım Jonas.", "İşte o!¦ Onu görüyorum.",
		"Բարև։¦ Իմ անունը Ջոնաս է։", "Ի՞նչ է քո անունը։¦ Իմ անունը Ջոնաս է։", "Քանի՞ տարեկան ես։¦ Ես 20 տարեկան եմ։",
		// Asian and others.
		"你好。¦我叫乔纳斯。", "你叫什么名字？¦我叫乔纳斯。", "安永已聘请律师。¦“我们很满意。”¦他们说得对。", "第一步：关闭电源；第二步：打开盖子。¦完成。", "他大喊：“救命！救命啊！”¦没人来。",
		"こんにちは。¦私の名前はヨナスです。", "お名前は何ですか？¦ヨナスです。", "これはペンです。¦それはマーカーです。", "「ありがとう。」¦彼女は笑った。", "彼女は「うん！」と答え、走り出した。¦早かった。",
		"안녕하세요.¦ 제 이름은 요나스입니다.", "이름이 뭐예요?¦ 요나스예요.", "नमस्ते।¦ मेरा नाम जोनास है।", "आपका नाम क्या है?¦ मेरा नाम जोनास है।", "सच्चाई यह है कि...¦ कोई नहीं जानता।", "नमस्कार.¦ माझे नाव जोनास आहे.", "तुझे नाव काय आहे?¦ माझे नाव जोनास आहे.",
		"مرحبا.¦ اسمي يوناس.", "ما اسمك؟¦ اسمي يوناس.", "سلام.¦ نام من یوناس است.", "نام شما چیست؟¦ نام من یوناس است.", "ہیلو۔¦ میرا نام یوناس ہے۔", "آپ کا نام کیا ہے؟¦ میرا نام یوناس ہے۔", "שלום.¦ שמי יונס.", "מה שמך?¦ שמי יונס.",
		"ሰላም።¦ ስሜ ዮናስ ነው።", "ስምህ ማን ነው?¦ ዮናስ ነው።", "မင်္ဂလာပါ။¦ ကျွန်တော့်နာမည် ဂျိုးနပ်စ် ပါ။", "ሰላም!¦ ደህና ነህ?¦ አዎ።",
	)
}

// A third set: habits of English that textbooks on cutting sentences name, in
// words of our own.
func TestBlindThird(t *testing.T) {
	t.Parallel()
	requireCases(t,
		"The pod was killed.¦Then Mr. Lee came.¦That was on Monday.¦Mr. Lee used 1,500.¦It was too much.",
		"Ask Tom and co. about it.¦ Tom and co. know.", "We bought it from Miller & Co. in May.¦ We also asked Miller & Co.¦ They refused.",
		"He left at 8 P.M.¦ Dr. Grey was tired.",
		"It costs $250.00 per node.¦ It costs $250.00.¦ That is cheap.", "He runs the team (He came in 2019.) in Berlin.",
		"Write to Ann.Lee@example.org.¦ She will answer.", "The page is: https://docs.example.50.org/new/a_b.html.¦ Please read it.",
		"He looked up, \"It is done.\" he said.", "He looked up, \"It is done.\"¦ He left.", "Stop!!¦ That is enough.", "Stop?¦ Why not.", "What?!¦ You again?", "No!?¦ Yes.",
		"It stands under N°. 12.34.56.¦ Look there.", "You and I.¦ Did you meet Paul I. Stone?", "Ask him and I.¦ He knows.",
		"The book says “the rules will seem simpler. . . .”¦ True.", "\"Lee [...] says that it [...] works\" (Lee 12).",
		"It ends here . . . .¦ Next one.", "I never said so....¦ He left.", "I was ... well, you see ... I mean . . . no.",
		"A habit that faded . . . was that of waiting.",
		"1.) Drain it.¦ 2.) Stop it.", "1) drain it¦ 2) stop it", "1. Drain it.¦ 2. Stop it.", "• 1. Drain it¦ • 2. Stop it", "a. drain it¦ b. stop it¦ c. start it",
		"His name is Q. R. Stone Jr. and he lives here.", "I saw Mt. Elbrus.¦ It is high.", "St. Anne's is on 9th st. near the bridge.", "This is Bill Ford Jr.'s car.",
		"They work for the U.S. Department of Energy.¦ I worked in the U.S. for years.", "He lives in the E.U.¦ What about her?",
		"Turn to p. 90 and pp. 12-14.", "It left at 5 p.m. and came at 6 a.m. on Tuesday.", "He has an M.A. and a Ph.D. in law.¦ So what?",
		"The val. of x is 2.5.¦ So is y's.", "They asked the ins. company.¦ It paid.", "Is that No. 9, the tall one?", "Sec. 12 and Art. 9 apply.",
		"“Is it you?” asked the man.¦ “It’s me!” she cried.¦ They hugged.", "'Is it you?' asked the man.¦ 'It's me.'", "He said ‘No. Never.’ and sat down.",
		"Dear Sir or Madam,", "Yours, J. Doe", "Q: Why?¦ A: Because.", "Note 1.¦ See below.", "Rock 'n' roll is dead.¦ Long live rock 'n' roll!",
		"The children's toys.¦ The boys' toys.¦ James' toys.", "It was in the '80s.¦ It was great.", "I'm 6'2\" tall.¦ She's 5'4\".",
		"Temperatures of -5 °C to +3.5 °C are normal.¦ At 20 °C it melts.", "Use a 3.5\" disk.¦ Or a CD.", "Let x = 3.5 and y = .5.¦ Then x > y.",
		"He (Mr. Fox) and she (Mrs. Fox) left.¦ [They came back.]¦ {Both.}", "The so-called “S.O.S.” signal was sent.¦ Help came.", "J. S. Bach's works, e.g. the B minor Mass, are long.",
		"Go to Start > Run... and type cmd.¦ Press Enter.", "Click Save as... to keep it.", "Wait for “Done.”, then close it.", "Is it ‘on’ or ‘off’?¦ On.",
		"Items: apples; pears; plums.¦ Total: 3.", "It was 3:15 p.m. (EST).¦ We left.", "Mr. O'Neil and Ms. D'Arcy met Prof. McKay.¦ They talked.",
		"The firm, est. 1990, has approx. 50 emp. in Rome.¦ It grows.", "See www.a-b.com/c.d?e=f.g#h.i for more.¦ Good luck.", "Send 1 oz. of gold, 2 gal. of oil and 3 qt. of milk.",
		"That was in Oct. 2010.¦ It rained.", "On Tues. the 3rd it rained.¦ On Wed. it did not.", "Add 5 g. of salt.¦ Stir for 2 min. and serve.",
	)
}

// A fourth set: news, letters and hurried authors of many languages.
func TestBlindFourth(t *testing.T) {
	t.Parallel()
	requireCases(t,
		"Afk. aanw. vnw. in het woordenboek.¦ Zie ook bijv. nw.", "De hr. Jansen is v. mening dat dit klopt.¦ Wij niet.", "Zij zei: „Nee.”¦ Hij zei: „Ja.”",
		"Buongiorno!¦ Sono l'Ing. Rossi.¦ È in casa l'Avv. Bini?", "Ci vediamo mar. 12 nov. alle 3.¦ A presto.", "La centr. elettr. si è guastata.¦ I tecn. sono arrivati.", "«Ogni uomo è solo.», disse il poeta.¦ Poi tacque.",
		"Il prezzo è di 12.500.000,00 €!¦ Troppo.", "Gent.ma Sig.ra Neri, La ringrazio.¦ A presto.",
		"Vivo en E.U.¦ ¿Y tú?", "«Nadie es perfecto.», dijo el poeta.¦ Calló.", "El art. 3.2 del T.C. no vale.¦ Lo dijo la S.ª Ilma.", "Cuesta 1.250,00 €.¦ ¿Caro?¦ ¡No!",
		"El aviso (N°. 12.345) es nuevo.¦ El otro no.", "Estimado Sr. López: Le escribo por su carta del 3 de ene. de 2020.¦ Atentamente.",
		"Με συγχωρείτε· πού είναι το λιμάνι;¦ Την Κυριακή δεν ήταν κανένας.¦ το κόστος ήταν 3.500,00 €.", "Ο Γ. Σεφέρης γεννήθηκε το 1900.¦ Πήρε το Νόμπελ.",
		"он пришёл домой.¦ она уже ушла.¦ почему?¦ никто не знает.", "Нужно купить 1)хлеб 2)соль.¦ Больше ничего.", "Список: 1.хлеб, 2.соль, 3.рис.¦ Всё.", "Скорость — 100 км/ч.¦ Это много.", "Кв. 12 на 3-м этаже.¦ Лифта нет.",
		"Он решил пример \"3 + (14:7) = 5\" сразу.¦ Молодец.", "«Где мама?» — кричала девочка.¦ Никто не ответил.", "Девочка кричала: «Где мама?».¦ Никто не ответил.", "Сегодня 27.10.14.¦ Завтра 28.10.14.",
		"Халықтың жағдайы.¦XVIII ғасырдың басында соғыс болды.", "Оның салмағы 75 кг.¦ Бойы биік.",
		"それは父の\n本です。¦次です。", "これはペンです．¦それは本です．", "率は「３．２９％以上になる」と指摘した。¦終わり。", "すごい！！¦本当ですか？", "（注）詳細は図3を参照。¦以上。",
		"我们去看《快跑！爸爸》好吗？¦好！", "她问：“几点了？”我说：“三点。”", "市长表示，“我们会努力。”¦记者离开了。", "第1条 总则。¦第2条 范围。", "注意：温度不得超过37.5℃。¦否则停机！",
		"„Das nehme ich leicht. Es ist mir egal“, sagte Maier.¦ Dann ging er.", "Beim 10. Versuch klappte es.¦ Endlich!", "Sehr geehrte Frau Dr. Kühn, vielen Dank für Ihr Schreiben vom 3. d. M. und die Anlagen.¦ Mit freundlichen Grüßen",
		"ich komme heute später.¦ wartet nicht auf mich.¦ ist das ok?¦ danke.", "Die Verf. hat recht.¦ Die Hrsg. nicht.", "Es gilt Art. 5 Abs. 1 lit. a DSGVO.¦ Erwägungsgrund 39 auch.",
		"„Beriem to na ľahkú váhu. Nezaujíma ma to,“ povedal.¦ A odišiel.", "Podarilo sa to až na 10. pokus, ale stálo to za to.¦ Naozaj.", "Zákon č. 350/1996 Z. z. o rokovacom poriadku platí.¦ Dodnes.", "V r. 2003 žilo v 2. okrese 5 tis. ľudí.¦ Dnes viac.",
		"j'habite à Paris.¦ et toi, tu habites où ?", "M. le Président, MM. les députés, la séance est ouverte.¦ Merci.", "Le film (sorti en 2010. Un succès !) passe ce soir.¦ À 21 h.", "Il a dit « non ».¦ Puis « oui ».",
		"O dr. J. P. Nunes, da Univ. de Lisboa, falou.¦ Gostei.", "eu moro em Lisboa.¦ você mora onde?¦ eu também.", "V. Ex.ª tem razão.¦ O Sr. Dr. Juiz decidirá.",
		"Zdarzyło się to ok. godz. 12 w pow. radomskim.¦ Nikt nie widział.", "nie wiem co robić.¦ może ty wiesz?", "Jan Kowalski (ur. 1950, zm. 2000) był poetą.¦ Pisał wiersze.",
		"Sayın Prof. Dr. Ali Can, mektubunuzu aldık.¦ Saygılarımızla.", "T.C. Anayasası'nın 2. maddesi şöyledir.¦ Okuyun.", "ben geldim.¦ sen neredesin?",
		"Hun er født d. 3. maj 1950 i Kbh.¦ Han er fra Aarhus.", "Jf. bekg. nr. 12 af 3. maj 2010 gælder dette.¦ Læs den.", "jeg er træt.¦ hvor er du?", "Kl. 12.30 spiste vi.¦ Kl. 14 gik vi.",
		"كتب د. طه حسين كتاباً في 1929م.¦ هل قرأته؟", "قالت: «لا أعرف.»¦ سكتت بعدها.", "هي مريضة؛ لم تأتِ.¦ سننتظر!", "آقای رضایی، شما کجایی هستید؟¦ من تهرانی\u200cام.",
		"د پوهنتون استاد راغی.¦ دی ښه سړی دی.", "আমি বাড়ি যাই।¦ তুমি কোথায়?", "நான் வீட்டுக்குப் போகிறேன்.¦ நீ எங்கே?", "ฉันชื่อมานี!¦ เธอล่ะ?", "გამარჯობა.¦ მე მქვია იონა.¦ შენ?",
		"Xin chào.¦ Tôi tên là Nam.¦ Bạn tên gì?", "TP. Hồ Chí Minh rất đông.¦ Hà Nội cũng vậy.", "Nama saya Budi.¦ Siapa nama Anda?", "Habari.¦ Jina langu ni Juma.¦ Wewe je?",
	)
}
