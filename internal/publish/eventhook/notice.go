package eventhook

import (
	"slices"
	"strings"
)

// Notice is an event as people read it in a chat.
type Notice struct {
	// Summary says what has happened.
	Summary string
	// Subject is what it has happened to: the title of an article, or the name of a site. It may be empty.
	Subject string
	// Link is the address of the subject's page; empty if it is not known.
	Link string
	// Details are more about the subject, such as its site and its score.
	Details []string
}

// Page returns the address of a page of the dashboard, which is at app; empty if app is.
func Page(app, workspace, kind, uid string) string {
	if app == "" {
		return ""
	}
	return strings.TrimSuffix(app, "/") + "/app/w/" + workspace + "/" + kind + "/" + uid
}

// details returns the details in one line.
func (n Notice) details() string { return strings.Join(n.Details, " · ") }

// slackEscape escapes what has a meaning in a message of Slack. Without < nobody is mentioned, and no other link is made.
var slackEscape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// slack returns the message for an incoming webhook of Slack. Its link is not unfurled: the page asks for a sign-in.
func (n Notice) slack() any {
	subject := slackEscape.Replace(oneLine(n.Subject))
	if n.Link != "" {
		subject = "<" + n.Link + "|" + subject + ">"
	}
	lines := []string{"*" + n.Summary + "*", subject, slackEscape.Replace(oneLine(n.details()))}
	lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" })
	return map[string]any{"text": strings.Join(lines, "\n"), "unfurl_links": false}
}

// teams returns the message for a workflow of Teams: an Adaptive Card of version 1.4, the newest that workflows show. The texts are runs,
// because runs are not parsed as Markdown.
func (n Notice) teams() any {
	type object = map[string]any
	body := []object{}
	for _, run := range []object{
		{"text": n.Summary, "weight": "Bolder"}, {"text": oneLine(n.Subject), "size": "Medium"}, {"text": oneLine(n.details())},
	} {
		if run["text"] != "" {
			run["type"] = "TextRun"
			body = append(body, object{"type": "RichTextBlock", "inlines": []object{run}})
		}
	}
	card := object{
		"$schema": "http://adaptivecards.io/schemas/adaptive-card.json", "type": "AdaptiveCard", "version": "1.4", "body": body,
	}
	if n.Link != "" {
		card["actions"] = []object{{"type": "Action.OpenUrl", "title": "Open", "url": n.Link}}
	}
	return object{"type": "message", "attachments": []object{
		{"contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": nil, "content": card},
	}}
}

// oneLine returns a text without line ends.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
