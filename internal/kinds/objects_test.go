package kinds

import (
	"crypto/rand"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	api "github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
)

// digest is that of some content; otherDigest is that of other content.
var (
	digest      = "sha256:" + strings.Repeat("a", 64)
	otherDigest = "sha256:" + strings.Repeat("b", 64)
)

// now is any time, to the microsecond as kube-apiserver keeps it.
var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// newArticle returns an article that is written and generated, so that either source may be left out of it.
func newArticle(namespace string) *api.Article {
	return &api.Article{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "article-", Namespace: namespace},
		Spec: api.ArticleSpec{
			SiteRef:  api.LocalReference{Name: "acme"},
			Generate: &api.GenerateRequest{Keyword: "trail running shoes"},
			Content:  &api.ArticleContent{Title: "Trail running shoes", Markdown: "They grip."},
		},
	}
}

func newSite(namespace string) *api.Site {
	return &api.Site{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "site-", Namespace: namespace},
		Spec:       api.SiteSpec{Domain: "blog.acme.example", CMS: api.SiteCMS{Type: api.CMSNone}},
	}
}

func newAccount() *api.Account {
	return &api.Account{ObjectMeta: metav1.ObjectMeta{GenerateName: "account-"}}
}

// newID returns the name of a key or a grant that no other spec has.
func newID() string { return strings.ToLower(rand.Text())[:16] }

func newAccountLedger() *api.AccountLedger {
	return &api.AccountLedger{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "account-"},
		Spec: api.AccountLedgerSpec{
			CreditsUsed: 2, RecentCallTimes: []api.MicroTime{api.NewMicroTime(now)}, Day: "2026-11-20",
			Sites: []api.SiteUsage{{Workspace: "acme-blog", Site: "acme", Count: 1, Tokens: 9000}},
			Pending: []api.PendingCharge{{
				Run: "shoes-0a1b2c3d-1", Workspace: "acme-blog", Site: "acme", Article: "shoes", ArticleUID: "u", Time: api.NewMicroTime(now),
			}},
		},
	}
}

func newAPIKey() *api.APIKey {
	return &api.APIKey{
		ObjectMeta: metav1.ObjectMeta{Name: newID()},
		Spec: api.APIKeySpec{
			AccountRef: api.AccountReference{Name: "acme"},
			SecretHash: strings.Repeat("a", 64),
			Scopes:     []api.Scope{api.ScopeRead},
		},
	}
}

func newOAuthClient() *api.OAuthClient {
	return &api.OAuthClient{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "app-"},
		Spec: api.OAuthClientSpec{
			DisplayName: "Newsletter tool", RedirectURIs: []string{"https://tool.example/callback"}, Scopes: []api.Scope{api.ScopeRead},
			Type: api.OAuthClientConfidential, Secrets: []api.OAuthClientSecret{{Hash: strings.Repeat("a", 64)}},
		},
	}
}

func newAPIKeyBy(key string) *api.APIKey {
	k := newAPIKey()
	k.Spec.CreatedByRef = &api.CreatorReference{Kind: api.CreatorAPIKey, Name: key}
	return k
}

func newOAuthClientOf(account string) *api.OAuthClient {
	c := newOAuthClient()
	c.Spec.AccountRef = &api.AccountReference{Name: account}
	return c
}

func newOAuthGrant() *api.OAuthGrant {
	return &api.OAuthGrant{
		ObjectMeta: metav1.ObjectMeta{Name: newID()},
		Spec: api.OAuthGrantSpec{
			ClientRef: api.LocalReference{Name: "newsletter"}, AccountRef: api.AccountReference{Name: "acme"}, Person: "mara@acme.example",
			Scopes: []api.Scope{api.ScopeRead}, RedirectURI: "https://tool.example/callback", CodeHash: strings.Repeat("a", 64),
			ExpirationTime: api.NewMicroTime(now),
		},
	}
}

func newRevision(namespace string) *api.ArticleRevision {
	return &api.ArticleRevision{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "revision-", Namespace: namespace},
		Spec: api.ArticleRevisionSpec{
			ArticleRef: api.LocalReference{Name: "welcome"},
			Number:     1,
			Source:     api.SourceWritten,
			Digest:     digest,
			Title:      "Trail running shoes",
			Markdown:   "They grip.",
			Scores:     api.Scores{SEOScore: 70},
		},
	}
}

// newBrief returns a Brief that has each member, so that any may be left out of it.
func newBrief(namespace string) *api.Brief {
	return &api.Brief{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "brief-", Namespace: namespace},
		Spec: api.BriefSpec{
			Instructions: "For beginners.", Facts: []string{"Acme sells 42 trail models."},
			Sources: []api.BriefSource{{Name: "survey", Title: "Trail survey 2026", URL: "https://survey.example/2026", Text: "42 percent switch shoes."}},
		},
	}
}

func newIdempotencyRecord(namespace string) *internalv1alpha1.IdempotencyRecord {
	return &internalv1alpha1.IdempotencyRecord{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "record-", Namespace: namespace},
		Spec:       internalv1alpha1.IdempotencyRecordSpec{Operation: "generate", RequestHash: strings.Repeat("a", 64), Object: "welcome"},
	}
}

func newEventSubscription(namespace string) *api.EventSubscription {
	return &api.EventSubscription{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "subscription-", Namespace: namespace},
		Spec: api.EventSubscriptionSpec{
			URL: "https://acme.example/events", Events: []api.EventSelector{api.SelectAll},
			SigningSecretRef: api.SecretKeyReference{Name: "acme-events", Key: "secret"},
		},
	}
}

func newEventDelivery(namespace string) *api.EventDelivery {
	return &api.EventDelivery{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "delivery-", Namespace: namespace},
		Spec: api.EventDeliverySpec{
			SubscriptionRef: api.LocalReference{Name: "newsroom"}, ArticleRef: api.LocalReference{Name: "welcome"},
			Type: api.EventPublished, Time: api.NewMicroTime(now), Body: `{"type": "blog.published"}`,
		},
	}
}

// newWorkspace returns a namespace of an account; of none where account is empty.
func newWorkspace(account string) *corev1.Namespace {
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "workspace-"}}
	if account != "" {
		ns.Labels = map[string]string{api.AccountLabel: account}
	}
	return ns
}

func condition(conditionType string, status metav1.ConditionStatus, reason string) metav1.Condition {
	return metav1.Condition{Type: conditionType, Status: status, Reason: reason, LastTransitionTime: metav1.NewTime(now)}
}

func newPost(namespace string) *api.Post {
	return &api.Post{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, GenerateName: "post-"},
		Spec: api.PostSpec{
			SiteRef: api.LocalReference{Name: "acme"}, ArticleRef: api.LocalReference{Name: "shoes"},
			Destination: "hooks.acme.example:443/articles", Slug: "shoes", State: api.PostSent,
			Revision: api.PostRevision{Name: "shoes-0a1b2c3d-1", Number: 1, Digest: digest, Title: "Shoes", Source: "Written"},
		},
	}
}
