package split_test

import "testing"

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
