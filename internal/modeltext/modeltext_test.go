package modeltext_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/modeltext"
	"github.com/pressroom-dev/pressroom/test/project"
)

// article has code at its beginning and its end, between which it has headings and a list.
const article = "```bash\npip install boots\n```\n\nTrail shoes keep you on the path. They grip.\n\n## Grip\n\n- Long lugs hold in mud.\n- Short lugs are faster.\n\n" +
	"Say `1 + 1`.\n\n```json\n{\"a\": [1]}\n```"

// prose begins and ends with a sentence.
const prose = "Trail shoes keep you on the path. They grip.\n\n## Grip\n\nLong lugs hold in mud.\n\n## Care\n\nWash them by hand."

func TestWhatIsNoTextIsTakenOff(t *testing.T) {
	for name, format := range map[string]string{
		"nothing": "%", "line ends of Windows": "\uFEFF%\r\n",

		"think": "<think>\n# Hm\n\nfirst\n</think>\n\n%", "thinking": "<thinking>hm</thinking>\n%", "capitals": "<Think>hm</THINK>%",
		"thought": "<thought>hm</thought>%", "reasoning": "<reasoning>\nhm\n</reasoning>\n%", "Seed": "<seed:think>hm</seed:think>%",
		"MiniMax": "<mm:think>hm</mm:think>%", "attributes": "<thinking budget=\"low\">hm</thinking>\n%", "Mistral": "[THINK]hm[/THINK]%",
		"Kimi": "◁think▷hm◁/think▷%", "Cohere": "<|START_THINKING|>hm<|END_THINKING|><|START_RESPONSE|>%<|END_RESPONSE|>",
		"OpenThinker": "<|begin_of_thought|>hm<|end_of_thought|>\n<|begin_of_solution|>\n%\n<|end_of_solution|>",
		"Apertus":     "<|inner_prefix|>hm<|inner_suffix|>%", "Gemma": "<|channel>thought\nhm\n<channel|>%", "scratchpad": "<scratchpad>\nhm\n</scratchpad>\n%",
		"a tag of its own":    "<inner_thoughts>\nhm\n</inner_thoughts>\n\n%",
		"an unknown element":  "<brainstorm>\nhm\n</brainstorm>\n\n%",
		"the closing tag":     "Okay, the user wants an article.\n</think>\n\n%",
		"it behind a word":    "Okay, the user wants an article.</think>\n\n%",
		"it before a word":    "Okay, the user wants an article.</think>%",
		"a fence in it":       "<think>\nI begin with ```markdown\n\n```markdown\n# A\n</think>\n\n%",
		"its tag in it":       "<think>I write no <think> in it.</think>\n</think>\n%",
		"two of them":         "<think>a</think>\n<think>b</think>\n%",
		"Hunyuan":             "<think>\nhm\n</think>\n<answer>\n%\n</answer>",
		"Ollama":              "Thinking...\nhm\n...done thinking.\n\n%",
		"channels":            "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>%<|return|>",
		"a constrained one":   "<|start|>assistant<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final <|constrain|>markdown<|message|>%",
		"the end of channels": "hm.<|end|><|start|>assistant<|channel|>final<|message|>%<|end|>",
		"bare channels":       "analysisWe need an article. Write it.assistantfinal%",
		"a commentary":        "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>commentary<|message|>I begin.<|end|><|start|>assistant<|channel|>final<|message|>%",

		"ChatML": "%<|im_end|>", "ChatML around": "<|im_start|>assistant\n%<|im_end|>\n", "Llama 3": "<|start_header_id|>assistant<|end_header_id|>\n\n%<|eot_id|>",
		"Llama 2": "<s>[INST] Write. [/INST] % </s>", "the end of its question": "[/INST] %", "BOS and EOS": "<s>%</s>", "EOS": "%\n</s>",
		"Gemma 3": "<start_of_turn>model\n%<end_of_turn>", "DeepSeek": "<｜Assistant｜>%<｜end▁of▁sentence｜>", "GPT": "%<|endoftext|>",
		"Phi": "<|assistant|>\n%<|end|>", "GLM": "[gMASK]<sop><|assistant|>\n%<|user|>", "SmolVLM": "%<end_of_utterance>", "Kimi's": "%<|im_end|>[EOS]",
		"several tokens": "%</s></s><|im_end|>", "a runaway": "%<|im_end|>\n<|im_start|>user\nNow about boots.<|im_end|>\n<|im_start|>assistant\nBoots are warm.",
		"Alpaca": "### Response:\n%\n\n### Instruction:\nNow about boots.", "a tokens' own line": "<|eot_id|>\n\n%",

		"a call": "%\n\n<tool_call>\n{\"name\": \"search\", \"arguments\": {}}\n</tool_call>", "a call before": "<tool_call>{\"name\": \"search\"}</tool_call>\n%",
		"a call of functions": "<function_calls>\n<invoke name=\"search\">\n<parameter name=\"q\">shoes</parameter>\n</invoke>\n</function_calls>\n%",
		"a function":          "<function=search>{\"q\": 1}</function>\n%",
		"calls of Mistral":    "%\n\n[TOOL_CALLS][{\"name\": \"search\"}]", "calls of Llama": "%\n<|python_tag|>search.call(query=\"shoes\")",
		"calls of DeepSeek": "%\n<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search\n{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
		"calls of Kimi":     "%\n<|tool_calls_section_begin|><|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>",
		"calls of MiniMax":  "%\n<minimax:tool_call>\n<invoke name=\"search\"></invoke>\n</minimax:tool_call>",
		"calls of Gemini":   "```tool_code\nprint(search())\n```\n\n%", "its results": "```tool_outputs\n[1]\n```\n\n%",
		"a call in a sentence": "<tool_call>{\"a\": 1}</tool_call>%\n\n<function_calls><invoke name=\"a\"></invoke></function_calls>",
		"a result":             "<tool_response>\n{\"a\": 1}\n</tool_response>\n\n%",

		"a fence": "```\n%\n```", "a fence of Markdown": "```markdown\n%\n```", "tildes": "~~~md\n%\n~~~", "a fence of text": "```text\n%\n```",
		"a longer fence": "````markdown\n%\n````", "no end of a fence": "```markdown\n%", "no end of a fence of tildes": "~~~\n%",
		"words around a fence": "Here is the article:\n\n```markdown\n%\n```\n\nI hope this helps!", "other words before": "As you wished:\n\n```md\n%\n```",
		"reasoning and a fence": "<think>hm</think>\n```markdown\n%\n```<|im_end|>",

		"YAML": "---\ntitle: \"Shoes: a guide\"\ntags:\n  - a\n---\n\n%", "TOML": "+++\ntitle = \"Shoes\"\ntags = [\"a\"]\n+++\n%",
		"front matter in a fence": "```markdown\n---\ntitle: Shoes\n---\n%\n```", "fields as lines": "**Title:** Shoes\n**Meta description:** How to choose.\n\n%",

		"an element around": "<article>\n%\n</article>", "an element of its own": "<answer>%</answer>", "an artifact": "<antArtifact type=\"text/markdown\">\n%\n</antArtifact>",
		"words and an element": "My answer is this.\n\n<answer>\n%\n</answer>", "the end of an element": "%\n</answer>",

		"words before": "Sure, here is the article:\n\n%", "words before a rule": "Here's your blog post!\n\n---\n\n%", "a word before": "Certainly!\n\n%",
		"bold words": "**Here is the rewritten section:**\n\n%", "a sentence before": "Sure! Here's the article you asked for.\n\n%", "German words": "Gerne! Hier ist der Artikel:\n\n%", "Spanish": "¡Claro! Aquí tienes el artículo:\n\n%",
		"words behind": "%\n\nI hope this helps!", "an offer": "%\n\n---\n\nLet me know if you'd like any changes.", "a count": "%\n\n(Word count: 812)",
		"an offer by choice": "%\n\nIf you'd like, I can make it shorter.", "leave to ask": "%\n\nFeel free to ask me for changes.", "leave to adapt": "%\n\nFeel free to adapt the article to your needs.",
		"a German offer": "%\n\nLass mich wissen, ob ich etwas ändern soll.", "a German one to tell": "%\n\nSag mir Bescheid, wenn etwas fehlt.", "a note about it": "%\n\nNote: this article was written for beginners.",
		"a French offer": "%\n\nN'hésitez pas à me dire si quelque chose manque.", "a Dutch offer": "%\n\nLaat me weten of je iets wilt veranderen.",
		"an Italian hope": "%\n\nSpero che questo ti sia utile!", "a Spanish hope": "%\n\nEspero que esto te sirva.", "a French hope": "%\n\nJ'espère que cela vous aide.",
		"both":    "Sure! Here is the article:\n\n---\n\n%\n\n---\n\n*Would you like me to write another one?*",
		"no rows": "Sure, here is the article:\n%",
	} {
		t.Run(name, func(t *testing.T) {
			for _, text := range []string{prose, article} {
				// Fences of the same length cannot hold code that has none of its own language.
				if text == article && (strings.Contains(format, "```") && !strings.Contains(format, "````") || strings.HasPrefix(format, "Sure, here is the article:\n%")) {
					text = prose + "\n\n```bash\npip install\n```\n\nThe end."
				}
				answer := strings.ReplaceAll(format, "%", text)
				if got := modeltext.Body(answer); got != text {
					t.Errorf("the body of %q is %q", answer, got)
				}
				if stray := modeltext.Stray(modeltext.Body(answer)); stray != "" {
					t.Errorf("%q is left", stray)
				}
			}
		})
	}
}

func TestMarksOfCitationsAreTakenOff(t *testing.T) {
	for _, mark := range []string{
		"【4†source】", " 【12:0†shoes.pdf】", "【7】", ":contentReference[oaicite:0]{index=0}", " [oaicite:3]", "[^1^]", "[^1^][^2^]", " [^1]", "[^1][^2]", "[1]", "[1][2]",
		" [1, 2]", "\uE200cite\uE202turn0search0\uE201", "citeturn0search0turn0search3", " turn1view0", "[cite: 1, 2]", " [1†source]",
	} {
		answer, want := "Shoes grip"+mark+". They hold"+mark+"\n\nYes.", "Shoes grip. They hold\n\nYes."
		if got := modeltext.Body(answer); got != want {
			t.Errorf("the body of %q is %q, want %q", answer, got, want)
		}
	}
}

func TestWhatIsPartOfTheTextIsKept(t *testing.T) {
	for name, text := range map[string]string{
		"code at both ends":       article,
		"plain code at both ends": "```\npip install\n```\n\n" + prose + "\n\n```\npip freeze\n```",
		"Markdown at both ends":   "```markdown\n# A\n```\n\n" + prose + "\n\n```markdown\n# B\n```",
		"a block of Markdown":     prose + "\n\nWrite this:\n\n```markdown\n## A\n\nText.\n```\n\nThat is all.",
		"words and code":          "Run this:\n\n```\nfor a in b; do\n  echo \"$a\"\ndone\n```",
		"another language":        "```python\nprint(1)\n```",
		"a tag in a sentence":     "Models write <think> and </think> in a line, or <|im_end|> and [INST] within a sentence, and </think> too.\n\n" + prose,
		"a tag in code":           "Models write `<think>`, `</think>` and `<|im_end|>`.\n\n```xml\n<think>\nhm\n</think>\n```\n\n```\n<|im_start|>assistant\nHi<|im_end|>\n</s>\n```\n\n" + prose,
		"a tag at a line's end":   "The reasoning ends in `</think>`\n\n" + prose,
		"channels in code":        prose + "\n\n```\n<|channel|>final<|message|>Hi<|return|>\n```\n\nThe end.",
		"marks in code":           prose + "\n\n`【4†source】` and `[^1^]` and `a[1]` are marks: `turn0search0`.",
		"footnotes":               prose + " It is so.[^1]\n\n[^1]: A source of it.",
		"a list of sources":       prose + " It is so [1].\n\n- [1] A source.",
		"a link by number":        prose + " See [1](/a) and [2][a1].",
		"struck out":              "It costs <s>3</s> 2.\n\n" + prose + " <s>No</s>",
		"a rule at the beginning": "---\n\nShoes: they grip.\n\n---\n\n" + prose,
		"rules in it":             prose + "\n\n---\n\nMore of it.",
		"a question first":        "Here is what matters:\n\n- Grip\n- Fit\n\n" + prose,
		"a sure beginning":        "Sure, shoes cost money. Here they cost less.\n\n" + prose,
		"an invitation":           prose + "\n\nLet us know in the comments which shoes you run in.",
		"a disclaimer":            prose + "\n\nNote: this article is no medical advice.",
		"an option":               prose + "\n\nIf you'd like, add a second pair of laces.",
		"a free choice":           prose + "\n\nFeel free to adjust the lacing to your feet.",
		"a last question":         prose + "\n\nIs there anything else to look at? Yes: the sole.",
		"a German invitation":     prose + "\n\nSag mir in den Kommentaren, welche Schuhe du trägst.",
		"a German one to tell":    prose + "\n\nLass mich in den Kommentaren wissen, was du trägst.",
		"a German hope":           prose + "\n\nIch hoffe, dieser Artikel hat die Wahl erleichtert.",
		"a French invitation":     prose + "\n\nN'hésitez pas à me suivre pour d'autres conseils.",
		"a French hope":           prose + "\n\nJ'espère que cet article vous a aidé à choisir.",
		"a Spanish hope":          prose + "\n\nEspero que este artículo te ayude a elegir.",
		"an Italian hope":         prose + "\n\nSpero che questo articolo ti abbia aiutato.",
		"a Dutch invitation":      prose + "\n\nLaat me weten wat je draagt in de reacties.",
		"a Portuguese hope":       prose + "\n\nEspero que este artigo ajude na escolha.",
		"a hope":                  prose + "\n\nI hope this guide made the choice easier.",
		"HTML":                    "<details>\n<summary>More</summary>\n\nText.\n\n</details>\n\n" + prose,
		"HTML around":             "<table><tr><td>a</td></tr></table>",
		"brackets of Japanese":    "【重要】靴は大切です。\n\n【まとめ】以上です。",
		"instructions":            prose + "\n\n### Instructions\n\n1. Wash.\n2. Dry.",
		"a dialogue":              "Anna: Which shoes?\n\nBen: These.\n\n" + prose,
		"generics":                "Use `List<String>` or List<Answer> in Java.\n\n" + prose,
	} {
		t.Run(name, func(t *testing.T) {
			if got := modeltext.Body(text); got != text {
				t.Errorf("got %q, want %q", got, text)
			}
		})
	}
}

func TestAnAnswerWithoutATextHasNone(t *testing.T) {
	for name, answer := range map[string]string{
		"nothing": " \n", "reasoning": "<think>I will write", "reasoning that ends": "<think>hm</think>", "analysis": "<|channel|>analysis<|message|>I will write",
		"a call in a channel": "<|channel|>commentary to=functions.search <|constrain|>json<|message|>{}<|call|>", "a call": "<tool_call>{\"name\": \"a\"}</tool_call>",
		"calls": "[TOOL_CALLS][{\"name\": \"a\"}]", "a token": "<|im_end|>", "an open call": "<tool_call>\n{\"name\": \"a\"",
		"reasoning in reasoning": strings.Repeat("<think>a</think>\n", 40),
	} {
		t.Run(name, func(t *testing.T) {
			if got := modeltext.Body(answer); got != "" {
				t.Errorf("got %q, want nothing", got)
			}
		})
	}
}

func TestASignThatBelongsToNothingIsFound(t *testing.T) {
	for text, want := range map[string]string{
		"<think> I should say more.\n\nShoes are good.": "<think>", "Shoes. <think>I should say that they are good</think> They are.": "<think>",
		"I say more </think> and shoes are good.": "</think>", "Models write <think> and </think> in a line.": "", "Write `</think>` so.": "",
	} {
		if got := modeltext.Stray(modeltext.Body(prose + "\n\n" + text)); got != want {
			t.Errorf("%q is found in %q, want %q", got, text, want)
		}
	}
}

func TestDataIsReadWithoutReasoning(t *testing.T) {
	for name, answer := range map[string]string{
		"reasoning": "<think>{\"a\": 2}</think>{\"a\": [1]}", "its end": "{\"a\": 2}\n</think>\n{\"a\": [1]}", "channels": "<|channel|>analysis<|message|>{\"a\": 2}<|end|><|start|>assistant<|channel|>final<|message|>{\"a\": [1]}",
		"Mistral": "[THINK]{\"a\": 2}[/THINK]{\"a\": [1]}",
	} {
		if got := modeltext.WithoutReasoning(answer); got != `{"a": [1]}` {
			t.Errorf("%s: got %q", name, got)
		}
	}
	const call = `{"arguments": {"a": 1}}`
	if got := modeltext.WithoutReasoning("<think>hm</think><tool_call>" + call + "</tool_call>"); got != call {
		t.Errorf("got %q, want the call", got)
	}
}

func TestFieldsArePlainText(t *testing.T) {
	for field, want := range map[string]string{
		"Trail shoes": "Trail shoes", "**Trail shoes**": "Trail shoes", `"Trail shoes"`: "Trail shoes", "# Trail shoes": "Trail shoes", "## **Trail shoes**": "Trail shoes",
		"Tips &amp; tricks": "Tips & tricks", "Don&#39;t slip": "Don't slip", "R&D &amp;amp; you": "R&D &amp; you", "__Trail shoes__": "Trail shoes", "_Trail shoes_": "Trail shoes",
		"“Trail shoes”": "Trail shoes", "„Schuhe“": "Schuhe", "«Обувь»": "Обувь", "`Trail shoes`": "Trail shoes", "*Trail* shoes": "Trail shoes", "**\"Trail shoes\"**": "Trail shoes",
		"How to `git rebase`": "How to git rebase", "- Trail shoes": "Trail shoes", "> Trail shoes": "Trail shoes", "1. Choose": "1. Choose", "7) Choose": "7) Choose",
		`The "best" shoes`: `The "best" shoes`, `"Best" or "good"`: `"Best" or "good"`, "snake_case_name in Python": "snake_case_name in Python", "__init__": "__init__",
		"10~20 minutes, or 30~40": "10~20 minutes, or 30~40", "2 * 3 * 4 = 24": "2 * 3 * 4 = 24", "5* hotels": "5* hotels", "#hashtags": "#hashtags", "C# or F#": "C# or F#",
		"a < b and c > d": "a < b and c > d", "[Trail shoes](https://evil.example)": "Trail shoes", "https&#58;//evil.example shoes": "shoes", "<b>Trail</b> shoes": "Trail shoes",
		"<think>hm</think>Trail shoes": "Trail shoes", "Trail shoes<|im_end|>": "Trail shoes", "Trail shoes【4†source】": "Trail shoes", "Trail\n  shoes": "Trail shoes",
		"Rock 'n' roll": "Rock 'n' roll", "": "", "***": "", "Why? Because!": "Why? Because!", "a | b": "a | b", `C:\new`: `C:\new`,
	} {
		got := modeltext.Line(field)
		if got != want {
			t.Errorf("Line(%q) = %q, want %q", field, got, want)
		}
	}
	if got := modeltext.Paragraphs("Tips &amp; tricks.[^1^]\n\n- **a** https://evil.example\n- b</s>"); got != "Tips & tricks.\n\n- **a** \n- b" {
		t.Errorf("Paragraphs = %q", got)
	}
}

func TestRemainsAreFoundInPlainText(t *testing.T) {
	for _, plain := range []string{
		"The end.<|im_end|> More.", "a </s> b", "[INST] a", "a [/INST]", "<<SYS>>", "<|eot_id|>", "a<｜end▁of▁sentence｜>b", "<think>", "hm </think> a", "[THINK]", "◁/think▷",
		"<tool_call> a", "Shoes 【4†source】 grip", ":contentReference[oaicite:0]", "[^1^]", "citeturn0search0", `{"name": "search", "arguments": {}}`, "title: \"A\" slug: b tags: [c]",
		"We need it.assistantfinal", "to=functions.search", "I hope this helps! Shoes are good.", "Sure! Here is the article you asked for.", "Here is the blog post:", "functions.search:0", "Would you like me to go on?",
	} {
		if modeltext.Remains(plain) == "" {
			t.Errorf("nothing is found in %q", plain)
		}
	}
	for _, plain := range []string{
		"", "Shoes grip. a < b > c", "a|b|c and x || y", "It is [1] so", "【重要】靴", "The tool calls a function.", "title: the word", "An assistant, final as it is.", "P.S. <3",
		"Shoes: would you like them?", "Here is the section of the trail that matters.", "Sure, shoes cost money.", "I hope you run.",
	} {
		if got := modeltext.Remains(plain); got != "" {
			t.Errorf("%q is found in %q", got, plain)
		}
	}
}

// texts are the articles and pages of the repository.
func texts(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, pattern := range []string{"internal/check/testdata/posts/*.md", "docs/*/*.md", "README.md", "test/scripted/texts/*.txt", "internal/*/testdata/*.md"} {
		files, err := filepath.Glob(filepath.Join(project.Root(), pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text := string(data)
			if strings.HasPrefix(text, "---\n") {
				_, text, _ = strings.Cut(text[4:], "\n---\n")
			}
			out[file] = strings.TrimSpace(text)
		}
	}
	if len(out) < 40 {
		t.Fatalf("only %d texts", len(out))
	}
	return out
}

func TestNothingIsTakenOffAnOrdinaryText(t *testing.T) {
	for file, text := range texts(t) {
		if got := modeltext.Body(text); got != text {
			t.Errorf("%s: %d of %d bytes are left", file, len(got), len(text))
		}
		if stray := modeltext.Stray(text); stray != "" {
			t.Errorf("%s: %q is found", file, stray)
		}
	}
}

// What is taken off once leaves nothing to take off, and no sentence is written that the answer does not have.
func FuzzBody(f *testing.F) {
	for _, seed := range []string{
		"<think>a</think>b", "a</think>\n\nb", "```markdown\na\n```", "---\ntitle: a\n---\nb", "<|im_start|>assistant\na<|im_end|>", "a【4†b】", "<answer>\na\n</answer>",
		"Sure!\n\na", "<|channel|>final<|message|>a", "[INST]a[/INST]b</s>", "~~~\na", "<s>a</s>", "> ```\n> a\n", "- ~~~\n  a",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, answer string) {
		body := modeltext.Body(answer)
		if again := modeltext.Body(body); again != body {
			t.Errorf("Body(%q) = %q, and the body of that is %q", answer, body, again)
		}
		if len(body) > len(answer)+len("\n\n") {
			t.Errorf("Body(%q) = %q", answer, body)
		}
		line := modeltext.Line(answer)
		if strings.ContainsAny(line, "\n\r") {
			t.Errorf("Line(%q) = %q", answer, line)
		}
		_, _ = modeltext.Stray(body), modeltext.Remains(body)
	})
}

func TestCitationsByNumberCanStay(t *testing.T) {
	for answer, want := range map[string]string{
		"Of them 42 percent agree [1]. More.":        "Of them 42 percent agree [source: 1]. More.",
		"Of them 42 percent agree.[^2] More.":        "Of them 42 percent agree. [source: 2] More.",
		"Of them 42 percent agree [1, 2].":           "Of them 42 percent agree [source: 1, 2].",
		"Of them [42 percent][1] agree.":             "Of them [42 percent][source: 1] agree.",
		"```markdown\nAll agree [1].\n```":           "All agree [source: 1].",
		"Write `a[1]` for the first. All agree [1].": "Write `a[1]` for the first. All agree [source: 1].",
		"All agree[^1].\n\n[^1]: But one.":           "All agree[^1].\n\n[^1]: But one.",
		"Read [this][a1], and [the survey][survey].": "Read [this][a1], and [the survey][survey].",
	} {
		got := modeltext.CitedBody(answer)
		if got != want {
			t.Errorf("%q is read as %q, want %q", answer, got, want)
		}
		if again := modeltext.CitedBody(got); again != got {
			t.Errorf("a second time, %q is %q", got, again)
		}
	}
}
