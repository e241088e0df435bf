package generate

// The built-in generator's texts. Each is a list of wordings, of which the first without a word to avoid is used. Paragraphs
// never begin with a name in braces, so that no sign in it can begin a line.

// need says what a sentence speaks of and so cannot do without.
type need int

const (
	needsNothing need = iota
	needsTone
	needsAudience
)

// outlineSentence is one sentence in several wordings.
type outlineSentence struct {
	wordings []string
	needs    need
}

// outlineSection is a heading with paragraphs and a list.
type outlineSection struct {
	heading    []string
	paragraphs [][]outlineSentence
	list       [][]string
}

// outlineQuestion is a question with its answer.
type outlineQuestion struct{ question, answer []string }

func say(wordings ...string) outlineSentence { return outlineSentence{wordings: wordings} }

var (
	outlineTitles = []string{
		"{Keyword}: an outline to build on", "{Keyword}: a draft to start from", "{Keyword}: the sketch of an article",
	}
	outlineMetaTitles = []string{"{Keyword}: an outline", "{Keyword}: a first draft", "{Keyword}"}

	outlineMetaDescriptions = []string{
		"An outline about {keyword}: what readers ask, what to compare, which mistakes to avoid, and what to check before publishing.",
		"A first draft about {keyword} with the questions, comparisons and checks that a finished article should have.",
	}

	// outlineNotices say what wrote the text. One of them must stand.
	outlineNotices = []string{
		"This outline about {keyword} was laid out by the built-in generator of Pressroom, which works without a language model. " +
			"It gives the article its shape and says what belongs where; the facts, figures and examples are for an editor to add.",
		"This draft about {keyword} comes from the built-in generator of Pressroom and not from a person or a language model. " +
			"Somebody who knows the subject has to complete it.",
		"Pressroom's built-in generator made this text about {keyword}.",
	}

	outlineIntroduction = []outlineSentence{
		say("A good opening tells readers of {site} in two or three sentences what they will get and for whom it is meant.",
			"Open with what visitors of {site} gain, in two or three plain lines."),
		say("Name the situation that makes somebody look for {keyword}, then promise one clear result.",
			"Describe why people search for {keyword}, and say what they will know at the end."),
		{needs: needsAudience, wordings: []string{
			"The audience is described as follows, and every example should suit it: {audience}.",
			"It is meant for: {audience}."}},
		{needs: needsTone, wordings: []string{"The tone that was asked for is: {tone}.", "Keep it {tone}."}},
	}

	outlineSecondaryHeading = []string{"Topics that belong here as well", "Related subjects"}
	outlineSecondary        = [][]string{
		{
			"{secondary}, write one paragraph that says how it relates to {keyword}, and answer the first " +
				"question that comes up.",
			"{secondary}, add a short part."},
		{"{secondary}, explain when it matters and when it does not, with one example from practice.", "{secondary}, give an example."},
		{
			"{secondary}, collect what readers mix up most often and put it straight in a few sentences.",
			"{secondary}, clear up what is often confused."},
	}
)

var outlineSections = []outlineSection{
	{
		heading: []string{"What readers want to know about {keyword}", "What people ask about {keyword}"},
		paragraphs: [][]outlineSentence{{
			say("Start from the questions and not from what there is to tell.", "Begin with questions."),
			say(
				"Somebody who types these words into a search engine wants to understand, to compare, to buy or to "+
					"repair something, and the article should decide early which of these it serves.",
				"A visitor wants to learn, choose, buy or mend, so pick one of these aims and stay with it."),
			say(
				"Talk to people who answer such questions every day, in the shop, on the phone or in the workshop, "+
					"and write down the words that they hear.",
				"Ask colleagues from sales and support which words they hear most."),
		}},
		list: [][]string{
			{"What is it, in one sentence that a beginner understands?", "A definition in one plain sentence."},
			{"Who needs it, and who is better off with something else?", "Whom it suits, and whom it does not."},
			{"What does it cost, in money, time and attention?", "The price, counted in money and in time."},
			{"How does one tell good from bad before deciding?", "Signs of quality that can be checked beforehand."},
		},
	},
	{
		heading: []string{"The short answer", "In brief"},
		paragraphs: [][]outlineSentence{{
			say(
				"Give the most useful answer in the first screen, in three or four sentences, without asking anybody "+
					"to scroll.",
				"Put the main answer first, in a few lines."),
			say("Those in a hurry will leave with something of value, and those with time will read on because they trust the text.",
				"Hurried visitors get what they came for; the others stay."),
			say(
				"State the one exception that matters most, so that the answer is not only short but also right.",
				"Mention the most important exception."),
		}},
	},
	{
		heading: []string{"A closer look at {keyword}", "More about {keyword}"},
		paragraphs: [][]outlineSentence{
			{
				say(
					"This is the longest part of the article, and the one that only somebody with experience can "+
						"complete.",
					"This part needs somebody with experience."),
				say(
					"Go through the subject in the order in which a reader meets it: before the decision, at the "+
						"decision, during the first weeks, and after a year.",
					"Follow the order of events: before, during and after."),
				say(
					"Use one concrete case from beginning to end instead of many general remarks, and say where the case "+
						"is typical and where it is not.",
					"One worked case says more than many general remarks."),
			},
			{
				say(
					"Explain every technical term the first time that it appears, and use the same term from then on.",
					"Define terms once and keep to them."),
				say(
					"If a number is needed, name its source and its date, and leave it out where neither is known.",
					"Numbers need a source and a date."),
				say(
					"A small table often does more here than a page of prose, above all when three or more things are "+
						"compared by the same points.",
					"Consider a table where several things are compared."),
			},
		},
	},
	{
		heading: []string{"How to compare and choose", "Making a choice"},
		paragraphs: [][]outlineSentence{{
			say("Offer a short list of points by which anybody can decide without you.", "Give points that help to decide."),
			say(
				"Order them by weight, begin with the one that rules most options out, and say for each how to check "+
					"it at home or in the shop.",
				"The point that rules most options out comes first."),
		}},
		list: [][]string{
			{"Purpose: which task has to be done, how often, and under which conditions?", "The task, and how often it comes up."},
			{"Fit: what has to match what is already there?", "What it has to match."},
			{"Quality: which details show that it will last?", "Details that show it will last."},
			{"Effort: what has to be learned, prepared or maintained?", "The work that it takes."},
			{
				"Budget: what is the least that makes sense, and from where on does more money change little?",
				"A sensible range of prices."},
		},
	},
	{
		heading: []string{"Common mistakes and how to avoid them", "What often goes wrong"},
		paragraphs: [][]outlineSentence{{
			say("Readers remember mistakes better than rules, because they recognise themselves.", "Mistakes are remembered well."),
			say(
				"Describe three or four that you have seen more than once, each in the same form: what happens, why "+
					"it happens, how to notice it early, and what to do then.",
				"Take a few that you have seen, and tell cause, sign and remedy of each."),
			say(
				"Be kind in the wording; nobody likes to be laughed at while learning about {keyword}.",
				"Stay friendly: whoever asks about {keyword} wants help."),
		}},
	},
	{
		heading: []string{"Sources and examples to collect", "What to gather before writing"},
		paragraphs: [][]outlineSentence{{
			say(
				"An article on {keyword} earns trust by what stands behind it.",
				"Trust in a text on {keyword} comes from what stands behind it."),
			say(
				"Ask somebody who works with the subject for an hour of their time, take two photographs of your "+
					"own, and keep the names and dates of everything that is quoted.",
				"An hour with an expert, own pictures and exact references go a long way."),
			say("Look at the pages that are found first today, note what all of them leave out, and put that in.",
				"See what other pages leave out, and put that in."),
		}},
	},
	{
		heading: []string{"A plan in five steps", "Step by step"},
		paragraphs: [][]outlineSentence{{
			say("Close the main part with something that can be done today.", "End with something to do."),
		}},
		list: [][]string{
			{"Write down the aim in one sentence and how you will know that it is reached.", "Note the aim."},
			{"Collect what is already there, and strike out what does not serve the aim.", "Look at what is there."},
			{"Compare two or three options by the points above, no more.", "Compare a few options."},
			{"Try the best one on a small scale, and take notes.", "Try one out."},
			{"Look back after a month, keep what worked, and change one thing at a time.", "Review it after a month."},
		},
	},
}

var outlineClosing = outlineSection{
	heading: []string{"Before this goes live", "Last checks"},
	paragraphs: [][]outlineSentence{{
		say(
			"Whoever reviews this outline on {keyword} should replace every instruction with real text, have the "+
				"facts checked by a second person, and add links to pages of {site} that go deeper.",
			"An editor has to turn these notes on {keyword} into finished text."),
		say("Read it aloud once, cut what you stumble over, and approve it only when each section answers the question in its heading.",
			"Read it aloud, shorten it, and then decide."),
	}},
}

var outlineQuestions = []outlineQuestion{
	{
		question: []string{"How would one explain {keyword} in one sentence?", "What does {keyword} mean?"},
		answer: []string{
			"That sentence belongs here. The built-in generator lays out articles and knows no facts, so an editor has to write it.",
			"An editor has to answer this one.",
		},
	},
	{
		question: []string{"Was this text about {keyword} written by a language model?", "Who wrote this about {keyword}?"},
		answer: []string{

			"No. It is an outline from the built-in generator, which fills fixed texts with the keyword. Connect " +
				"a model to get written articles.",
			"Nobody yet: the built-in generator put it together from fixed texts.",
		},
	},
	{
		question: []string{"What should be done before it is published?", "What comes next?"},
		answer: []string{
			"Replace the instructions with real text, check the facts, add sources and links, and read it once from beginning to end.",
			"Complete it, check it, and read it once more.",
		},
	},
}
