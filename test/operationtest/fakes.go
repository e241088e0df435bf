package operationtest

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/rotation"
)

type fakeKeys struct{}

func (fakeKeys) Authenticate(_ context.Context, credential string) (auth.Principal, error) {
	all := []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove}
	switch credential {
	case RightKey, RightKey + "-again":
		return auth.Principal{ID: "k1", Account: "acme", Name: "Mara", Scopes: all}, nil
	case ReadOnlyKey:
		return auth.Principal{ID: "k2", Account: "acme", Scopes: all[:1]}, nil
	case WriterKey:
		return auth.Principal{ID: "k7", Account: "acme", Scopes: all[:2]}, nil
	case ScopelessKey:
		return auth.Principal{ID: "k4", Account: "acme"}, nil
	case LimitedKey:
		until := Began.Add(time.Hour)
		return auth.Principal{ID: "k3", Account: "acme", Scopes: all, Workspaces: []string{"acme-shop"}, ExpiresAt: until,
			CreditsPerDay: new(int32(20)), LimitedKey: "k3"}, nil
	case OtherApproverKey:
		return auth.Principal{ID: "k8", Account: "acme", Name: "Jo", Scopes: all}, nil
	case AppToken:
		return auth.Principal{ID: "t1", Account: "acme", Name: "Mara (app tool)", Client: "tool", Scopes: all}, nil
	case ManagerKey:
		return auth.Principal{ID: "k6", Account: "acme", Scopes: append(all, v1alpha1.ScopeManage)}, nil
	case "rivals":
		return auth.Principal{ID: "k4", Account: "rival", Scopes: all}, nil
	case "away":
		return auth.Principal{}, auth.ErrUnavailable
	}
	if strings.HasPrefix(credential, "minted-") {
		return auth.Principal{ID: credential, Account: "acme", Client: "tool", Scopes: all}, nil
	}
	return auth.Principal{}, auth.ErrUnauthorized
}

// fakeAccount is every account.
type fakeAccount struct {
	Spec   v1alpha1.AccountSpec
	Status v1alpha1.AccountStatus
	Err    error
}

func (a *fakeAccount) Account(_ context.Context, name string) (*v1alpha1.Account, error) {
	return &v1alpha1.Account{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: a.Spec, Status: a.Status}, a.Err
}

type fakeLedger struct {
	mu       sync.Mutex
	Err      error
	Pending  bool
	Charges  []ledger.Charge
	Returned int
	// Before is called before a charge.
	Before func()
	Usage  v1alpha1.AccountLedgerSpec
}

func (l *fakeLedger) Charge(_ context.Context, _ v1alpha1.AccountSpec, c ledger.Charge) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.Err != nil {
		return false, l.Err
	}
	if l.Before != nil {
		l.Before()
	}
	l.Charges = append(l.Charges, c)
	return !l.Pending, nil
}

func (l *fakeLedger) Apply(_ context.Context, _ string, change func(*v1alpha1.AccountLedgerSpec) error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.Returned++
	return change(&l.Usage)
}

// Full is an index of an account that has what it says.
type Full struct {
	*index.Index

	Has index.Usage
}

func (f Full) Usage(string) index.Usage { return f.Has }

const (
	ClientsPath = "/v1/api/oauth/clients"
	ClientBody  = `{"name":"Tool","redirect_uris":["https://tool.example/cb"],"scopes":["approve","read"],` +
		`"loopback_port":"any","home_url":"https://tool.example"}`
)

// FakeClients is a registry in memory. The registry itself is tested on a real kube-apiserver.
type FakeClients struct {
	Clients map[string]*v1alpha1.OAuthClient
	// Err is the answer of kube-apiserver to a change of a client.
	Err error
	// changes counts the clients that were created and the secrets that were changed.
	changes int
}

func (*FakeClients) Prepare(name string, spec v1alpha1.OAuthClientSpec) (*v1alpha1.OAuthClient, string, error) {
	return oauth.NewRegistry(nil, credential.DefaultCell, nil).Prepare(name, spec)
}

func (f *FakeClients) Store(_ context.Context, client *v1alpha1.OAuthClient) error {
	if f.Err != nil {
		return f.Err
	}
	if f.Clients[client.Name] != nil {
		return apierrors.NewAlreadyExists(schema.GroupResource{Resource: "oauthclients"}, client.Name)
	}
	client.UID, client.CreationTimestamp = types.UID(client.Name), metav1.NewTime(Began)
	f.changes++
	f.Clients[client.Name] = client
	return nil
}

func (f *FakeClients) RotateOnce(
	_ context.Context, name string, _ time.Duration, request string, check func(*v1alpha1.OAuthClient) error,
) (*v1alpha1.OAuthClient, string, error) {
	client := f.Clients[name]
	switch {
	case f.Err != nil:
		return nil, "", f.Err
	case client.Spec.Type == v1alpha1.OAuthClientPublic:
		return nil, "", oauth.ErrPublic
	case rotation.Repeated(client, request):
		return nil, "", rotation.ErrRepeated
	}
	if err := check(client); err != nil {
		return nil, "", err
	}
	f.changes++
	rotation.Remember(client, request)
	return client, "secret-" + strconv.Itoa(f.changes), nil
}

func (f *FakeClients) List(_ context.Context, account string) ([]v1alpha1.OAuthClient, error) {
	var own []v1alpha1.OAuthClient
	for _, client := range f.Clients {
		if client.Spec.AccountRef.Name == account {
			own = append(own, *client)
		}
	}
	return own, nil
}

func (f *FakeClients) Find(_ context.Context, account, clientID string) (*v1alpha1.OAuthClient, error) {
	client := f.Clients[strings.TrimPrefix(clientID, v1alpha1.ClientIDPrefix)]
	if client == nil || client.Spec.AccountRef.Name != account {
		return nil, oauth.ErrUnknownClient
	}
	return client, nil
}

func (f *FakeClients) Delete(_ context.Context, name string) error {
	delete(f.Clients, name)
	return f.Err
}
