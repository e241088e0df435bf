package applyconfiguration_test

import (
	"bytes"
	"encoding/json"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/applyconfiguration"
	ac "github.com/pressroom-dev/pressroom/api/applyconfiguration/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// What Pressroom writes itself, nobody else applies.
func TestTheKindsThatPeopleWriteHaveApplyConfigurations(t *testing.T) {
	for kind, want := range map[string]bool{
		"Account": true, "APIKey": true, "Article": true, "Brief": true, "EventSubscription": true, "OAuthClient": true, "Site": true,
		"AccountLedger": false, "ArticleRevision": false, "EventDelivery": false, "OAuthGrant": false, "Post": false,
	} {
		if got := applyconfiguration.ForKind(v1alpha1.GroupVersion.WithKind(kind)) != nil; got != want {
			t.Errorf("%s has an apply configuration: %t, want %t", kind, got, want)
		}
	}
}

func TestWhatAManagerHasAppliedCanBeAppliedAgain(t *testing.T) {
	read := &v1alpha1.Article{
		ObjectMeta: metav1.ObjectMeta{Namespace: "acme-blog", Name: "shoes", ManagedFields: []metav1.ManagedFieldsEntry{
			{
				Manager: "newsroom", Operation: metav1.ManagedFieldsOperationApply, APIVersion: "pressroom.dev/v1alpha1", FieldsType: "FieldsV1",
				FieldsV1: &metav1.FieldsV1{Raw: []byte(`{"f:spec": {"f:siteRef": {}, "f:generate": {}}}`)},
			},
			{
				Manager: "pressroom-review", Operation: metav1.ManagedFieldsOperationApply, APIVersion: "pressroom.dev/v1alpha1", FieldsType: "FieldsV1",
				FieldsV1: &metav1.FieldsV1{Raw: []byte(`{"f:spec": {"f:stage": {}, "f:review": {}}}`)},
			},
		}},
		Spec: v1alpha1.ArticleSpec{
			SiteRef: v1alpha1.LocalReference{Name: "acme"}, Generate: &v1alpha1.GenerateRequest{Keyword: "trail shoes"}, Stage: v1alpha1.StagePublished,
			Review: &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionApproved, By: "mara"},
		},
	}
	applied, err := ac.ExtractArticle(read, "newsroom")
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(applied)
	if err != nil {
		t.Fatal(err)
	}
	want := ac.Article("shoes", "acme-blog").WithSpec(ac.ArticleSpec().
		WithSiteRef(ac.LocalReference().WithName("acme")).WithGenerate(ac.GenerateRequest().WithKeyword("trail shoes")))
	if text, err := json.Marshal(want); err != nil || !bytes.Equal(got, text) {
		t.Errorf("newsroom has applied %s, want %s (%v)", got, text, err)
	}
}
