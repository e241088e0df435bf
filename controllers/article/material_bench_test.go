package article

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/related"
)

// siteOf is a cache with the articles of one site, copied into lists as that of the manager copies them.
type siteOf struct {
	client.Client
	articles []v1alpha1.Article
}

func (s siteOf) List(_ context.Context, list client.ObjectList, _ ...client.ListOption) error {
	articles := list.(*v1alpha1.ArticleList)
	articles.Items = make([]v1alpha1.Article, len(s.articles))
	copy(articles.Items, s.articles)
	return nil
}

// BenchmarkKnownSite compares a text with 10,000 published articles of a site, as each text that nobody reviews. The index is made before.
func BenchmarkKnownSite(b *testing.B) {
	random, site := rand.New(rand.NewPCG(1, 1)), siteOf{}
	for i := range 10_000 {
		f := related.Fingerprint(random.Uint64())
		a := v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Namespace: "w", Name: fmt.Sprintf("article-%d", i)}}
		a.Spec.Generate = &v1alpha1.GenerateRequest{Keyword: fmt.Sprintf("trail running shoes %d", i)}
		a.Status.Revision = &v1alpha1.CurrentRevision{
			Title: fmt.Sprintf("The best trail running shoes for the season %d", i), Fingerprint: f.String(), Terms: benchTerms(random),
		}
		a.Status.Publication = &v1alpha1.Publication{Post: v1alpha1.SitePost{
			State: v1alpha1.PostPresent, Revision: &v1alpha1.PublicationRevision{}, URL: fmt.Sprintf("https://acme.example/%d", i),
		}}
		site.articles = append(site.articles, a)
	}
	c := &Content{Base: &base.Base{Client: site}, Related: related.NewIndex()}
	t := &task{article: site.articles[0].DeepCopy(), site: &v1alpha1.Site{}}
	t.site.Spec.Review.Policy = v1alpha1.ReviewAutomatic
	doc := content.Document{Title: "Trail running shoes", Language: "en", Markdown: benchText}
	if _, err := c.checkInput(b.Context(), t, doc, nil); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := c.checkInput(b.Context(), t, doc, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// benchTerms are 30 of 5,000 stems.
func benchTerms(random *rand.Rand) string {
	var terms []string
	for range 30 {
		terms = append(terms, fmt.Sprintf("stem%d", random.IntN(5000)))
	}
	return strings.Join(terms, " ")
}

// benchText is long enough for a fingerprint.
var benchText = strings.Repeat(
	"The huts above the valley open in May. Take a map, good shoes and enough water to the second spring on the ridge. ", 8)
