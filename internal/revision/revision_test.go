package revision_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

var document = content.Document{
	Title: "Trail shoes", Slug: "trail-shoes", Markdown: "Run far. " + strings.Repeat("And on. ", 500), MetaTitle: "Shoes",
	MetaDescription: "What to know.", Language: "en", FAQ: []v1alpha1.FAQ{{Question: "Why?", Answer: "Because."}},
}

func article() *v1alpha1.Article {
	return &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Namespace: "acme-blog", Name: "shoes", UID: "u1"}}
}

func TestADocumentComesBackAsItWas(t *testing.T) {
	for _, encoding := range []v1alpha1.BodyEncoding{v1alpha1.EncodingPlain, v1alpha1.EncodingZstd} {
		rev, err := revision.New(article(), document, revision.Origin{
			Name: "shoes-1", Number: 1, Source: v1alpha1.SourceWritten, Encoding: encoding,
			Scores: revision.Score(document, check.Input{Keyword: "trail shoes"}),
		})
		if err != nil {
			t.Fatal(err)
		}
		if plain := rev.Spec.Markdown != ""; plain != (encoding == v1alpha1.EncodingPlain) || plain == (len(rev.Spec.Compressed) > 0) {
			t.Errorf("%s: the body is not in the field of the encoding", encoding)
		}
		got, err := revision.Document(rev)
		if err != nil || !reflect.DeepEqual(got, document) {
			t.Errorf("%s: got %+v, %v, want the document", encoding, got, err)
		}
		if rev.Spec.Digest != document.Digest() || len(rev.Spec.Scores.Failed) == 0 || !metav1.IsControlledBy(rev, article()) {
			t.Errorf("%s: digest, scores or owner are missing: %+v", encoding, rev)
		}
	}
}

func TestAForgedBodyDoesNotGrowInMemory(t *testing.T) {
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	bomb := w.EncodeAll(make([]byte, 256<<20), nil)
	rev := &v1alpha1.ArticleRevision{Spec: v1alpha1.ArticleRevisionSpec{Encoding: v1alpha1.EncodingZstd, Compressed: bomb}}
	if _, err := revision.Document(rev); err == nil {
		t.Errorf("%d bytes grew to 256 MiB, want an error", len(bomb))
	}
}
