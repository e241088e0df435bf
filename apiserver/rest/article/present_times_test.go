package article_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestAnswersSayWhenWhyAndByWhom(t *testing.T) {
	api := operationtest.New(t)
	digest := "sha256:" + strings.Repeat("0", 64)
	a := api.Article(func(a *v1alpha1.Article) {
		a.Name, a.Generation = "my-article", 3
		a.ManagedFields = []metav1.ManagedFieldsEntry{
			{Manager: "a", Operation: "Apply", Time: new(metav1.NewTime(operationtest.Began.Add(time.Hour)))},
			{Manager: "b", Operation: "Update", Time: new(metav1.NewTime(operationtest.Began.Add(2 * time.Hour)))}, {Manager: "c", Operation: "Update"},
		}
		a.Spec.Stage, a.Spec.PublishAfter = v1alpha1.StagePublished, new(v1alpha1.NewTime(operationtest.Began.Add(24*time.Hour)))
		a.Spec.Review = &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionRejected, By: "Mara", Note: "no sources", Digest: digest}
		a.Status.Conditions = []metav1.Condition{
			{Type: v1alpha1.ConditionReady, Reason: v1alpha1.ReasonGenerationFailed, ObservedGeneration: 3},
			{Type: v1alpha1.ConditionGenerated, Reason: v1alpha1.ReasonRefused, ObservedGeneration: 3},
			{Type: v1alpha1.ConditionApproved, Reason: v1alpha1.ReasonRejected, ObservedGeneration: 2},
		}
	})
	uid := identity.UID(identity.KindArticle, operationtest.Workspace, a.Name)
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
	api.Into(operationtest.Request{Path: "/v1/api/blogs"}, &page)
	check("list", page.Data[0])
	var full restarticle.Article
	api.Into(operationtest.Request{Path: "/v1/api/blogs/" + uid}, &full)
	check("get", full.ArticleSummary)

	// The time is kept while nobody asks for publication, but it is nobody's wish.
	api.Article(func(a *v1alpha1.Article) {
		a.Name, a.Spec.PublishAfter = "withdrawn", new(v1alpha1.NewTime(operationtest.Began.Add(time.Hour)))
	})
	api.Into(operationtest.Request{Path: "/v1/api/blogs/" + identity.UID(identity.KindArticle, operationtest.Workspace, "withdrawn")}, &full)
	if full.PublishAt != nil {
		t.Errorf("publish_at is %s", *full.PublishAt)
	}
}

// An export is created again at another time. What clients know articles and sites by may not change with it.
func TestTheIDsOfWhatIsCreatedAgainFromAnExportStayTheSame(t *testing.T) {
	ids := func(created time.Time, annotations map[string]string) (article, site string) {
		api := operationtest.New(t)
		meta := metav1.ObjectMeta{CreationTimestamp: metav1.NewTime(created), Annotations: annotations}
		api.Article(func(a *v1alpha1.Article) {
			a.Name, a.CreationTimestamp, a.Annotations = "exported", meta.CreationTimestamp, meta.Annotations
		})
		var full restarticle.Article
		api.Into(operationtest.Request{Path: "/v1/api/blogs/" + identity.UID(identity.KindArticle, operationtest.Workspace, "exported")}, &full)
		s := &v1alpha1.Site{ObjectMeta: meta}
		s.Namespace, s.Name = operationtest.Workspace, "exported"
		api.Index.Handlers().Sites.OnAdd(s, false)
		var sites restsite.SiteList
		api.Into(operationtest.Request{Path: "/v1/api/sites"}, &sites)
		for _, s := range sites.Data {
			if s.UID == identity.UID(identity.KindSite, operationtest.Workspace, "exported") {
				site = s.ID
			}
		}
		return full.ID, site
	}
	article, site := ids(operationtest.Began, nil)
	again, siteAgain := ids(operationtest.Began.AddDate(0, 3, 0), map[string]string{v1alpha1.CreatedAtAnnotation: operationtest.Began.UTC().Format(time.RFC3339)})
	if article != again || site == "" || site != siteAgain {
		t.Errorf("the article is %s, and then %s; the site is %s, and then %s", article, again, site, siteAgain)
	}
}
