package kinds

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	api "github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// invalidExample is a manifest that kube-apiserver must refuse.
type invalidExample struct {
	// name is the file's path below hack/invalid-examples.
	name string
	// want is part of kube-apiserver's message, from the file's first line.
	want string
	obj  *unstructured.Unstructured
}

const wantPrefix = "# want: "

// invalidExamples reads hack/invalid-examples.
func invalidExamples() []invalidExample {
	GinkgoHelper()
	root := folder("hack", "invalid-examples")
	files, err := manifestFiles(root)
	Expect(err).NotTo(HaveOccurred())
	var examples []invalidExample
	for _, file := range files {
		name, err := filepath.Rel(root, file)
		Expect(err).NotTo(HaveOccurred())
		objs, err := readManifests(file)
		Expect(err).NotTo(HaveOccurred())
		Expect(objs).To(HaveLen(1), "%s must hold one object", name)
		examples = append(examples, invalidExample{name: name, want: wantLine(file), obj: objs[0]})
	}
	return examples
}

func wantLine(file string) string {
	GinkgoHelper()
	f, err := os.Open(file)
	Expect(err).NotTo(HaveOccurred())
	defer func() { Expect(f.Close()).To(Succeed()) }()
	line, err := bufio.NewReader(f).ReadString('\n')
	Expect(err).NotTo(HaveOccurred())
	want, ok := strings.CutPrefix(strings.TrimSpace(line), wantPrefix)
	Expect(ok).To(BeTrue(), "%s must begin with %q", file, wantPrefix)
	return want
}

var _ = Describe("Examples", func() {
	It("accepts every sample, and finds nothing to change when it is applied again", func(ctx SpecContext) {
		for _, obj := range samples() {
			Expect(apply(ctx, admin, obj.DeepCopy())).To(Succeed(), "%s %s", obj.GetKind(), obj.GetName())
			again := obj.DeepCopy()
			Expect(apply(ctx, admin, again)).To(Succeed())
			if again.GroupVersionKind().Group == api.GroupVersion.Group {
				Expect(again.GetGeneration()).To(BeEquivalentTo(1), "%s %s", obj.GetKind(), obj.GetName())
			}
		}
	})

	It("refuses every invalid example with the message that it names, and finds nothing else wrong", func(ctx SpecContext) {
		var wrong []string
		for _, example := range invalidExamples() {
			err := apply(ctx, admin, example.obj, client.DryRunAll)
			switch {
			case err == nil:
				wrong = append(wrong, example.name+": accepted")
			case !strings.Contains(err.Error(), example.want):
				wrong = append(wrong, fmt.Sprintf("%s: want %q: %s", example.name, example.want, err))
			case len(refusals(err)) > 1:
				wrong = append(wrong, fmt.Sprintf("%s: more than one thing is wrong: %s", example.name, err))
			}
		}
		Expect(wrong).To(BeEmpty())
	})

	It("has invalid examples of every kind", func() {
		kinds := map[string]int{}
		for _, example := range invalidExamples() {
			kinds[example.obj.GetKind()]++
		}
		for _, kind := range []string{
			"Account", "AccountLedger", "APIKey", "Site", "Article", "ArticleRevision", "Post", "EventSubscription", "EventDelivery", "OAuthClient",
			"OAuthGrant", "IdempotencyRecord", "Brief",
		} {
			Expect(kinds).To(HaveKeyWithValue(kind, BeNumerically(">=", 5)))
		}
	})
})

// samples reads config/samples, what others depend on first.
func samples() []*unstructured.Unstructured {
	GinkgoHelper()
	files, err := manifestFiles(folder("config", "samples"))
	Expect(err).NotTo(HaveOccurred())
	var first, then []*unstructured.Unstructured
	for _, file := range files {
		if filepath.Base(file) == "kagent.yaml" {
			continue // A cluster without kagent has none of its kinds.
		}
		objs, err := readManifests(file)
		Expect(err).NotTo(HaveOccurred())
		for _, obj := range objs {
			if obj.GetKind() == "Namespace" {
				first = append(first, obj)
			} else {
				then = append(then, obj)
			}
		}
	}
	return append(first, then...)
}
