package v1alpha1_test

import (
	"bytes"
	"encoding/json"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// A program that applies an object owns each member that it sends. A member that it has not set must not be among them: the program would
// take it from its other writers, or be refused.
func TestAnObjectHasTheMembersThatWereSet(t *testing.T) {
	type meta = metav1.ObjectMeta
	tests := []struct {
		name   string
		object any
		want   string
	}{
		{
			"an Article", &v1alpha1.Article{ObjectMeta: meta{Namespace: "acme-blog", Name: "shoes"}, Spec: v1alpha1.ArticleSpec{
				SiteRef: v1alpha1.LocalReference{Name: "acme"}, Generate: &v1alpha1.GenerateRequest{Keyword: "trail shoes"},
			}},
			`{"metadata": {"namespace": "acme-blog", "name": "shoes"}, "spec": {"siteRef": {"name": "acme"}, "generate": {"keyword": "trail shoes"}}}`,
		},
		{"an empty Article", &v1alpha1.Article{}, `{"metadata": {}}`},
		{
			"a Site", &v1alpha1.Site{ObjectMeta: meta{Name: "acme"}, Spec: v1alpha1.SiteSpec{
				DisplayName: "Acme", Domain: "acme.example", CMS: v1alpha1.SiteCMS{Type: v1alpha1.CMSNone},
			}},
			`{"metadata": {"name": "acme"}, "spec": {"displayName": "Acme", "domain": "acme.example", "cms": {"type": "None"}}}`,
		},
		{"an empty Site", &v1alpha1.Site{}, `{"metadata": {}}`},
		{
			"an Account", &v1alpha1.Account{ObjectMeta: meta{Name: "acme"}, Spec: v1alpha1.AccountSpec{DisplayName: "Acme"}},
			`{"metadata": {"name": "acme"}, "spec": {"displayName": "Acme"}}`,
		},
		{"an empty Account", &v1alpha1.Account{}, `{"metadata": {}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := json.Marshal(tt.object)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(sorted(t, got), sorted(t, []byte(tt.want))) {
				t.Errorf("it is %s, want %s", got, tt.want)
			}
		})
	}
}

// sorted returns an object as JSON with its members in the order of their names. Before version 0.34 of apimachinery, each object has an empty
// creationTimestamp, which kube-apiserver takes for none.
func sorted(t *testing.T, object []byte) []byte {
	t.Helper()
	var members map[string]any
	if err := json.Unmarshal(object, &members); err != nil {
		t.Fatal(err)
	}
	if meta, ok := members["metadata"].(map[string]any); ok && meta["creationTimestamp"] == nil {
		delete(meta, "creationTimestamp")
	}
	text, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestASchemeKnowsEveryKind(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	known := scheme.KnownTypes(v1alpha1.SchemeGroupVersion)
	for _, kind := range []string{
		"Account", "AccountLedger", "APIKey", "Site", "Article", "ArticleRevision", "Post", "EventSubscription", "EventDelivery", "OAuthClient",
		"OAuthGrant",
	} {
		for _, name := range []string{kind, kind + "List"} {
			if _, ok := known[name]; !ok {
				t.Errorf("the scheme does not know %s", name)
			}
		}
	}
}
