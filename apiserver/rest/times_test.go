package rest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

func milliseconds(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func TestAnswersSayWhenWhyAndByWhom(t *testing.T) {
	api := newAPI(t)
	digest := "sha256:" + strings.Repeat("0", 64)
	a := api.article(func(a *v1alpha1.Article) {
		a.Name, a.Generation = "my-article", 3
		a.ManagedFields = []metav1.ManagedFieldsEntry{
			{Manager: "a", Operation: "Apply", Time: new(metav1.NewTime(began.Add(time.Hour)))},
			{Manager: "b", Operation: "Update", Time: new(metav1.NewTime(began.Add(2 * time.Hour)))}, {Manager: "c", Operation: "Update"},
		}
		a.Spec.Stage, a.Spec.PublishAfter = v1alpha1.StagePublished, new(v1alpha1.NewTime(began.Add(24*time.Hour)))
		a.Spec.Review = &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionRejected, By: "Mara", Note: "no sources", Digest: digest}
		a.Status.Conditions = []metav1.Condition{
			{Type: v1alpha1.ConditionReady, Reason: v1alpha1.ReasonGenerationFailed, ObservedGeneration: 3},
			{Type: v1alpha1.ConditionGenerated, Reason: v1alpha1.ReasonRefused, ObservedGeneration: 3},
			{Type: v1alpha1.ConditionApproved, Reason: v1alpha1.ReasonRejected, ObservedGeneration: 2},
		}
	})
	uid := identity.UID(identity.KindArticle, workspace, a.Name)
	want := restarticle.ArticleSummary{
		CreatedAt: "2026-11-20T09:00:00.000Z", UpdatedAt: "2026-11-20T11:00:00.000Z", PublishAt: new("2026-11-21T09:00:00.000Z"),
		Reasons: restarticle.ArticleReasons{Ready: "generation_failed", Generated: "refused"},
		Review:  &restarticle.ArticleReview{Decision: "rejected", By: "Mara", Note: "no sources", Digest: digest},
	}
	check := func(path string, got restarticle.ArticleSummary) {
		got = restarticle.ArticleSummary{
			CreatedAt: got.CreatedAt, UpdatedAt: got.UpdatedAt, PublishAt: got.PublishAt, Reasons: got.Reasons, Review: got.Review,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
	var page articlelist.ArticlePage
	api.into(request{path: "/v1/api/blogs"}, &page)
	check("list", page.Data[0])
	var full restarticle.Article
	api.into(request{path: "/v1/api/blogs/" + uid}, &full)
	check("get", full.ArticleSummary)

	// The time is kept while nobody asks for publication, but it is nobody's wish.
	api.article(func(a *v1alpha1.Article) {
		a.Name, a.Spec.PublishAfter = "withdrawn", new(v1alpha1.NewTime(began.Add(time.Hour)))
	})
	api.into(request{path: "/v1/api/blogs/" + identity.UID(identity.KindArticle, workspace, "withdrawn")}, &full)
	if full.PublishAt != nil {
		t.Errorf("publish_at is %s", *full.PublishAt)
	}
}

// What kubectl creates has whole seconds, so the time of what the API creates under an Idempotency-Key is noted.
func TestArticlesOfOneSecondAreInTheOrderOfTheirRequests(t *testing.T) {
	api := newAPI(t)
	var want []string
	for i := range 20 {
		header := map[string]string{}
		if i%2 == 0 {
			header["Idempotency-Key"] = fmt.Sprint("k", i)
		}
		api.clock.Step(time.Millisecond)
		got := api.do(request{method: "POST", path: "/v1/api/generate", body: generateBody(nil), header: header})
		uid := got.Text("blog_uid")
		made := api.objects.articles[client.ObjectKey{Namespace: workspace, Name: uid}]
		if at := made.CreatedAt(); header["Idempotency-Key"] != "" && !at.Equal(api.clock.Now()) {
			t.Errorf("created at %s, want %s", at, api.clock.Now())
		}
		if header["Idempotency-Key"] == "" {
			// A UUIDv7 has the time of the machine.
			continue
		}
		want = append(want, uid)
		api.index.Handlers().Articles.OnAdd(made.DeepCopy(), false)
	}
	slices.Reverse(want)
	var page articlelist.ArticlePage
	api.into(request{path: "/v1/api/blogs"}, &page)
	var got []string
	for _, a := range page.Data {
		got = append(got, a.UID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the list is %v, want %v", got, want)
	}
}

// An export is created again at another time. What clients know articles and sites by may not change with it.
func TestTheIDsOfWhatIsCreatedAgainFromAnExportStayTheSame(t *testing.T) {
	ids := func(created time.Time, annotations map[string]string) (article, site string) {
		api := newAPI(t)
		meta := metav1.ObjectMeta{CreationTimestamp: metav1.NewTime(created), Annotations: annotations}
		api.article(func(a *v1alpha1.Article) {
			a.Name, a.CreationTimestamp, a.Annotations = "exported", meta.CreationTimestamp, meta.Annotations
		})
		var full restarticle.Article
		api.into(request{path: "/v1/api/blogs/" + identity.UID(identity.KindArticle, workspace, "exported")}, &full)
		s := &v1alpha1.Site{ObjectMeta: meta}
		s.Namespace, s.Name = workspace, "exported"
		api.index.Handlers().Sites.OnAdd(s, false)
		var sites restsite.SiteList
		api.into(request{path: "/v1/api/sites"}, &sites)
		for _, s := range sites.Data {
			if s.UID == identity.UID(identity.KindSite, workspace, "exported") {
				site = s.ID
			}
		}
		return full.ID, site
	}
	article, site := ids(began, nil)
	again, siteAgain := ids(began.AddDate(0, 3, 0), map[string]string{v1alpha1.CreatedAtAnnotation: began.UTC().Format(time.RFC3339)})
	if article != again || site == "" || site != siteAgain {
		t.Errorf("the article is %s, and then %s; the site is %s, and then %s", article, again, site, siteAgain)
	}
}

func TestATimeOfCreationThatCannotBeIsIgnored(t *testing.T) {
	for annotation, wantKept := range map[string]bool{
		"2026-11-20T09:00:00.123Z": true, "2026-11-20T09:00:04.999Z": true, "2026-11-20T08:59:56Z": true,
		"2020-01-01T00:00:00Z": true, "2026-11-20T09:00:06Z": false, "soon": false, "": false,
	} {
		a := &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{
			CreationTimestamp: metav1.NewTime(began), Annotations: map[string]string{v1alpha1.CreatedAtAnnotation: annotation},
		}}
		site := &v1alpha1.Site{ObjectMeta: a.ObjectMeta}
		if kept := !a.CreatedAt().Equal(began); kept != wantKept || !site.CreatedAt().Equal(a.CreatedAt()) {
			t.Errorf("%q: kept %t, want %t; of a site %s", annotation, kept, wantKept, site.CreatedAt())
		}
	}
}
