package rest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/revision"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

func wantBody(t *testing.T, got testkit.Answer, want string) {
	t.Helper()
	if got.Status != http.StatusOK || strings.TrimSpace(got.Raw) != compact(want) {
		t.Errorf("got %d\n%s\nwant 200\n%s", got.Status, got.Raw, compact(want))
	}
}

func TestSitesAreListedAsTheContractHasThem(t *testing.T) {
	api := newAPI(t)
	api.namespace("acme-shop", "acme")
	shop := &v1alpha1.Site{
		ObjectMeta: metav1.ObjectMeta{Namespace: "acme-shop", Name: "shop", CreationTimestamp: metav1.NewTime(began.Add(time.Hour))},
		Spec: v1alpha1.SiteSpec{
			Domain: "shop.example.com", DisplayName: "Shop", SearchConsole: &v1alpha1.SearchConsole{Property: "sc-domain:example.com"},
			CMS: v1alpha1.SiteCMS{Type: v1alpha1.CMSWordPress},
		},
		Status: v1alpha1.SiteStatus{Observed: v1alpha1.Observed{Conditions: []metav1.Condition{
			{Type: v1alpha1.ConditionReady, Status: metav1.ConditionFalse, Message: "a Secret is missing"},
		}}},
	}
	api.index.Handlers().Sites.OnAdd(shop, false)
	uid := identity.UID(identity.KindSite, "acme-shop", "shop")

	api.article(func(a *v1alpha1.Article) {
		a.Status.Revision = &v1alpha1.CurrentRevision{Name: "r", ContentHash: lifecycle.ContentHash(nil)}
		a.Status.Run = &v1alpha1.GenerationRun{State: v1alpha1.RunSucceeded, RequestHash: lifecycle.RequestHash(a.Spec.Generate)}
	})

	const untested = `"connection_status":{"state":"unknown","reason":"not_tested","message":"","last_test":null},"delivering":null,
		"deliveries":{"last_success_at":null,"failures":0,"oldest_waiting_since":null}`
	first := `{"_id":"0198f0a10000000000000001","uid":"` + siteUID + `","domain":"blog.example.com","name":"blog.example.com","cms_type":"none",
		"gsc_connected":false,"status":"active","workspace_id":"acme-blog","created_at":"2026-11-20T09:00:00.000Z","updated_at":"2026-11-20T09:00:00.000Z","status_message":"",` + untested + `,"waiting_articles":1}`
	second := `{"_id":"` + identity.RecordID(uid, shop.CreationTimestamp.Time) + `","uid":"` + uid + `","domain":"shop.example.com","name":"Shop",
		"cms_type":"wordpress","gsc_connected":true,"status":"inactive","workspace_id":"acme-shop",
		"created_at":"` + milliseconds(shop.CreationTimestamp.Time) + `","updated_at":"` + milliseconds(shop.CreationTimestamp.Time) + `",
		"status_message":"a Secret is missing",` + untested + `,"waiting_articles":0}`
	// The header is not needed, and not looked at.
	wantBody(t, api.do(request{path: "/v1/api/sites", workspace: "-"}), `{"success":true,"data":[`+first+`,`+second+`]}`)
	wantBody(t, api.do(request{path: "/v1/api/sites", workspace: "-", key: limitedKey}), `{"success":true,"data":[`+second+`]}`)
}

func TestWorkspacesOfTheKeyAreListed(t *testing.T) {
	api := newAPI(t)
	api.namespace("acme-shop", "acme")
	blog, shop := `{"workspace_id":"acme-blog","account":"acme"}`, `{"workspace_id":"acme-shop","account":"acme"}`
	wantBody(t, api.do(request{path: "/v1/api/workspaces", workspace: "-"}), `{"success":true,"data":[`+blog+`,`+shop+`]}`)
	wantBody(t, api.do(request{path: "/v1/api/workspaces", workspace: "-", key: limitedKey}), `{"success":true,"data":[`+shop+`]}`)
}

func TestAnEmptyListHasAllItsKeys(t *testing.T) {
	wantBody(t, newAPI(t).do(request{path: "/v1/api/blogs"}), `{"success":true,"data":[],"nextCursor":null,"hasMore":false,"gone":[],"next_changed_since":null,"next_published_since":null}`)
}

// published is an article with a revision that the receiver has accepted.
func (api *restAPI) published() *v1alpha1.Article {
	api.t.Helper()
	doc := content.Document{
		Title: "Shoes & trails", Markdown: "Some *text* <script>x</script>.", MetaTitle: "Meta", MetaDescription: "Description",
		FAQ: []v1alpha1.FAQ{{Question: "Why?", Answer: "Because."}},
	}
	return api.article(func(a *v1alpha1.Article) {
		name := identity.RevisionName(a.Name, a.Name, 1)
		rev := revision.New(a, doc, revision.Origin{Name: name, Number: 1, Source: v1alpha1.SourceGenerated})
		rev.Spec.Scores = v1alpha1.Scores{
			SEOScore: 80, StyleScore: new(int32(100)), Passed: []string{"SEO/keyphrase-in-slug 9/9: the slug has the keyword", "Gate/language: it is English"},
			Failed: []string{"SEO/outbound-links -3/9: there is no link: add one"}, NotApplicable: []string{"SEO/keyphrase-density: there is no keyword"},
		}
		api.objects.revisions = map[client.ObjectKey]*v1alpha1.ArticleRevision{client.ObjectKeyFromObject(rev): rev}
		at := v1alpha1.NewMicroTime(began)
		a.Spec.Stage = v1alpha1.StagePublished
		a.Status = v1alpha1.ArticleStatus{
			Slug: "shoes-trails",
			Revision: &v1alpha1.CurrentRevision{
				Name: name, Number: 1, Digest: doc.Digest(), Title: doc.Title, Source: v1alpha1.SourceGenerated, SEOScore: 80,
			},
			Publication: &v1alpha1.Publication{Post: v1alpha1.SitePost{
				State: v1alpha1.PostPresent, Revision: &v1alpha1.PublicationRevision{Name: name, Number: 1, Digest: doc.Digest()}, PublishTime: &at, URL: "https://blog.example.com/shoes",
			}},
			Observed: v1alpha1.Observed{Conditions: []metav1.Condition{
				{Type: v1alpha1.ConditionReady, Status: metav1.ConditionTrue, Reason: "Delivered", Message: "accepted by the receiver"},
			}},
		}
	})
}

func TestAPublishedArticleHasEveryFieldOfTheContract(t *testing.T) {
	api := newAPI(t)
	a := api.published()
	summary := `"_id":"` + identity.RecordID(a.Name, began) + `","uid":"` + a.Name + `","title":"Shoes & trails","slug":"shoes-trails","status":"published",
		"target_keyword":"trail shoes","seo_score":80,"published_url":"https://blog.example.com/shoes","published_at":"2026-11-20T09:00:00.000Z",
		"created_at":"` + milliseconds(identity.RecordTime(identity.RecordID(a.Name, began))) + `","updated_at":"` + milliseconds(identity.RecordTime(identity.RecordID(a.Name, began))) + `","publish_at":null,
		"reasons":{"ready":"delivered","generated":"","approved":"","published":""},"review":null,"publish_requested":true,"site_uid":"` + siteUID + `",
		"revision_digest":"` + a.Status.Revision.Digest + `","status_message":"the site accepted the article: it was changed since, and the site keeps what it has","status_reason":"delivered",
		"status_detail":{"summary":"the site accepted the article: it was changed since, and the site keeps what it has","cause":"updates_frozen","text":"","due_at":null,"attempt":0,"max_attempts":0,"decided_by":"","article_uid":""},
		"actions":[{"name":"unpublish","allowed":true,"reason":"","message":""},{"name":"archive","allowed":true,"reason":"","message":""},{"name":"delete","allowed":true,"reason":"","message":""}],"progress":null,"publication":null,"post_updated_at":null,"unpublished_at":null,"disclosure":"","pending":null`
	wantBody(t, api.do(request{path: "/v1/api/blogs"}),
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
	wantBody(t, api.do(request{path: "/v1/api/blogs/" + a.Name}), `{"success":true,`+summary+`,
		"content_markdown":"Some *text* <script>x</script>.","content_html":`+quoted.String()+`,"meta_title":"Meta","meta_description":"Description",
		"faq":[{"question":"Why?","answer":"Because."}],"tags":[],"category":"","author":"","image":null,
		"scores":{"version":2,"seo_score":80,"groups":[{"name":"seo","score":80},{"name":"style","score":100}],
		"checks":[{"name":"keyphrase-density","group":"seo","result":"not_applicable","points":0,"max_points":0,"weight":0,"message":"there is no keyword"},
		{"name":"keyphrase-in-slug","group":"seo","result":"passed","points":9,"max_points":9,"weight":9,"message":"the slug has the keyword"},
		{"name":"outbound-links","group":"seo","result":"failed","points":-3,"max_points":9,"weight":9,"message":"there is no link: add one"},
		{"name":"language","group":"gate","result":"passed","points":0,"max_points":0,"weight":0,"message":"it is English"}]},"generator":null,
		"secondary_keywords":[],"tone":""}`)
	if strings.Contains(html, "<script") {
		t.Error("the HTML is not sanitised")
	}
}

func TestAnArticleWithoutATextHasAllItsKeys(t *testing.T) {
	api := newAPI(t)
	a := api.article(nil)
	wantBody(t, api.do(request{path: "/v1/api/blogs/" + a.Name}), `{"success":true,"_id":"`+identity.RecordID(a.Name, began)+`","uid":"`+a.Name+`",
		"title":"","slug":"","status":"generating","target_keyword":"trail shoes","seo_score":null,"published_url":"","published_at":null,
		"created_at":"`+milliseconds(identity.RecordTime(identity.RecordID(a.Name, began)))+`","updated_at":"`+milliseconds(identity.RecordTime(identity.RecordID(a.Name, began)))+`","publish_at":null,
		"reasons":{"ready":"","generated":"","approved":"","published":""},"review":null,"publish_requested":false,
		"site_uid":"`+siteUID+`","revision_digest":"","status_message":"","status_reason":"",
		"status_detail":{"summary":"","cause":"","text":"","due_at":null,"attempt":0,"max_attempts":0,"decided_by":"","article_uid":""},
		"actions":[{"name":"approve","allowed":false,"reason":"not_ready","message":"a new text is being generated: wait for it"},
		{"name":"reject","allowed":false,"reason":"not_ready","message":"a new text is being generated: wait for it"},
		{"name":"regenerate","allowed":false,"reason":"in_progress","message":"the article is being generated already"},
		{"name":"archive","allowed":true,"reason":"","message":""},{"name":"delete","allowed":true,"reason":"","message":""}],"progress":null,"publication":null,"post_updated_at":null,"unpublished_at":null,"disclosure":"","pending":null,
		"content_markdown":"","content_html":"","meta_title":"","meta_description":"","faq":[],"tags":[],"category":"","author":"","image":null,"scores":{"version":0,"seo_score":null,"groups":[],"checks":[]},"generator":null,
		"secondary_keywords":[],"tone":""}`)
}

func TestTextsThatAreNotUsedAreForgottenFirst(t *testing.T) {
	api := newAPI(t)
	api.deps.Limits.CacheBytes = 2500
	var articles []*v1alpha1.Article
	revisions := map[client.ObjectKey]*v1alpha1.ArticleRevision{}
	for range 3 {
		articles = append(articles, api.published())
		maps.Copy(revisions, api.objects.revisions)
	}
	api.objects.revisions = revisions
	for _, i := range []int{0, 1, 0, 2, 0} {
		api.do(request{path: "/v1/api/blogs/" + articles[i].Name})
	}
	if api.objects.reads != 3 {
		t.Errorf("the API server was read %d times, want 3: the first text was used again and again", api.objects.reads)
	}
	api.do(request{path: "/v1/api/blogs/" + articles[1].Name})
	if api.objects.reads != 4 {
		t.Errorf("the API server was read %d times, want 4: the second text had to go", api.objects.reads)
	}
}

func TestWhatAnotherReplicaMadeIsFoundAtOnce(t *testing.T) {
	api := newAPI(t)
	a := api.article(nil)
	api.index.Handlers().Articles.OnDelete(a)
	got := api.do(request{path: "/v1/api/blogs/" + a.Name})
	if got.Status != http.StatusOK || !strings.Contains(got.Raw, `"status":"generating"`) {
		t.Errorf("got %d: %s", got.Status, got.Raw)
	}
}

func TestAnArticleNamedByItsAuthorIsFoundByItsUID(t *testing.T) {
	api := newAPI(t)
	api.article(func(a *v1alpha1.Article) { a.Name = "my-article" })
	uid := identity.UID(identity.KindArticle, workspace, "my-article")
	if got := api.do(request{path: "/v1/api/blogs/" + uid}); got.Status != http.StatusOK {
		t.Errorf("got %d: %s", got.Status, got.Raw)
	}
}

func TestPagesAreNewestFirstAndAnInsertMovesNothing(t *testing.T) {
	api := newAPI(t)
	for i := range 45 {
		api.article(func(a *v1alpha1.Article) {
			a.Name = fmt.Sprintf("0198f0a1-%04x-7000-8000-00000000beef", i)
		})
	}
	var seen []string
	cursor, pages := "", 0
	for {
		got := api.do(request{path: "/v1/api/blogs" + cursor})
		var page articlelist.ArticlePage
		if err := json.Unmarshal([]byte(got.Raw), &page); err != nil {
			t.Fatal(err)
		}
		pages++
		for _, a := range page.Data {
			seen = append(seen, a.UID)
		}
		api.article(func(a *v1alpha1.Article) { a.Name = fmt.Sprintf("0198f0a2-%04x-7000-8000-00000000beef", pages) })
		if !page.HasMore {
			if page.NextCursor != nil {
				t.Errorf("the last page has a nextCursor")
			}
			break
		}
		if len(page.Data) != 20 {
			t.Errorf("page %d has %d articles, want the default of 20", pages, len(page.Data))
		}
		if last := page.Data[len(page.Data)-1].ID; *page.NextCursor != last {
			t.Errorf("the cursor is %s, want the last _id %s", *page.NextCursor, last)
		}
		cursor = "?cursor=" + url.QueryEscape(*page.NextCursor)
	}
	if len(seen) != 45 || pages != 3 {
		t.Fatalf("saw %d articles on %d pages, want 45 on 3", len(seen), pages)
	}
	for i, uid := range seen {
		if want := fmt.Sprintf("0198f0a1-%04x-7000-8000-00000000beef", 44-i); uid != want {
			t.Fatalf("place %d is %s, want %s", i, uid, want)
		}
	}
}
