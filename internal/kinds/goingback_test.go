package kinds

import (
	"maps"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// laterWord is a value of a type, state or class that only a later version knows.
const laterWord = "OfALaterVersion"

// specOfPrograms are the kinds whose spec programs write.
var specOfPrograms = []string{"AccountLedger", "ArticleRevision", "Post", "EventDelivery"}

// What a later version wrote must stay writable after its CRDs were replaced by older ones: a list or a structure that is atomic is
// validated as a whole, even if the write changes another part of it.
var _ = Describe("An older CRD", func() {
	examples := map[string]client.Object{
		"Account": newAccount(), "AccountLedger": newAccountLedger(), "APIKey": newAPIKey(), "Article": newArticle(workspace), "ArticleRevision": newRevision(workspace),
		"Brief":         newBrief(workspace),
		"EventDelivery": newEventDelivery(workspace), "EventSubscription": newEventSubscription(workspace),
		"IdempotencyRecord": newIdempotencyRecord(workspace), "OAuthClient": newOAuthClient(), "OAuthGrant": newOAuthGrant(),
		"Post": newPost(workspace), "Site": newSite(workspace),
	}

	It("takes what a newer version has written, for every kind", func(ctx SpecContext) {
		crds, err := generatedCRDs()
		Expect(err).NotTo(HaveOccurred())
		for _, c := range crds {
			kind := c.Spec.Names.Kind
			By(kind)
			Expect(examples).To(HaveKey(kind))
			content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(examples[kind])
			Expect(err).NotTo(HaveOccurred())
			obj := &unstructured.Unstructured{Object: content}
			obj.SetAPIVersion(c.Spec.Group + "/" + c.Spec.Versions[0].Name)
			obj.SetKind(kind)
			delete(obj.Object, "status")
			if slices.Contains(specOfPrograms, kind) {
				spec := root(c).Properties["spec"]
				useLaterWords(&spec, obj.Object["spec"])
			}
			Expect(admin.Create(ctx, obj)).To(Succeed())
			DeferCleanup(func(ctx SpecContext) { Expect(admin.Delete(ctx, obj)).To(Succeed()) })
			if status, ok := root(c).Properties["status"]; ok {
				written := filled(&status, "status")
				obj.Object["status"] = written
				Expect(admin.Status().Update(ctx, obj)).To(Succeed())
				Expect(obj.Object["status"]).To(Equal(written))
			}
		}
	})
})

// isWord reports whether a string is one of a set of words: an enum, or a pattern that their form has.
func isWord(s *schema) bool { return len(s.Enum) > 0 || s.Pattern == "^[A-Z][A-Za-z0-9]*$" }

// useLaterWords replaces the words in a value.
func useLaterWords(s *schema, value any) {
	fields, _ := value.(map[string]any)
	for name := range fields {
		property := s.Properties[name]
		if isWord(&property) {
			fields[name] = laterWord
		}
		useLaterWords(&property, fields[name])
	}
}

// ofForm are values of those patterns in a status that later versions do not extend: of amounts and of currencies.
var ofForm = map[string]string{`^[0-9]+\.[0-9]{6}$`: "1.000000", "^[A-Z]{3}$": "USD"}

// filled returns a value that has each field of a schema, and for each word a later one.
func filled(s *schema, name string) any {
	switch s.Type {
	case "object":
		fields := map[string]any{}
		for _, property := range slices.Sorted(maps.Keys(s.Properties)) {
			child := s.Properties[property]
			fields[property] = filled(&child, property)
		}
		return fields
	case "array":
		return []any{filled(s.Items.Schema, "")}
	case "integer":
		return max(int64(1), int64(*s.Minimum))
	}
	switch {
	case name == "status" && len(s.Enum) > 0: // Of a condition: True, False and Unknown are all that Kubernetes has.
		return "True"
	case isWord(s):
		return laterWord
	case s.Format == "date-time":
		return "2026-11-20T12:00:00Z"
	}
	if example, ok := ofForm[s.Pattern]; ok {
		return example
	}
	length := min(16, *s.MaxLength)
	if s.MinLength != nil {
		length = max(length, *s.MinLength)
	}
	return strings.Repeat("a", int(length))
}
