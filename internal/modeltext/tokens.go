package modeltext

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// token is a sign of a template: it begins or ends a text, or the turn of a side.
const token = `(?:<\|[\w/][\w .:/-]{0,40}\|>|<｜[^<>｜\n]{1,40}｜>|</?s>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_(?:turn|` +
	`utterance|text|speech|image)>|<(?:bos|eos|pad|unk|sop|eop|eot|eod|mask)>|\[(?:BOS|EOS|gMASK|TOOL_CALLS|` +
	`/?SYSTEM_PROMPT)\]|<0x[0-9A-F]{2}>|<\|\w+>|<\w+\|>)`

var (
	// finalMark begins the last channel of an answer in channels (https://cookbook.openai.com/articles/openai-harmony).
	finalMark = regexp.MustCompile(`<\|channel\|>\s*final\b[^<\n]*(?:<\|constrain\|>[^<\n]*)?<\|message\|>`)
	// channelMark is at the beginning of an answer in channels.
	channelMark = regexp.MustCompile(`^(?:<\|start\|>\s*\w*\s*)?<\|channel\|>[^<]*`)
	// messageMark begins a message without a channel.
	messageMark = regexp.MustCompile(`^(?:<\|start\|>\s*assistant\s*)?<\|message\|>`)
	// bareChannels are channels whose tokens a server has left out.
	bareChannels = regexp.MustCompile(`(?s)^(?:assistant)?(?:analysis|commentary)\S.*assistantfinal`)
)

// finalChannel takes the text out of an answer in channels. Without the final one, there is no text.
func finalChannel(r *reader, text string) string {
	if m := bareChannels.FindStringIndex(text); m != nil {
		return text[m[1]:]
	}
	inChannels := channelMark.MatchString(text)
	matches := finalMark.FindAllStringIndex(text, -1)
	if len(matches) > 0 {
		last := matches[len(matches)-1]
		if code, _ := r.codeIn(text); inChannels || !isIn(code, last[0]) {
			return text[last[1]:]
		}
		return text
	}
	if inChannels {
		return ""
	}
	return messageMark.ReplaceAllString(text, "")
}

var (
	tokens = regexp.MustCompile(token)
	// turn is a token that begins the turn of a side. Behind the text, it begins what a model writes if nothing stops it.
	turn = regexp.MustCompile(`^(?:<\|im_start\|>|<start_of_turn>|<\|start_header_id\|>|<\|start\|>|<｜User｜>|<｜Assistant｜>|` +
		`<\|(?i:user|assistant|system|start_of_turn_token)\|>|\[INST\])$`)
	// call is a token that begins a call of a tool, to the end of the text.
	call = regexp.MustCompile(`^(?:\[TOOL_CALLS\]|<\|python_tag\|>|<\|plugin\|>|<\|action_start\|>)$`)
	// side is the name of the side that answers, behind the token that begins its turn.
	side = regexp.MustCompile(`^(?:assistant|model)[ \t]*(\n|<[|｜])`)
	// question is what some servers repeat before the answer.
	question = regexp.MustCompile(`(?s)^(?:<s>\s*)?\[INST\].*\[/INST\]`)
	// response and instruction begin turns of models that have no tokens for them.
	response    = regexp.MustCompile(`^(?:#{2,3} ?Response:|### ?Assistant:|(?:Assistant|ASSISTANT):)[ \t]*(?:\n|$)`)
	instruction = regexp.MustCompile(`(?m)^(?:#{2,3} ?(?:Instruction|Human|User|Input):|(?:Human|USER):[ \t])`)
	// fenceAndEnd and fenceAndToken are the end of code, which the token behind it would be part of.
	fenceAndEnd   = regexp.MustCompile("((?:^|\n)[ \t]*(?:`{3,}|~{3,}))(?:\\s*" + token + ")+\\s*$")
	fenceAndToken = regexp.MustCompile("(?m)^([ \t]*(?:`{3,}|~{3,}))[ \t]*(" + token + ")")
)

// withoutTokens takes off the tokens that a template puts around the text, those that are alone on a line, and those behind a sentence at
// the end of a line. Within a sentence, a token is a word of the text.
func withoutTokens(r *reader, text string) string {
	text = fenceAndToken.ReplaceAllString(fenceAndEnd.ReplaceAllString(text, "$1"), "$1\n$2")
	text = strings.TrimSpace(response.ReplaceAllString(question.ReplaceAllString(text, ""), ""))
	code, ok := r.codeIn(text)
	if !ok {
		return text
	}
	if m := instruction.FindStringIndex(text); len(m) > 0 && m[0] > 0 && !isIn(code, m[0]) {
		text = text[:m[0]]
	}
	var ranges []span
	for _, run := range runsOfTokens(text, code) {
		ends, at := run.takenOff(text)
		if ends {
			return cut(text, append(ranges, span{at.start, len(text)}))
		}
		ranges = append(ranges, at)
	}
	return cut(text, ranges)
}

// run are tokens between which there are only blanks.
type run []span

// takenOff returns what of a text is taken off with a run; ends is whether the text ends there.
func (r run) takenOff(text string) (ends bool, at span) {
	first, last := r[0], r[len(r)-1]
	at = span{first.start, last.end}
	before, after := strings.TrimRight(text[:at.start], " \t"), strings.TrimLeft(text[at.end:], " \t")
	beginsTurn := func(t span) bool { return turn.MatchString(text[t.start:t.end]) }
	leads := before == ""
	ownPlace := leads || strings.HasSuffix(before, "\n") || endsSentence(before)
	switch {
	case ownPlace && after != "" && call.MatchString(text[last.start:last.end]),
		ownPlace && !leads && slices.ContainsFunc(r, beginsTurn):
		return true, at
	case leads && beginsTurn(last):
		if m := side.FindStringSubmatchIndex(text[at.end:]); len(m) > 0 {
			at.end += m[2]
		}
		return false, at
	case leads, after == "", ownPlace && strings.HasPrefix(after, "\n"):
		return false, at
	default:
		return false, span{at.end, at.end}
	}
}

// endsSentence reports whether a text ends with a sentence, behind which there may be signs of Markdown.
func endsSentence(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, " \t\n\"'”’)*_`"))
	return strings.ContainsRune(".!?:…。！？", last)
}

// runsOfTokens returns the tokens of a text outside of code.
func runsOfTokens(text string, code []span) []run {
	var runs []run
	// The tokens of the beginning and the end of a text are also the tags of what is struck out.
	struck := strings.Contains(text, "<s>") && strings.Contains(text, "</s>") &&
		!(strings.HasPrefix(text, "<s>") && strings.HasSuffix(text, "</s>") && strings.Count(text, "s>") == 2)
	for _, m := range tokens.FindAllStringIndex(text, -1) {
		at := span{m[0], m[1]}
		if isIn(code, at.start) || struck && strings.HasSuffix(text[:at.end], "s>") && at.end-at.start <= len("</s>") {
			continue
		}
		if n := len(runs); n > 0 && strings.TrimSpace(text[runs[n-1][len(runs[n-1])-1].end:at.start]) == "" {
			runs[n-1] = append(runs[n-1], at)
			continue
		}
		runs = append(runs, run{at})
	}
	return runs
}
