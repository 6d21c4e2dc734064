package split_test

import "testing"

func TestPolishCases(t *testing.T) {
	t.Parallel()
	requireCases(t,
		"Urodził się 3 maja 1920 r. w Krakowie przy ul. Długiej 5.¦ Zmarł w 1999 r.¦ Był lekarzem.",
		"W 1920 r. Polska wygrała wojnę.¦ W XIX w. Polski nie było.",
		"„Nie wiem. Może jutro” – powiedział.¦ „Idziesz?” – zapytała Anna.",
		"– Dokąd idziesz?¦ – Do domu – odparł.",
		"Prof. dr hab. Jan Kowalski, mgr inż. A. Nowak i płk. Zieliński przyszli o godz. 14.30.¦ Potem wyszli.",
		"Zob. s. 12 i nast., rys. 3 oraz tab. 2.¦ Art. 5 ust. 2 pkt 3 nie obowiązuje.",
		"Kupiłem m.in. chleb, mleko itd.¦ Resztę kupię jutro.",
		"Dawka to 2,5 mg/kg mc., tj. ok. 150 mg, przez 5 dni.¦ Potem odstawić.",
		"Firma Kowalski sp. z o.o. sprzedała 1,5 mln akcji za 20 tys. zł.¦ Zysk był duży.",
		"Np. węzeł nr 5 działa.¦ Węzeł nr 6 nie.",
		"To jest tzw. awaria, tzn. nic nie działa.¦ Zrestartuj usługę.",
		"Ks. J. Popiełuszko i św. Jan Paweł II. są znani.¦ Wszyscy ich znają.",
		"Co to jest?!¦ Nie wiem...¦ Może nic.",
		"Dnia 5. maja odbyło się spotkanie.¦ Było miło.",
		"Mieszka na os. Leśnym, a wcześniej przy al. Jana Pawła II 5.¦ Lubi to miejsce.",
	)
}

func TestCzechAndSlovakCases(t *testing.T) {
	t.Parallel()
	requireCases(t,
		"Sejdeme se 1. května v 10.30 hod. na nádraží.¦ Přijď včas.",
		"„Nevím. Možná zítra,“ řekl.¦ „Jdeš?“ zeptala se.",
		"Viz str. 12, obr. 3 a tab. 2.¦ Podle § 5 odst. 2 písm. a) to neplatí.",
		"Koupil jsem např. chléb, mléko atd.¦ Zbytek koupím zítra.",
		"MUDr. Jan Novák, Ph.D., a Ing. Petr Svoboda, CSc., přišli.¦ Prof. Dvořák ne.",
		"Firma Novák s.r.o. prodala 1,5 mil. akcií za 20 tis. Kč.¦ Zisk byl velký.",
		"Karel IV. byl král.¦ V 19. století to bylo jiné.",
		"Žil ve 3. stol. př. n. l. v Římě.¦ Pak zemřel.",
		"Dávka je max. 2,5 mg/kg, tj. cca 150 mg.¦ Poté vysadit.",
		"Co to je?!¦ Nevím...¦ Asi nic.",
		"Narodil sa 5. januára 1950 v Nitre, t. j. na Slovensku.¦ Zomrel v r. 1999.",
		"Pozri s. 12 a obr. č. 3.¦ Čl. 5 ods. 2 zákona č. 40/1964 Zb. neplatí.",
		"Firma A, a. s. a firma B, s. r. o. sa spojili.¦ Vznikla nová.",
		"„Kam ideš?“ opýtala sa.¦ „Domov.“¦ A odišiel.",
		"Bývam na Hlavnej ul. 5 v Košiciach.¦ Mám tam byt.",
		"V 2. polovici 18. storočia žil aj J. I. Bajza.¦ Písal romány.",
	)
}

func TestRussianCases(t *testing.T) {
	t.Parallel()
	requireCases(t,
		"А. П. Чехов родился в 1860 г. в Таганроге.¦ Он был врачом.",
		"В 1945 г. Германия капитулировала.¦ В XIX в. Россия росла.",
		"— Куда ты идёшь? — спросил он.¦ — Домой.¦ — Ясно.",
		"«Не знаю. Может быть, завтра», — сказал он.¦ «Идёшь?» — спросила она.",
		"См. стр. 12, рис. 3 и табл. 2.¦ Ст. 5 п. 2 ГК РФ не действует.",
		"Купил хлеб, молоко и т. д.¦ Остальное куплю завтра.",
		"Это т. н. авария, т. е. ничего не работает.¦ Перезапустите службу.",
		"Доза 2,5 мг/кг, макс. 150 мг в сут., в течение 5 дней.¦ Затем отменить.",
		"Он живёт в г. Москве на ул. Ленина, д. 5, кв. 12.¦ Тел. 123-45-67.",
		"Прибыль составила 1,5 млн руб. за год.¦ Убыток — 20 тыс. руб.¦ Это много.",
		"Проф. Иванов и акад. И. П. Павлов пришли.¦ Д-р Сидоров нет.",
		"Что это?!¦ Не знаю...¦ Наверное, ничего.",
		"В 5 в. до н. э. жил Сократ.¦ Он пил яд.",
		"Это случилось 3 мая 2005 г.¦ Потом всё изменилось.",
		"Он спросил: «Где ты?»¦ Она молчала.",
		"Подошёл Иван (он был болен. Это знали все) и сел.",
		"Слово.¦Другое предложение.",
	)
}

func TestUkrainianAndBulgarianCases(t *testing.T) {
	t.Parallel()
	requireCases(t,
		"Т. Г. Шевченко народився 1814 р. в с. Моринці.¦ Він був поетом.",
		"У 1991 р. Україна стала незалежною.¦ Це сталося в серпні.",
		"— Куди йдеш? — спитав він.¦ — Додому.",
		"Див. с. 12, рис. 3 і табл. 2.¦ Ст. 5 не діє.",
		"Купив хліб, молоко тощо.¦ Живе на вул. Шевченка, буд. 5, кв. 12, у м. Києві.",
		"Доза становить 2,5 мг/кг, тобто прибл. 150 мг на добу.¦ Потім припинити.",
		"Сума 20 тис. грн. за рік.¦ Це багато.",
		"Роден е на 5 май 1950 г. в гр. София.¦ Починал е през 1999 г.¦ Бил е лекар.",
		"Вж. стр. 12, фиг. 3 и табл. 2.¦ Чл. 5, ал. 2 не се прилага.",
		"Живее на ул. „Витоша“ № 5, ет. 3, ап. 7.¦ Тел. 123456.",
		"„Къде отиваш?“ – попита тя.¦ „Вкъщи.“",
		"Проф. д-р Иванов и инж. Петров дойдоха в 14.30 ч. на срещата.¦ Доц. Колев не дойде.",
		"През XIX в. България е под османска власт.¦ През 1878 г. тя е освободена.",
		"Купих хляб, мляко и др.¦ Останалото утре.",
		"Дозата е 2,5 мг/кг, т.е. ок. 150 мг, напр. след хранене.¦ После спрете.",
		"Печалбата е 1,5 млн. лв. за година.¦ Загубата е 20 хил. лв.",
	)
}
