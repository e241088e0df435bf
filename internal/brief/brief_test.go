package brief_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/brief"
	"github.com/pressroom-dev/pressroom/internal/ground"
)

func spec() v1alpha1.BriefSpec {
	return v1alpha1.BriefSpec{
		Instructions: "For beginners.", Facts: []string{"a", "b"},
		Sources: []v1alpha1.BriefSource{{Name: "survey", Title: "Survey", URL: "https://survey.example", Text: "31 percent."}},
	}
}

// Revisions have digests: that of a spec never changes.
func TestTheDigestOfASpecStaysTheSame(t *testing.T) {
	const want = "sha256:f75467c3b4e08e8f2984e28007eedc5e5fcc51c15344eea6db3831405d2f5e30"
	if got := brief.Digest(spec()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestEachPartOfASpecChangesItsDigest(t *testing.T) {
	seen := map[string]string{brief.Digest(spec()): "nothing"}
	for name, change := range map[string]func(*v1alpha1.BriefSpec){
		"instructions":          func(b *v1alpha1.BriefSpec) { b.Instructions = "" },
		"a fact":                func(b *v1alpha1.BriefSpec) { b.Facts[1] = "c" },
		"the bounds of facts":   func(b *v1alpha1.BriefSpec) { b.Facts = []string{"ab"} },
		"the order of facts":    func(b *v1alpha1.BriefSpec) { b.Facts = []string{"b", "a"} },
		"a fact fewer":          func(b *v1alpha1.BriefSpec) { b.Facts = b.Facts[:1] },
		"no source":             func(b *v1alpha1.BriefSpec) { b.Sources = nil },
		"the name of a source":  func(b *v1alpha1.BriefSpec) { b.Sources[0].Name = "other" },
		"the title of a source": func(b *v1alpha1.BriefSpec) { b.Sources[0].Title = "Other" },
		"the url of a source":   func(b *v1alpha1.BriefSpec) { b.Sources[0].URL = "" },
		"the text of a source":  func(b *v1alpha1.BriefSpec) { b.Sources[0].Text = "32 percent." },
		"what a text begins with": func(b *v1alpha1.BriefSpec) {
			b.Sources[0].URL, b.Sources[0].Text = "https://survey.example3", "1 percent."
		},
	} {
		b := spec()
		change(&b)
		digest := brief.Digest(b)
		if other, taken := seen[digest]; taken {
			t.Errorf("%s: the digest is that of %s", name, other)
		}
		seen[digest] = name
	}
}

func TestMaterialHasTheFactsAndSources(t *testing.T) {
	want := ground.Material{
		Facts:   []string{"a", "b"},
		Sources: []ground.Source{{Name: "survey", Title: "Survey", URL: "https://survey.example", Text: "31 percent."}},
	}
	if diff := cmp.Diff(want, brief.Material(spec())); diff != "" {
		t.Error(diff)
	}
}

func TestTheBriefOfAnArticleComesBeforeThatOfItsSite(t *testing.T) {
	ref := func(name string) *v1alpha1.LocalReference { return &v1alpha1.LocalReference{Name: name} }
	house := &v1alpha1.Site{Spec: v1alpha1.SiteSpec{BriefRef: ref("house")}}
	for _, tt := range []struct {
		name     string
		generate *v1alpha1.GenerateRequest
		site     *v1alpha1.Site
		want     string
	}{
		{"neither", &v1alpha1.GenerateRequest{}, &v1alpha1.Site{}, ""},
		{"no site", nil, nil, ""},
		{"that of the site", &v1alpha1.GenerateRequest{}, house, "house"},
		{"that of the site, for a written text", nil, house, "house"},
		{"that of the article", &v1alpha1.GenerateRequest{BriefRef: ref("own")}, house, "own"},
		{"that of the article, whose site is gone", &v1alpha1.GenerateRequest{BriefRef: ref("own")}, nil, "own"},
	} {
		a := &v1alpha1.Article{Spec: v1alpha1.ArticleSpec{Generate: tt.generate}}
		if got := brief.NameFor(a, tt.site); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
