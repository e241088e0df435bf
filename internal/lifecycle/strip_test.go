package lifecycle_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

func withText(markdown string, faq []v1alpha1.FAQ) with {
	return func(a *v1alpha1.Article) {
		a.Spec.Content = &v1alpha1.ArticleContent{Title: "T", Slug: "t", Markdown: markdown, FAQ: faq}
	}
}

func TestAStrippedArticleHasTheSameFacts(t *testing.T) {
	long := []v1alpha1.FAQ{{Question: "Q?", Answer: strings.Repeat("a", 5000)}}
	for name, changes := range map[string][]with{
		"no content":                 {generated},
		"fields":                     {generated, content("T", "")},
		"no questions":               {generated, withText("", []v1alpha1.FAQ{})},
		"questions":                  {generated, withText("", long)},
		"a body":                     {withText(strings.Repeat("b", 5000), nil)},
		"a body that is a revision":  {withText(strings.Repeat("b", 5000), long), revision(digestA)},
		"a body that is approved":    {withText("Body.", nil), revision(digestA), review(v1alpha1.DecisionApproved, ""), stage(v1alpha1.StagePublished)},
		"a body after a generated":   {generated, withText("Body.", nil)},
		"fields after a written one": {withText("Body.", nil), revision(digestA), content("T", "")},
	} {
		t.Run(name, func(t *testing.T) {
			whole := article(changes...)
			whole.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "kubectl", Operation: metav1.ManagedFieldsOperationApply}}
			whole.Annotations[corev1.LastAppliedConfigAnnotation] = strings.Repeat("x", 5000)
			stripped := whole.DeepCopy()
			lifecycle.Strip(stripped)
			again := stripped.DeepCopy()
			lifecycle.Strip(again)
			if diff := cmp.Diff(stripped, again); diff != "" {
				t.Errorf("stripping twice changes it again:\n%s", diff)
			}
			if data, err := json.Marshal(stripped); err != nil || len(data) > 2000 {
				t.Errorf("%d bytes are left, %v", len(data), err)
			}
			for what, fact := range map[string]func(*v1alpha1.Article) any{
				"ContentHash": func(a *v1alpha1.Article) any { return lifecycle.ContentHash(a.Spec.Content) },
				"TextBytes":   func(a *v1alpha1.Article) any { return lifecycle.TextBytes(a) },
				"Written":     func(a *v1alpha1.Article) any { return lifecycle.Written(a) },
				"Outdated":    func(a *v1alpha1.Article) any { return lifecycle.Outdated(a, nil) },
				"Phase":       func(a *v1alpha1.Article) any { return lifecycle.Phase(a, nil, now) },
				"Next": func(a *v1alpha1.Article) any {
					return lifecycle.Next(a, site(v1alpha1.ReviewManual), to(lifecycle.Push), now)
				},
			} {
				if got, want := fact(stripped), fact(whole); got != want {
					t.Errorf("%s = %v, want %v", what, got, want)
				}
			}
			if !lifecycle.Stripped(stripped) || lifecycle.Stripped(whole) {
				t.Error("Stripped does not tell one from the other")
			}
		})
	}
}

func TestTheManagerOfTheContentIsTheLastThatWroteIt(t *testing.T) {
	wrote := func(manager, fields string, minute int) metav1.ManagedFieldsEntry {
		at := metav1.NewTime(now.Add(time.Duration(minute) * time.Minute))
		return metav1.ManagedFieldsEntry{
			Manager: manager, Operation: metav1.ManagedFieldsOperationUpdate, Time: &at, FieldsV1: metav1.NewFieldsV1(fields),
		}
	}
	const text, stage = `{"f:spec":{"f:content":{"f:markdown":{}}}}`, `{"f:spec":{"f:stage":{}}}`
	status := wrote("pressroom-controller", text, 9)
	status.Subresource = "status"
	for _, tt := range []struct {
		name string
		all  []metav1.ManagedFieldsEntry
		want string
	}{
		{"nobody", nil, ""},
		{"the facade", []metav1.ManagedFieldsEntry{wrote(lifecycle.FacadeManager, text, 1)}, ""},
		{"kubectl", []metav1.ManagedFieldsEntry{wrote("kubectl-edit", text, 1)}, "kubectl-edit"},
		{"kubectl after the facade", []metav1.ManagedFieldsEntry{wrote(lifecycle.FacadeManager, text, 1), wrote("kubectl-edit", text, 2)}, "kubectl-edit"},
		{"the facade after kubectl", []metav1.ManagedFieldsEntry{wrote("kubectl-edit", text, 1), wrote(lifecycle.FacadeManager, text, 2)}, ""},
		{"another part", []metav1.ManagedFieldsEntry{wrote("argocd-controller", text, 1), wrote("kubectl-patch", stage, 2)}, "argocd-controller"},
		{"the status", []metav1.ManagedFieldsEntry{wrote("argocd-controller", text, 1), status}, "argocd-controller"},
	} {
		a := article(withText("Body.", nil))
		a.ManagedFields = tt.all
		stripped := a.DeepCopy()
		lifecycle.Strip(stripped)
		if whole, cached := lifecycle.ContentManager(a), lifecycle.ContentManager(stripped); whole != tt.want || cached != tt.want {
			t.Errorf("%s: got %q and, from a cache, %q, want %q", tt.name, whole, cached, tt.want)
		}
	}
}

func TestWhoHasAnEditorOpenWritesNothing(t *testing.T) {
	a := article()
	a.CreationTimestamp = metav1.NewTime(now)
	later := metav1.NewTime(now.Add(time.Hour))
	a.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: lifecycle.PresenceManager, Operation: metav1.ManagedFieldsOperationUpdate, Time: &later}}
	if got := lifecycle.UpdatedAt(a); !got.Equal(now) {
		t.Errorf("updated at %v, want %v", got, now)
	}
}

// No author can write what Strip leaves, and kube-apiserver gets none of it.
func TestWhatStripLeavesIsNeitherReadNorWrittenAsJSON(t *testing.T) {
	a := article(withText("Body.", nil))
	lifecycle.Strip(a)
	data, err := json.Marshal(a.Spec.Content)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"title":"T","slug":"t"}`; string(data) != want {
		t.Errorf("JSON is %s, want %s", data, want)
	}
	var c v1alpha1.ArticleContent
	if err := json.Unmarshal([]byte(`{"title":"T","cached":{"hash":"h"},"Cached":{"Hash":"h"}}`), &c); err != nil {
		t.Fatal(err)
	}
	if lifecycle.WithoutText(&c) || c.HasBody() {
		t.Errorf("%+v counts as stripped", c)
	}
}
