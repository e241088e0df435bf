package article_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestAPublishedArticleHasEveryFieldOfTheContract(t *testing.T) {
	api := operationtest.New(t)
	a := api.Published()
	summary := `"_id":"` + identity.RecordID(a.Name, operationtest.Began) + `","uid":"` + a.Name + `","title":"Shoes & trails","slug":"shoes-trails","status":"published",
		"target_keyword":"trail shoes","seo_score":80,"published_url":"https://blog.example.com/shoes","published_at":"2026-11-20T09:00:00.000Z",
		"created_at":"` + operationtest.Milliseconds(identity.RecordTime(identity.RecordID(a.Name, operationtest.Began))) + `","updated_at":"` + operationtest.Milliseconds(identity.RecordTime(identity.RecordID(a.Name, operationtest.Began))) + `","publish_at":null,
		"reasons":{"ready":"delivered","generated":"","approved":"","published":""},"review":null,"approvals":{"required":1,"given":[]},"publish_requested":true,"unpublish_requested":false,"redeliver_requested":false,"site_uid":"` + operationtest.SiteUID + `",
		"revision_digest":"` + a.Status.Revision.Digest + `","status_message":"the site accepted the article: it was changed since, and the site keeps what it has","status_reason":"delivered",
		"status_detail":{"summary":"the site accepted the article: it was changed since, and the site keeps what it has","cause":"updates_frozen","text":"","due_at":null,"attempt":0,"max_attempts":0,"decided_by":"","article_uid":""},
		"actions":[{"name":"unpublish","allowed":true,"reason":"","message":""},{"name":"archive","allowed":true,"reason":"","message":""},{"name":"delete","allowed":true,"reason":"","message":""}],"progress":null,"publication":null,"post_updated_at":null,"unpublished_at":null,"disclosure":"","pending":null,"unsupported_claims":null`
	operationtest.WantBody(t, api.Do(operationtest.Request{Path: "/v1/api/blogs"}),
		`{"success":true,"data":[{`+summary+`}],"nextCursor":null,"hasMore":false,"gone":[],"next_changed_since":null,"next_published_since":null}`)

	html, err := content.HTML("Some *text* <script>x</script>.")
	if err != nil {
		t.Fatal(err)
	}
	var quoted strings.Builder
	encoder := json.NewEncoder(&quoted)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(html); err != nil {
		t.Fatal(err)
	}
	operationtest.WantBody(t, api.Do(operationtest.Request{Path: "/v1/api/blogs/" + a.Name}), `{"success":true,`+summary+`,
		"content_markdown":"Some *text* <script>x</script>.","content_html":`+quoted.String()+`,"meta_title":"Meta","meta_description":"Description",
		"faq":[{"question":"Why?","answer":"Because."}],"tags":[],"category":"","author":"","image":null,
		"scores":{"version":2,"seo_score":80,"groups":[{"name":"seo","score":80},{"name":"style","score":100}],
		"checks":[{"name":"keyphrase-density","group":"seo","result":"not_applicable","points":0,"max_points":0,"weight":0,"message":"there is no keyword"},
		{"name":"keyphrase-in-slug","group":"seo","result":"passed","points":9,"max_points":9,"weight":9,"message":"the slug has the keyword"},
		{"name":"outbound-links","group":"seo","result":"failed","points":-3,"max_points":9,"weight":9,"message":"there is no link: add one"},
		{"name":"language","group":"gate","result":"passed","points":0,"max_points":0,"weight":0,"message":"it is English"}]},"generator":null,"made_by":"","made_with":"","restored_from":null,"made_at":"`+operationtest.Milliseconds(operationtest.Began)+`",
		"secondary_keywords":[],"tone":"","instructions":"","brief_uid":null,"brief":null,"claims":[]}`)
	if strings.Contains(html, "<script") {
		t.Error("the HTML is not sanitised")
	}
}

func TestAnArticleWithoutATextHasAllItsKeys(t *testing.T) {
	api := operationtest.New(t)
	a := api.Article(nil)
	operationtest.WantBody(t, api.Do(operationtest.Request{Path: "/v1/api/blogs/" + a.Name}), `{"success":true,"_id":"`+identity.RecordID(a.Name, operationtest.Began)+`","uid":"`+a.Name+`",
		"title":"","slug":"","status":"generating","target_keyword":"trail shoes","seo_score":null,"published_url":"","published_at":null,
		"created_at":"`+operationtest.Milliseconds(identity.RecordTime(identity.RecordID(a.Name, operationtest.Began)))+`","updated_at":"`+operationtest.Milliseconds(identity.RecordTime(identity.RecordID(a.Name, operationtest.Began)))+`","publish_at":null,
		"reasons":{"ready":"","generated":"","approved":"","published":""},"review":null,"approvals":{"required":1,"given":[]},"publish_requested":false,"unpublish_requested":false,"redeliver_requested":false,
		"site_uid":"`+operationtest.SiteUID+`","revision_digest":"","status_message":"","status_reason":"",
		"status_detail":{"summary":"","cause":"","text":"","due_at":null,"attempt":0,"max_attempts":0,"decided_by":"","article_uid":""},
		"actions":[{"name":"approve","allowed":false,"reason":"not_ready","message":"a new text is being generated: wait for it"},
		{"name":"reject","allowed":false,"reason":"not_ready","message":"a new text is being generated: wait for it"},
		{"name":"regenerate","allowed":false,"reason":"in_progress","message":"the article is being generated already"},
		{"name":"archive","allowed":true,"reason":"","message":""},{"name":"delete","allowed":true,"reason":"","message":""}],"progress":null,"publication":null,"post_updated_at":null,"unpublished_at":null,"disclosure":"","pending":null,"unsupported_claims":null,
		"content_markdown":"","content_html":"","meta_title":"","meta_description":"","faq":[],"tags":[],"category":"","author":"","image":null,"scores":{"version":0,"seo_score":null,"groups":[],"checks":[]},"generator":null,"made_by":"","made_with":"","restored_from":null,"made_at":null,
		"secondary_keywords":[],"tone":"","instructions":"","brief_uid":null,"brief":null,"claims":[]}`)
}
