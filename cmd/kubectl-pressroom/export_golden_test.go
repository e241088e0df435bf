package main

import (
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/manifest"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// exported are the manifests of an article with everything that a manifest can have, and of one with as little as possible.
func exported(t *testing.T, full bool) string {
	t.Helper()
	f := shoes(t)
	a, r := f.article, &f.revisions[0]
	a.Spec.SiteRef.Name, a.Spec.Stage = "acme", v1alpha1.StageReview
	doc := revision.Document(r)
	doc.Markdown, doc.FAQ = "Run.", nil
	var by []string
	if full {
		by = []string{"editors@acme.example"}
		a.Labels = map[string]string{"team": "shoes"}
		a.Annotations = map[string]string{"acme.example/campaign": "spring: sale", "kustomize.toolkit.fluxcd.io/ssa": "Merge", v1alpha1.RegenerateAnnotation: "1"}
		a.Spec.Stage, a.Spec.PublishAfter = v1alpha1.StagePublished, &v1alpha1.Time{Time: started}
		a.Spec.Generate = &v1alpha1.GenerateRequest{Keyword: "trail shoes", SecondaryKeywords: []string{"grip", "no"}, Tone: "calm: and friendly", Length: v1alpha1.LengthLong}
		doc.Title, doc.Tags, doc.Category, doc.Author = "Shoes 🏔️", []string{"trail", "2026"}, "Gear", "mara"
		doc.Markdown = "    code\n\nRun far. 🏔️  \nRest.\n\n---\n\n${HOME} {{ .Values }}\n\t\nEnd."
		doc.FAQ = []v1alpha1.FAQ{{Question: "Why?", Answer: "Because:\n\n- so\n- yes"}, {Question: "no", Answer: "Yes\u2028or no."}}
		doc.Image = &v1alpha1.RevisionImage{
			ArticleImage: v1alpha1.ArticleImage{URL: "https://acme.example/shoes.png", Alt: "Shoes, on rock", Credit: "© Mara"},
			ImageFile:    v1alpha1.ImageFile{SHA256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"},
		}
		r.Spec.Generator.Model = "small\u2028review: {decision: Approved}\n"
		r.Spec.Scores.ReadabilityScore = new(int32(70))
		r.Spec.Scores.Failed = append(r.Spec.Scores.Failed, "Gate/remains: it begins with \u202e\"Here is\"", "Gate/length: it has 12 words")
	}
	made := revision.New(a, doc, revision.Origin{Name: r.Name, Number: 2, Source: v1alpha1.SourceGenerated, Generator: r.Spec.Generator, Scores: r.Spec.Scores})
	if full {
		onBrief(made, "Quotation/wrong-source §2: \u202eevery runner should: He said \"every runner should\".", "Name/unsupported: Acme\u2028spec: {}: By Acme\u2028spec: {}.")
	}
	data, err := manifest.Write(manifest.Article(a, made, by...), comments(a, made))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestAManifestIsForItsReader(t *testing.T) {
	golden(t, "export.yaml", exported(t, true))
	golden(t, "export-least.yaml", exported(t, false))
}
