package login_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/login"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func account(name string, members ...v1alpha1.AccountMember) *v1alpha1.Account {
	return &v1alpha1.Account{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: v1alpha1.AccountSpec{DisplayName: "The " + name, Members: members}}
}

func directory(t *testing.T, objects ...client.Object) login.Directory {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	build := func() *fake.ClientBuilder { return fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects...) }
	live := strict{build().Build()}
	return login.Directory{
		Live:     live,
		Keys:     auth.NewLookup(live, live, clocktesting.NewFakePassiveClock(start)),
		Accounts: build().WithIndex(&v1alpha1.Account{}, login.MembersIndex, login.MembersOf).Build(),
		// The index returns a new list each time.
		Workspaces: func(account string) ([]string, error) { return []string{account + "-blog", account + "-shop"}, nil },
	}
}

// strict is as kube-apiserver is: it has no object without a name. And it lists nothing: accounts are as large as their ledgers.
type strict struct{ client.Reader }

func (s strict) Get(ctx context.Context, key client.ObjectKey, into client.Object, o ...client.GetOption) error {
	if key.Name == "" {
		return errors.New("resource name may not be empty")
	}
	return s.Reader.Get(ctx, key, into, o...)
}

func (s strict) List(context.Context, client.ObjectList, ...client.ListOption) error {
	return errors.New("accounts are listed with their ledgers")
}

func key(change func(*v1alpha1.APIKey)) *v1alpha1.APIKey {
	k := &v1alpha1.APIKey{
		ObjectMeta: metav1.ObjectMeta{Name: "abc"},
		Spec: v1alpha1.APIKeySpec{
			AccountRef: v1alpha1.AccountReference{Name: "acme"}, DisplayName: "mara@acme.example", Workspaces: []string{"acme-blog"},
			Scopes: []v1alpha1.Scope{v1alpha1.ScopeWrite, v1alpha1.ScopeRead},
		},
	}
	if change != nil {
		change(k)
	}
	return k
}

// madeWith has another key be the maker of a key.
func madeWith(id string) func(*v1alpha1.APIKey) {
	return func(k *v1alpha1.APIKey) {
		k.Spec.CreatedByRef = &v1alpha1.CreatorReference{Kind: v1alpha1.CreatorAPIKey, Name: id}
	}
}

// leaving is an object that is being deleted.
func leaving[T client.Object](o T) T {
	o.SetDeletionTimestamp(&metav1.Time{Time: start})
	o.SetFinalizers([]string{"example.com/waits"})
	return o
}

func TestTheHolderOfAKeyIsKnownByItsID(t *testing.T) {
	got, err := directory(t, account("acme"), key(nil)).Find(t.Context(), login.Session{KeyID: "abc"})
	// The name of a key is anybody's choice, and must not make its holder somebody else.
	want := login.Person{
		ID: "api-key:abc", Name: "mara@acme.example", By: "mara@acme.example (api-key:abc)", Account: "acme", AccountName: "The acme",
		Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite}, Workspaces: []string{"acme-blog"}, Opens: []string{"acme-blog"},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Find = %+v, %v, want %+v", got, err, want)
	}
}

func TestAPersonOpensWhatTheAccountHasAndTheirKeyIsNotLimitedTo(t *testing.T) {
	for name, c := range map[string]struct{ limited, want []string }{
		"a key of the whole account":        {nil, []string{"acme-blog", "acme-shop"}},
		"a key that is limited to some":     {[]string{"acme-shop", "acme-gone"}, []string{"acme-shop"}},
		"a key of another account's alone":  {[]string{"rival-blog"}, []string{}},
		"a key of what is no workspace yet": {[]string{"acme-next"}, []string{}},
	} {
		d := directory(t, account("acme"), key(func(k *v1alpha1.APIKey) { k.Spec.Workspaces = c.limited }))
		got, err := d.Find(t.Context(), login.Session{KeyID: "abc"})
		if err != nil || !slices.Equal(got.Opens, c.want) {
			t.Errorf("%s opens %v, %v, want %v", name, got.Opens, err, c.want)
		}
	}
}

func TestASessionOfAKeyGoesOnWithTheKeyThatMadeItsKey(t *testing.T) {
	maker := key(func(k *v1alpha1.APIKey) { k.Name, k.Spec.ExpirationTime = "xyz", &v1alpha1.Time{Time: start} })
	d := directory(t, account("acme"), maker, key(madeWith("xyz")))
	if got, err := d.Find(t.Context(), login.Session{KeyID: "abc"}); err != nil || got.ID != "api-key:abc" {
		t.Errorf("Find = %+v, %v", got, err)
	}
}

func TestItIsNotKnownWhoIsSignedInWhileTheWorkspacesAreNot(t *testing.T) {
	d := directory(t, account("acme"), key(nil))
	d.Workspaces = func(string) ([]string, error) { return nil, errors.New("not complete yet") }
	if got, err := d.Find(t.Context(), login.Session{KeyID: "abc"}); err == nil || errors.Is(err, login.ErrSignedOut) || got.ID != "" {
		t.Errorf("Find = %+v, %v, want an error that ends no session", got, err)
	}
}

func TestASessionOpensNothingWhenWhatIsBehindItHasEnded(t *testing.T) {
	member := login.Session{Email: "mara@acme.example", Account: "acme"}
	tests := []struct {
		name    string
		session login.Session
		objects []client.Object
	}{
		{"no key", login.Session{KeyID: "abc"}, []client.Object{account("acme")}},
		{"no account", login.Session{KeyID: "abc"}, []client.Object{key(nil)}},
		{"the account is being deleted", login.Session{KeyID: "abc"}, []client.Object{key(nil), leaving(account("acme"))}},
		{"the key is being deleted", login.Session{KeyID: "abc"}, []client.Object{account("acme"), leaving(key(nil))}},
		{"the key is over", login.Session{KeyID: "abc"}, []client.Object{account("acme"), key(func(k *v1alpha1.APIKey) { k.Spec.ExpirationTime = &v1alpha1.Time{Time: start} })}},
		{"nobody", login.Session{}, []client.Object{account("acme")}},
		{"no address", login.Session{Account: "acme"}, []client.Object{
			account("acme", v1alpha1.AccountMember{Kind: v1alpha1.MemberGroup, Name: "editors", Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead}}),
		}},
		{"no account chosen", login.Session{Email: "mara@acme.example"}, []client.Object{account("acme")}},
		{"not a member any more", member, []client.Object{account("acme", v1alpha1.AccountMember{Kind: v1alpha1.MemberUser, Name: "other@acme.example", Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead}})}},
		{"the account is gone", member, nil},
		{"another issuer signs people in", login.Session{Issuer: "https://old.example", Email: "mara@acme.example", Account: "acme"}, []client.Object{
			account("acme", v1alpha1.AccountMember{Kind: v1alpha1.MemberUser, Name: "mara@acme.example", Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead}}),
		}},
		{"the account was made again under its name", login.Session{KeyID: "abc"}, []client.Object{
			account("acme"), key(func(k *v1alpha1.APIKey) { k.Status.AccountUID = "earlier" }),
		}},
		{"the key was made again under its id", login.Session{KeyID: "abc", KeyUID: "earlier"}, []client.Object{
			account("acme"), key(func(k *v1alpha1.APIKey) { k.UID = "later" }),
		}},
		{"the session does not say which key of the id it was", login.Session{KeyID: "abc"}, []client.Object{
			account("acme"), key(func(k *v1alpha1.APIKey) { k.UID = "later" }),
		}},
		{"the key that made the key is gone", login.Session{KeyID: "abc"}, []client.Object{account("acme"), key(madeWith("xyz"))}},
		{"the key that made the key is being deleted", login.Session{KeyID: "abc"}, []client.Object{
			account("acme"), key(madeWith("xyz")), leaving(key(func(k *v1alpha1.APIKey) { k.Name = "xyz" })),
		}},
		{"a key of another account made the key", login.Session{KeyID: "abc"}, []client.Object{
			account("acme"), key(madeWith("xyz")), key(func(k *v1alpha1.APIKey) { k.Name, k.Spec.AccountRef.Name = "xyz", "rival" }),
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := directory(t, tt.objects...).Find(t.Context(), tt.session); !errors.Is(err, login.ErrSignedOut) {
				t.Errorf("Find = %+v, %v, want ErrSignedOut", got, err)
			}
		})
	}
}

func TestMembersHaveTheRightsOfAllTheirEntries(t *testing.T) {
	read, approve := []v1alpha1.Scope{v1alpha1.ScopeRead}, []v1alpha1.Scope{v1alpha1.ScopeApprove}
	d := directory(t,
		account("acme", v1alpha1.AccountMember{Kind: v1alpha1.MemberUser, Name: "mara@acme.example", Scopes: read}, v1alpha1.AccountMember{Kind: v1alpha1.MemberGroup, Name: "editors", Scopes: approve}),
		account("beta", v1alpha1.AccountMember{Kind: v1alpha1.MemberGroup, Name: "Editors", Scopes: read}),
		leaving(account("left", v1alpha1.AccountMember{Kind: v1alpha1.MemberGroup, Name: "editors", Scopes: read})),
		account("zeta", v1alpha1.AccountMember{Kind: v1alpha1.MemberGroup, Name: "editors", Scopes: read}),
	)
	got, err := d.Memberships(t.Context(), "mara@ACME.example", []string{"editors", "others"})
	want := []login.Membership{{Account: "acme", AccountName: "The acme", Groups: []string{"editors"}}, {Account: "zeta", AccountName: "The zeta", Groups: []string{"editors"}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Memberships = %+v, %v, want %+v", got, err, want)
	}
	person, err := d.Find(t.Context(), login.Session{Email: "Mara@Acme.example", Groups: []string{"editors"}, Account: "acme"})
	if err != nil || !reflect.DeepEqual(person.Scopes, []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeApprove}) || person.ID != "mara@acme.example" {
		t.Errorf("Find = %+v, %v", person, err)
	}
	for _, odd := range []string{"", "mara", "ma ra@acme.example", "mara@acme.example\u212a", "mara@acme.example@x", strings.Repeat("m", 168) + "@acme.example"} {
		if got, err := d.Memberships(t.Context(), odd, []string{"editors"}); err != nil || len(got) > 0 {
			t.Errorf("%q: %+v, %v", odd, got, err)
		}
	}
}
