package access_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/fields"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/access"
)

// store selects what a field says, as kube-apiserver does.
type store struct {
	client.Reader

	keys          []v1alpha1.APIKey
	clients       []v1alpha1.OAuthClient
	subscriptions []v1alpha1.EventSubscription
	err           error
}

func (s *store) List(_ context.Context, list client.ObjectList, options ...client.ListOption) error {
	selected := (&client.ListOptions{}).ApplyOptions(options).FieldSelector
	has := func(account string, creator *v1alpha1.CreatorReference) bool {
		name := ""
		if creator != nil {
			name = creator.Name
		}
		return selected.Matches(fields.Set{"spec.accountRef.name": account, "spec.createdByRef.name": name})
	}
	switch list := list.(type) {
	case *v1alpha1.APIKeyList:
		list.Items = slices.DeleteFunc(slices.Clone(s.keys), func(k v1alpha1.APIKey) bool {
			return !has(k.Spec.AccountRef.Name, k.Spec.CreatedByRef)
		})
	case *v1alpha1.OAuthClientList:
		list.Items = slices.DeleteFunc(slices.Clone(s.clients), func(c v1alpha1.OAuthClient) bool { return !has("", c.Spec.CreatedByRef) })
	case *v1alpha1.EventSubscriptionList:
		list.Items = slices.DeleteFunc(slices.Clone(s.subscriptions), func(e v1alpha1.EventSubscription) bool {
			return !has("", e.Spec.CreatedByRef)
		})
	}
	return s.err
}

func byKey(name string) *v1alpha1.CreatorReference {
	return &v1alpha1.CreatorReference{Kind: v1alpha1.CreatorAPIKey, Name: name}
}

func key(name, account string, by *v1alpha1.CreatorReference) v1alpha1.APIKey {
	k := v1alpha1.APIKey{Spec: v1alpha1.APIKeySpec{AccountRef: v1alpha1.AccountReference{Name: account}, CreatedByRef: by}}
	k.Name = name
	return k
}

func oauthClient(name string, account *v1alpha1.AccountReference, by *v1alpha1.CreatorReference) v1alpha1.OAuthClient {
	c := v1alpha1.OAuthClient{Spec: v1alpha1.OAuthClientSpec{AccountRef: account, CreatedByRef: by}}
	c.Name = name
	return c
}

func subscription(workspace, name string, by *v1alpha1.CreatorReference) v1alpha1.EventSubscription {
	s := v1alpha1.EventSubscription{Spec: v1alpha1.EventSubscriptionSpec{CreatedByRef: by}}
	s.Namespace, s.Name = workspace, name
	return s
}

func TestWhatAKeyHasCreatedIsFoundWithWhatItsKeysHaveCreated(t *testing.T) {
	acme := &v1alpha1.AccountReference{Name: "acme"}
	made := &store{
		keys: []v1alpha1.APIKey{
			key("first", "acme", nil), key("second", "acme", byKey("first")), key("third", "acme", byKey("second")),
			// A circle, which nothing prevents.
			key("first", "acme", byKey("third")),
			key("others", "rival", byKey("first")), key("of-a-member", "acme", &v1alpha1.CreatorReference{Kind: v1alpha1.CreatorUser, Name: "first"}),
		},
		clients: []v1alpha1.OAuthClient{
			oauthClient("app", acme, byKey("third")), oauthClient("others-app", &v1alpha1.AccountReference{Name: "rival"}, byKey("first")),
			oauthClient("for-all", nil, byKey("first")), oauthClient("by-hand", acme, nil),
		},
		subscriptions: []v1alpha1.EventSubscription{
			subscription("acme-blog", "events", byKey("second")), subscription("rival-blog", "others-events", byKey("second")),
		},
	}
	got, err := access.CreatedBy(t.Context(), made, "acme", []string{"acme-blog"}, *byKey("first"))
	if err != nil {
		t.Fatal(err)
	}
	all := got.All()
	names := make([]string, 0, len(all))
	for _, o := range all {
		names = append(names, fmt.Sprintf("%T %s", o, o.GetName()))
	}
	want := []string{
		"*v1alpha1.APIKey second", "*v1alpha1.APIKey third", "*v1alpha1.OAuthClient app", "*v1alpha1.EventSubscription events",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("what was created (-want +got):\n%s", diff)
	}
}

func TestWhatCannotBeListedIsAnError(t *testing.T) {
	away := errors.New("no route to host")
	if _, err := access.CreatedBy(t.Context(), &store{err: away}, "acme", nil, *byKey("first")); !errors.Is(err, away) {
		t.Errorf("got %v, want %v", err, away)
	}
	if _, err := access.KeysOf(t.Context(), &store{err: away}, "acme"); !errors.Is(err, away) {
		t.Errorf("the keys of an account: got %v, want %v", err, away)
	}
}
