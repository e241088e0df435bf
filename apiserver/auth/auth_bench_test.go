package auth_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// silent fails the benchmark if kube-apiserver is asked.
type silent struct {
	client.Reader
	b *testing.B
}

func (s silent) Get(context.Context, client.ObjectKey, client.Object, ...client.GetOption) error {
	s.b.Error("kube-apiserver was asked")
	return errors.New("asked")
}

// listed feeds an informer with a list.
func listed(list runtime.Object) toolscache.ListerWatcher {
	return testkit.Listed(func() runtime.Object { return list })
}

// manyGrants are n exchanged grants of one client, and the token of one of them.
func manyGrants(b *testing.B, n int) (grants *v1alpha1.OAuthGrantList, oauthClients *v1alpha1.OAuthClientList, token string) {
	b.Helper()
	oauthClient := v1alpha1.OAuthClient{}
	oauthClient.Name, oauthClient.UID = "tool", "u"
	oauthClients = &v1alpha1.OAuthClientList{Items: []v1alpha1.OAuthClient{oauthClient}}
	grants = &v1alpha1.OAuthGrantList{}
	oauthClients.ResourceVersion, grants.ResourceVersion = "1", "1"
	for range n {
		c, err := credential.New(credential.AccessToken, credential.DefaultCell, rand.Reader)
		if err != nil {
			b.Fatal(err)
		}
		g := v1alpha1.OAuthGrant{Spec: v1alpha1.OAuthGrantSpec{
			ClientRef: v1alpha1.LocalReference{Name: oauthClient.Name}, AccountRef: v1alpha1.AccountReference{Name: "acme"},
			Person: "mara@acme.example", Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite},
		}}
		g.Name = c.ID
		g.OwnerReferences = []metav1.OwnerReference{{Kind: "OAuthClient", Name: oauthClient.Name, UID: oauthClient.UID}}
		g.Status.TokenHash = c.Hash()
		g.Status.RedemptionTime = new(v1alpha1.NewMicroTime(start))
		g.Status.TokenExpirationTime = new(v1alpha1.NewMicroTime(start.Add(time.Hour)))
		grants.Items, token = append(grants.Items, g), c.Reveal()
	}
	return grants, oauthClients, token
}

// cacheOf is a real cache of n keys and n tokens of one account, without a kube-apiserver. It returns one of each.
func cacheOf(b *testing.B, n int) (c cache.Cache, key, token string) {
	b.Helper()
	grants, oauthClients, token := manyGrants(b, n)
	keys, one := &v1alpha1.APIKeyList{}, ""
	keys.ResourceVersion = "1"
	for i := range n {
		c, err := credential.New(credential.APIKey, credential.DefaultCell, rand.Reader)
		if err != nil {
			b.Fatal(err)
		}
		k := v1alpha1.APIKey{Spec: v1alpha1.APIKeySpec{
			AccountRef: v1alpha1.AccountReference{Name: "acme"}, SecretHash: c.Hash(), DisplayName: fmt.Sprintf("key %d", i),
			Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite}, Workspaces: []string{"acme-blog", "acme-shop"},
		}}
		k.Name = c.ID
		keys.Items, one = append(keys.Items, k), c.Reveal()
	}
	account := v1alpha1.Account{}
	account.Name, account.UID = "acme", "u"
	account.Spec.Members = []v1alpha1.AccountMember{{Kind: v1alpha1.MemberUser, Name: "mara@acme.example", Scopes: auth.Scopes()}}
	accounts := &v1alpha1.AccountList{Items: []v1alpha1.Account{account}}
	accounts.ResourceVersion = "1"

	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		b.Fatal(err)
	}
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(v1alpha1.GroupVersion.WithKind("APIKey"), meta.RESTScopeNamespace)
	mapper.Add(v1alpha1.GroupVersion.WithKind("OAuthClient"), meta.RESTScopeNamespace)
	mapper.Add(v1alpha1.GroupVersion.WithKind("OAuthGrant"), meta.RESTScopeNamespace)
	mapper.Add(v1alpha1.GroupVersion.WithKind("Account"), meta.RESTScopeRoot)
	c, err := cache.New(&rest.Config{}, cache.Options{
		Scheme: scheme, Mapper: mapper, HTTPClient: http.DefaultClient,
		NewInformer: func(_ toolscache.ListerWatcher, o runtime.Object, resync time.Duration, i toolscache.Indexers) toolscache.SharedIndexInformer {
			switch o.(type) {
			case *v1alpha1.APIKey:
				return toolscache.NewSharedIndexInformer(listed(keys), o, resync, i)
			case *v1alpha1.OAuthClient:
				return toolscache.NewSharedIndexInformer(listed(oauthClients), o, resync, i)
			case *v1alpha1.OAuthGrant:
				return toolscache.NewSharedIndexInformer(listed(grants), o, resync, i)
			default:
				return toolscache.NewSharedIndexInformer(listed(accounts), o, resync, i)
			}
		},
	})
	if err != nil {
		b.Fatal(err)
	}
	return c, one, token
}

// Authentication on a hit makes no API call and takes less than 50 µs at 100,000 keys and 100,000 tokens.
func BenchmarkAuthenticateOnAHit(b *testing.B) {
	for _, n := range []int{100, 100_000} {
		c, key, token := cacheOf(b, n)
		clock := clocktesting.NewFakePassiveClock(start)
		lookup := auth.NewLookup(c, silent{b: b}, clock)
		a := &auth.Authenticator{Lookup: lookup, Clock: clock}
		if err := lookup.Register(b.Context(), c); err != nil {
			b.Fatal(err)
		}
		go func() {
			if err := c.Start(b.Context()); err != nil {
				b.Error(err)
			}
		}()
		if !c.WaitForCacheSync(b.Context()) {
			b.Fatal("the cache did not sync")
		}
		for what, credential := range map[string]string{"keys": key, "tokens": token} {
			b.Run(fmt.Sprint(n, " ", what), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := a.Authenticate(b.Context(), credential); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkJunkIsRefused(b *testing.B) {
	a := &auth.Authenticator{
		Lookup: auth.NewLookup(nil, silent{b: b}, clocktesting.NewFakePassiveClock(start)),
	}
	c, err := credential.New(credential.APIKey, credential.DefaultCell, rand.Reader)
	if err != nil {
		b.Fatal(err)
	}
	junk := c.Reveal()[:credential.Length-1] + "!"
	b.ReportAllocs()
	for b.Loop() {
		if _, err := a.Authenticate(b.Context(), junk); !errors.Is(err, auth.ErrUnauthorized) {
			b.Fatal(err)
		}
	}
}
