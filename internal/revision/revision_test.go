package revision_test

import (
	"reflect"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/ground"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

var document = content.Document{
	Title: "Trail shoes", Slug: "trail-shoes", Markdown: "Run far. " + strings.Repeat("And on. ", 500), MetaTitle: "Shoes",
	MetaDescription: "What to know.", Language: "en", FAQ: []v1alpha1.FAQ{{Question: "Why?", Answer: "Because."}},
	Tags: []string{"Trail"}, Category: "Shoes", Author: "Mara",
	Image: &v1alpha1.RevisionImage{
		ArticleImage: v1alpha1.ArticleImage{URL: "https://media.example/a.jpg", Alt: "Shoes", Credit: "Mara"},
		ImageFile:    v1alpha1.ImageFile{SHA256: strings.Repeat("0", 64), Type: "image/jpeg", Width: 3, Height: 2, Bytes: 1},
	},
}

func article() *v1alpha1.Article {
	return &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Namespace: "acme-blog", Name: "shoes", UID: "u1"}}
}

func TestADocumentComesBackAsItWas(t *testing.T) {
	rev := revision.New(article(), document, revision.Origin{
		Name: "shoes-1", Number: 1, Source: v1alpha1.SourceWritten, Scores: revision.Score(document, check.Input{Keyword: "trail shoes"}),
	})
	if got := revision.Document(rev); !reflect.DeepEqual(got, document) {
		t.Errorf("got %+v, want the document", got)
	}
	if rev.Spec.Digest != document.Digest() || len(rev.Spec.Scores.Failed) == 0 || !metav1.IsControlledBy(rev, article()) {
		t.Errorf("digest, scores or owner are missing: %+v", rev)
	}
}

func TestARevisionHasTheClaimsOfTheBriefThatItWasCheckedAgainst(t *testing.T) {
	in := check.Input{
		Document: content.Document{Title: "Soles", Markdown: "Acme repairs soles. Of all soles, 97 percent break.", Language: "en"},
		Material: &ground.Material{Facts: []string{"Acme repairs soles."}},
	}
	used := &v1alpha1.RevisionBrief{Name: "soles", Digest: "sha256:" + strings.Repeat("0", 64)}
	spec := revision.New(article(), in.Document, revision.Origin{}.CheckedBy(check.Run(in), used)).Spec
	want := []string{"Figure/unsupported §1: 97 percent: Of all soles, 97 percent break."}
	if !reflect.DeepEqual(spec.Claims, want) || !reflect.DeepEqual(spec.Brief, used) || spec.Scores.GroundingScore == nil || *spec.UnsupportedClaims() != 1 {
		t.Errorf("got the claims %q, the brief %+v, the score %v", spec.Claims, spec.Brief, spec.Scores.GroundingScore)
	}
	in.Material = nil
	spec = revision.New(article(), in.Document, revision.Origin{}.CheckedBy(check.Run(in), nil)).Spec
	if spec.Claims != nil || spec.Brief != nil || spec.Scores.GroundingScore != nil || spec.UnsupportedClaims() != nil {
		t.Errorf("without a brief it has the claims %q", spec.Claims)
	}
}
