package docpage

import (
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// fromScript takes the commands out of a block in which every line is typed. Statements on one line are one command. A comment below a
// command that looks like JSON is what the command prints.
func fromScript(b Block) ([]Command, error) {
	script, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(strings.NewReader(b.Text), "")
	if err != nil {
		return nil, fmt.Errorf("the block is no shell script: %w", err)
	}
	lines := strings.Split(b.Text, "\n")
	var begins []int
	end := 0
	for _, statement := range script.Stmts {
		if first := line(statement.Pos()); first > end {
			begins = append(begins, first)
		}
		end = line(statement.End())
	}
	commands := make([]Command, 0, len(begins))
	for i, first := range begins {
		after := len(lines) + 1
		if i+1 < len(begins) {
			after = begins[i+1]
		}
		text, output := cutOutput(lines[first-1 : after-1])
		commands = append(commands, Command{Section: b.Section, Line: b.Line + first, Text: text, Output: output})
	}
	return commands, nil
}

func line(p syntax.Pos) int {
	return int(p.Line())
}

// cutOutput separates a command from the comments below it, and returns those that show what it prints.
func cutOutput(lines []string) (text, output string) {
	end := len(lines)
	for end > 1 && (lines[end-1] == "" || strings.HasPrefix(lines[end-1], "#")) {
		end--
	}
	text = strings.Join(lines[:end], "\n")
	for _, comment := range lines[end:] {
		shown, ok := strings.CutPrefix(comment, "#")
		if !ok || output == "" && !strings.HasPrefix(shown, " {") {
			break
		}
		output += strings.TrimSpace(shown) + "\n"
	}
	return text, output
}

// fromConsole takes the commands out of a block that shows a session: a command follows "$ ", and its output follows it.
func fromConsole(b Block) ([]Command, error) {
	var commands []Command
	continued := false
	for i, text := range strings.Split(strings.TrimSuffix(b.Text, "\n"), "\n") {
		typed, isTyped := strings.CutPrefix(text, "$ ")
		switch {
		case isTyped:
			commands = append(commands, Command{Section: b.Section, Line: b.Line + i + 1, Text: typed})
		case len(commands) == 0:
			return nil, fmt.Errorf("the block begins with %q, not with a line to type", text)
		case continued:
			commands[len(commands)-1].Text += "\n" + text
		default:
			commands[len(commands)-1].Output += text + "\n"
		}
		continued = (isTyped || continued) && strings.HasSuffix(text, `\`)
	}
	return commands, nil
}
