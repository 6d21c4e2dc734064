package split

// starter says that the word commonly starts a sentence, so that an
// abbreviation before it ended the last one.
func starter(w string) bool {
	switch w {
	case "A", "About", "Above", "According", "Accordingly", "Additionally", "After", "Afterwards", "Again", "All", "Also", "Although", "Always", "Among", "An", "And", "Another", "Any",
		"Anyone", "Apply", "Are", "As", "Ask", "At", "Be", "Because", "Before", "Below", "Besides", "Both", "But", "By", "Can", "Check", "Clearly", "Click", "Consequently", "Consider",
		"Could", "Currently", "Despite", "Did", "Do", "Does", "Don", "Due", "During", "Each", "Earlier", "Either", "Even", "Eventually", "Every", "Everyone", "Except", "Few", "Finally",
		"First", "Following", "For", "Fortunately", "From", "Further", "Furthermore", "Generally", "Give", "Given", "Had", "Has", "Have", "He", "Hence", "Her", "Here", "His", "How",
		"However", "Hundreds", "I", "If", "Immediately", "In", "Indeed", "Initially", "Instead", "Is", "It", "Its", "Keep", "Last", "Later", "Let", "Like", "Likewise", "Look", "Lots",
		"Make", "Many", "May", "Maybe", "Meanwhile", "Might", "Millions", "More", "Moreover", "Most", "Much", "Must", "My", "Neither", "Never", "Nevertheless", "Next", "No", "Nobody",
		"None", "Nonetheless", "Nor", "Not", "Note", "Nothing", "Now", "Obviously", "Of", "Often", "On", "Once", "One", "Only", "Open", "Or", "Other", "Others", "Otherwise", "Our",
		"Over", "People", "Perhaps", "Please", "Possibly", "Previously", "Quite", "Rather", "Read", "Recently", "Remember", "Restart", "Run", "Same", "Second", "See", "Select", "Set",
		"Several", "Shall", "She", "Should", "Similarly", "Since", "So", "Some", "Someone", "Something", "Sometimes", "Soon", "Start", "Still", "Stop", "Such", "Suddenly", "Take",
		"Than", "That", "The", "Their", "Them", "Then", "There", "Therefore", "These", "They", "This", "Those", "Though", "Thousands", "Three", "Through", "Thus", "Till", "To", "Today",
		"Together", "Tomorrow", "Tonight", "Too", "Two", "Under", "Unfortunately", "Unless", "Unlike", "Until", "Up", "Upon", "Use", "Used", "Usually", "Verify", "Very", "Was", "We",
		"Well", "Were", "What", "Whatever", "When", "Whenever", "Where", "Whereas", "Whether", "Which", "While", "Who", "Whoever", "Whom", "Whose", "Why", "Will", "With", "Within",
		"Without", "Would", "Yes", "Yesterday", "Yet", "You", "Your":
		return true
	// German.
	case "Aber", "Am", "Auch", "Bei", "Da", "Dann", "Das", "Dem", "Den", "Der", "Des", "Die", "Dies", "Diese", "Dieser", "Doch", "Ein", "Eine", "Er", "Es", "Für", "Ich", "Ihr", "Im",
		"Mit", "Nach", "Nun", "Nur", "Sie", "Und", "Wenn", "Wer", "Wie", "Wir", "Wo", "Zu", "Zum", "Zur":
		return true
	// Danish, Norwegian, Swedish.
	case "Du", "Det", "Han", "Hun", "Hvad", "Hvem", "Hvor", "Hvordan", "Hvorfor", "Hur", "Jeg", "Jag", "Men", "Nu", "Och", "Og", "Så", "Vad", "Var", "Vi", "Vem":
		return true
	// French, Spanish, Italian, Dutch.
	case "Après", "Avant", "Avec", "Ce", "Ces", "Cette", "Comment", "Dans", "Elle", "Elles", "Et", "Il", "Ils", "Je", "La", "Le", "Les", "Mais", "Nous", "Où", "Pour", "Quand", "Si",
		"Un", "Une", "Vous", "Como", "Con", "Cuando", "El", "Ella", "Ellos", "En", "Esta", "Este", "Estos", "Las", "Lo", "Los", "Para", "Pero", "Por", "Se", "Tú", "Una", "Unos", "Y",
		"Yo", "Di", "Gli", "Lei", "Lui", "Ma", "Nel", "Nella", "Per", "De", "Een", "Het", "Hij", "Maar", "Wij", "Ze", "Zij":
		return true
	}
	return false
}
