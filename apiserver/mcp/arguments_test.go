package mcp_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// hostile are arguments that no operation takes, as JSON. UID is the uid of an article.
var hostile = []struct{ tool, arguments string }{
	{"get_article", `{}`},
	{"get_article", `{"uid":""}`},
	{"get_article", `{"uid":null}`},
	{"get_article", `{"uid":5}`},
	{"get_article", `{"uid":true}`},
	{"get_article", `{"uid":["UID"]}`},
	{"get_article", `{"uid":{"uid":"UID"}}`},
	{"get_article", `{"uid":"../sites"}`},
	{"get_article", `{"uid":"..%2Fsites"}`},
	{"get_article", `{"uid":"counts"}`},
	{"get_article", `{"uid":"UID/approve"}`},
	{"get_article", `{"uid":"UID?text=live"}`},
	{"get_article", `{"uid":"UID\u0000"}`},
	{"get_article", `{"uid":"UID\r\nx-api-key: right"}`},
	{"get_article", `{"uid":"LONG"}`},
	{"get_article", `{"uid":"UID","text":"both"}`},
	{"get_article", `{"uid":"UID","UID":"UID"}`},
	{"get_article", `{"uid":"UID","If-Match":"*"}`},
	{"get_article", `{"uid":"UID","x-api-key":"right"}`},
	{"get_article", `[]`},
	{"get_article", `"UID"`},
	{"get_article", `5`},
	{"get_revision", `{"uid":"UID","number":"1"}`},
	{"get_revision", `{"uid":"UID","number":1.5}`},
	{"get_revision", `{"uid":"UID","number":-1}`},
	{"get_revision", `{"uid":"UID","number":1e3}`},
	{"get_revision", `{"uid":"UID","number":99999999999999999999999999}`},
	{"get_revision", `{"uid":"UID","number":"1/restore"}`},
	{"get_revision", `{"uid":"UID","number":1,"text_offset":-1}`},
	{"get_revision", `{"uid":"UID","number":1,"text_offset":"0"}`},
	{"get_revision", `{"uid":"UID","number":1,"text_offset":1e99}`},
	{"list_articles", `{"limit":"20"}`},
	{"list_articles", `{"limit":0}`},
	{"list_articles", `{"limit":101}`},
	{"list_articles", `{"limit":1.0}`},
	{"list_articles", `{"limit":[1]}`},
	{"list_articles", `{"status":"review"}`},
	{"list_articles", `{"status":["nonsense"]}`},
	{"list_articles", `{"status":[["review"]]}`},
	{"list_articles", `{"status":[]}`},
	{"list_articles", `{"q":"\u0000"}`},
	{"list_articles", `{"q":{"$ne":null}}`},
	{"list_articles", `{"q":"LONG"}`},
	{"list_articles", `{"cursor":"../../etc/passwd"}`},
	{"list_articles", `{"order":"sideways"}`},
	{"list_articles", `{"filter":"status eq review"}`},
	{"list_articles", `{"LONG":1}`},
	{"list_articles", `{"updated_since":"yesterday"}`},
	{"list_articles", `{"workspace_id":5}`},
	{"list_articles", `{"workspace_id":"../rival-blog"}`},
	{"list_articles", `{"workspace_id":"rival-blog"}`},
	{"list_articles", `{"workspace_id":"acme-blog\r\nx-api-key: right"}`},
	{"get_calendar", `{}`},
	{"get_calendar", `{"from":"2026-11-20T09:00:00Z","to":"2028-11-20T09:00:00Z"}`},
	{"get_site", `{"uid":"' OR 1=1 --"}`},
	{"create_article", `{}`},
	{"create_article", `{"site_uid":"SITE","title":5,"content_markdown":"x"}`},
	{"create_article", `{"site_uid":"SITE","title":"T","content_markdown":"HUGE"}`},
	{"create_article", `{"site_uid":"SITE","title":"T","content_markdown":"x","stage":"Published"}`},
	{"create_article", `{"site_uid":"SITE","title":"T","content_markdown":"x","status":"published"}`},
	{"create_article", `{"site_uid":"SITE","title":"T","content_markdown":"x","draft":"false"}`},
	{"create_article", `{"site_uid":"SITE","title":"T","content_markdown":"x","faq":[{"question":"q"}]}`},
	{"create_article", `{"site_uid":"SITE","title":"T","content_markdown":"x","faq":NESTED}`},
	{"create_article", `{"site_uid":"SITE","title":"T","content_markdown":"x","image":{"url":"javascript:alert(1)","alt":"a"}}`},
	{"create_article", `{"site_uid":"SITE","title":"T","content_markdown":"x","slug":"../x"}`},
	{"create_article", `{"site_uid":"SITE","title":"T","content_markdown":"x","__proto__":{"draft":false}}`},
	{"create_article", `{"site_uid":"0198f0a1-0000-7000-8000-000000000002","title":"T","content_markdown":"x"}`},
	{"update_article", `{"uid":"UID","digest":"sha256:zz"}`},
	{"update_article", `{"uid":"UID","review":{"decision":"approved"}}`},
	{"publish_article", `{"uid":"UID","publish_at":"now"}`},
	{"publish_article", `{"uid":"UID","publish_at":"2020-01-01T00:00:00Z"}`},
	{"publish_article", `{"uid":"UID","approve":true}`},
	{"generate_article", `{"site_uid":"SITE","keyword":"k"}`},
	{"generate_article", `{"site_uid":"SITE","keyword":"shoes","idempotency_key":"a\nb"}`},
	{"generate_article", `{"site_uid":"SITE","keyword":"shoes","idempotency_key":"LONG"}`},
	{"generate_article", `{"site_uid":"SITE","keyword":"shoes","brief_uid":"x"}`},
	{"create_brief", `{"facts":"one"}`},
}

// saysWhatMustBe is how a message about an argument begins.
var saysWhatMustBe = regexp.MustCompile(`^(must |may not |is required|is not a known|is not supported|is too )`)

func TestHostileArgumentsAreRefusedWithWhatMustBe(t *testing.T) {
	e := serve(t)
	a := e.Article(nil)
	fill := strings.NewReplacer("UID", a.Name, "SITE", operationtest.SiteUID, "LONG", strings.Repeat("a", 100_000), "HUGE", strings.Repeat("a", 262_145),
		"NESTED", strings.Repeat(`[`, 500)+strings.Repeat(`]`, 500))
	for _, c := range hostile {
		name := fmt.Sprintf("%s %.120s", c.tool, c.arguments)
		// A name in capitals is an argument too.
		arguments := strings.ReplaceAll(c.arguments, `"UID":`, `"U_ID":`)
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + c.tool + `","arguments":` + fill.Replace(arguments) + `}}`
		status, _, text := e.post(body, "x-api-key", operationtest.WriterKey)
		refused, ok := refusalIn(text)
		if status != http.StatusOK || !ok {
			t.Errorf("%s: got %d %.300s", name, status, text)
			continue
		}
		if refused.Status >= http.StatusInternalServerError || refused.Message == "" {
			t.Errorf("%s: got %+v", name, refused)
		}
		if refused.Code == problem.CodeValidation && len(refused.Details) == 0 {
			t.Errorf("%s: the error names no argument: %+v", name, refused)
		}
		for _, d := range refused.Details {
			if !saysWhatMustBe.MatchString(d.Message) || len(d.Field) > 100 {
				t.Errorf("%s: %s: %q does not say what must be", name, d.Field, d.Message)
			}
		}
	}
	if len(hostile) < 60 {
		t.Errorf("only %d arguments were tried", len(hostile))
	}
	if len(e.Objects.Articles) != 1 || len(e.Ledger.Charges) > 0 {
		t.Error("a call that was refused has made or charged something")
	}
}

// refusalIn returns the error in the result of a call.
func refusalIn(text string) (problem.ErrorBody, bool) {
	var message struct {
		Result struct {
			Content []struct {
				Text string `json:"text"`
			} `json:"content"`
			IsError bool `json:"isError"`
		} `json:"result"`
	}
	if err := json.Unmarshal([]byte(text), &message); err != nil || !message.Result.IsError || len(message.Result.Content) != 1 {
		return problem.ErrorBody{}, false
	}
	var body problem.APIError
	err := json.Unmarshal([]byte(message.Result.Content[0].Text), &body)
	return body.Problem, err == nil && body.Problem.Code != ""
}

func TestWhatIsNullIsLeftOut(t *testing.T) {
	e := serve(t)
	session := e.connect(key(operationtest.ReadOnlyKey), "")
	null := json.RawMessage("null")
	text, isError := e.call(session, "list_articles", map[string]any{"site_uid": null, "limit": null, "status": null, "workspace_id": null})
	if isError {
		t.Error(text)
	}
}

func TestARepeatWithTheSameKeyDoesNothingAgain(t *testing.T) {
	e := serve(t)
	session := e.connect(key(operationtest.WriterKey), "")
	arguments := map[string]any{"site_uid": operationtest.SiteUID, "keyword": "trail shoes", "idempotency_key": "order-4711"}
	first, isError := e.call(session, "generate_article", arguments)
	again, isErrorAgain := e.call(session, "generate_article", arguments)
	if isError || isErrorAgain || first != again || len(e.Objects.Articles) != 1 {
		t.Errorf("got %s and then %s, with %d articles", first, again, len(e.Objects.Articles))
	}
}
