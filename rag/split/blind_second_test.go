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
