package manifest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	yamlv3 "go.yaml.in/yaml/v3"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/manifest"
	"github.com/pressroom-dev/pressroom/test/texts"
)

func articleWith(markdown string) (*v1alpha1.Article, *v1alpha1.ArticleRevision) {
	a := &v1alpha1.Article{
		ObjectMeta: metav1.ObjectMeta{Namespace: "acme-blog", Name: "trail-shoes"},
		Spec: v1alpha1.ArticleSpec{
			SiteRef:  v1alpha1.LocalReference{Name: "acme"},
			Generate: &v1alpha1.GenerateRequest{Keyword: "trail 🏔️ shoes", SecondaryKeywords: []string{"grip", "yes"}, Tone: "calm\nand: friendly"},
			Stage:    v1alpha1.StagePublished,
		},
	}
	r := &v1alpha1.ArticleRevision{Spec: v1alpha1.ArticleRevisionSpec{
		Number: 1, Title: "Trail shoes 🏔️", Slug: "trail-shoes", MetaTitle: "Shoes: all of them", MetaDescription: "no", Markdown: markdown,
		FAQ: []v1alpha1.FAQ{{Question: "Why? 🏔️", Answer: "Because.  \n\n- so\n"}, {Question: "yes", Answer: markdown}},
	}}
	return a, r
}

func TestEveryTextIsReadBackByteForByte(t *testing.T) {
	all := texts.Hard()
	quoted, refused := 0, 0
	for i, text := range texts.Random(43, 500) {
		all[fmt.Sprint("random ", i)] = text
	}
	for name, text := range all {
		a, r := articleWith(text)
		data, err := manifest.Write(manifest.Article(a, r), []string{"A comment with " + text})
		if err != nil {
			t.Errorf("%s: %q: %v", name, text, err)
			continue
		}
		if strings.Contains(string(data), "\n    markdown: \"") {
			quoted++
		}
		if err := manifest.CheckKustomize(data, manifest.Article(a, r)); err != nil {
			refused++
			if !strings.ContainsAny(text, "\x00\u007f\u0085\u2028\u2029\ufffe\r") {
				t.Errorf("%s: %q: %v", name, text, err)
			}
		}
		// The parser of Kubernetes, and that of kustomize, Flux and Argo CD.
		for parser, unmarshal := range map[string]func([]byte, any) error{
			"Kubernetes": func(data []byte, into any) error { return yaml.Unmarshal(data, into) }, "kustomize": yamlv3.Unmarshal,
		} {
			var got struct {
				Spec struct {
					Content struct{ Markdown string }
				}
			}
			if err := unmarshal(data, &got); err != nil {
				t.Errorf("%s: %s: %v", name, parser, err)
			} else if got.Spec.Content.Markdown != text {
				t.Errorf("%s: %s reads %q, want %q", name, parser, got.Spec.Content.Markdown, text)
			}
		}
	}
	t.Logf("%d texts, %d of them quoted, %d not for kustomize", len(all), quoted, refused)
}

func TestMarkdownIsWrittenLineByLine(t *testing.T) {
	for name, text := range texts.Hard() {
		a, r := articleWith(text)
		data, err := manifest.Write(manifest.Article(a, r), nil)
		if err != nil {
			t.Fatal(err)
		}
		quoted := strings.ContainsAny(text, "\r\u2028\u2029\u0085\u007f\x00\ufeff\ufffe\uffff") || strings.HasPrefix(text, "\t")
		_, block, _ := strings.Cut(string(data), "\n    markdown: |2")
		if quoted == (block != "") {
			t.Errorf("%s: a block is %t, want %t", name, !quoted, quoted)
		}
		if !quoted && strings.Count(block, "\n") < strings.Count(text, "\n") {
			t.Errorf("%s: %d lines, want those of the text", name, strings.Count(block, "\n"))
		}
	}
}

func TestOnlyWhatPeopleSetIsExported(t *testing.T) {
	a, r := articleWith("Run.")
	a.Labels = map[string]string{
		"team": "shoes", "kustomize.toolkit.fluxcd.io/name": "acme", "kustomize.toolkit.fluxcd.io/namespace": "flux-system",
		"argocd.argoproj.io/instance": "acme",
	}
	a.Annotations = map[string]string{
		"acme.example/campaign": "spring", "kustomize.toolkit.fluxcd.io/ssa": "Merge", "argocd.argoproj.io/sync-options": "Prune=false",
		v1alpha1.RegenerateAnnotation: "1", v1alpha1.CreatedAtAnnotation: "2026-11-20T12:00:00Z", "pressroom.dev/traceparent": "00",
		"kubectl.kubernetes.io/last-applied-configuration": "{}", "kustomize.toolkit.fluxcd.io/checksum": "1",
		"reconcile.fluxcd.io/requestedAt": "now", "argocd.argoproj.io/tracking-id": "acme", "argocd.argoproj.io/refresh": "hard",
	}
	got := manifest.Article(a, r)
	if diff := cmp.Diff(map[string]string{"team": "shoes"}, got.Labels); diff != "" {
		t.Error(diff)
	}
	want := map[string]string{
		"acme.example/campaign": "spring", "kustomize.toolkit.fluxcd.io/ssa": "Merge", "argocd.argoproj.io/sync-options": "Prune=false",
		"kustomize.toolkit.fluxcd.io/substitute": "disabled",
	}
	if diff := cmp.Diff(want, got.Annotations); diff != "" {
		t.Error(diff)
	}
}

func TestAFileIsReplacedOnlyIfItHasTheArticleAndNothingElse(t *testing.T) {
	a, r := articleWith("Run.\n\n---\n\nRest.")
	own, err := manifest.Write(manifest.Article(a, r), []string{"Before."})
	if err != nil {
		t.Fatal(err)
	}
	const head = "apiVersion: pressroom.dev/v1alpha1\nkind: Article\n"
	for name, tt := range map[string]struct {
		file string
		want string
	}{
		"the manifest itself":       {string(own), ""},
		"between markers":           {"# A comment.\n---\n" + string(own) + "---\n# The end.\n", ""},
		"without a namespace":       {head + "metadata: {name: trail-shoes}\n", ""},
		"of another version":        {"apiVersion: pressroom.dev/v1\nkind: Article\nmetadata: {name: trail-shoes}\n", ""},
		"another article":           {head + "metadata: {name: huts}\n", "Article huts"},
		"of another namespace":      {head + "metadata: {name: trail-shoes, namespace: acme-shop}\n", "Article acme-shop/trail-shoes"},
		"another kind":              {"apiVersion: v1\nkind: Secret\nmetadata: {name: trail-shoes}\n", "kind Secret"},
		"another group":             {"apiVersion: acme.example/v1\nkind: Article\nmetadata: {name: trail-shoes}\n", "Article.acme.example"},
		"another article beside it": {string(own) + "---\n" + head + "metadata: {name: huts}\n", "2 objects"},
		"the article twice":         {string(own) + "---\n" + string(own), "2 objects"},
		"nothing":                   {"", "0 objects"},
		"comments":                  {"# huts\n", "0 objects"},
		"a text":                    {"Notes of mine.", "no manifest"},
		"no YAML":                   {"a: b: c", "no manifest"},
		"an object without a kind":  {"a: b\n", "kind none"},
		"a list":                    {"- a\n", "no manifest"},
	} {
		err := manifest.Holds([]byte(tt.file), a)
		if tt.want == "" && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: the error is %v, want %q", name, err, tt.want)
		}
	}
}
