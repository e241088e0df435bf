package rest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	testingclock "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/pressroom-dev/pressroom/api/internalv1alpha1"
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
	"github.com/pressroom-dev/pressroom/apiserver/rest/oauthclient"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// What the tests ask about: two accounts with a workspace each.
const (
	systemNamespace = "pressroom-system"
	workspace       = "acme-blog"
	otherWorkspace  = "rival-blog"
	siteUID         = "0198f0a1-0000-7000-8000-000000000001"
	otherSiteUID    = "0198f0a1-0000-7000-8000-000000000002"
	rightKey        = "right"
	readOnlyKey     = "read-only"
	limitedKey      = "limited"
	writerKey       = "writer"
	appToken        = "token"
	scopelessKey    = "scopeless"
	managerKey      = "manager"
)

var began = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// restAPI is a REST API over fakes. Fields may be changed before the first request.
type restAPI struct {
	t       testing.TB
	deps    rest.Deps
	index   *index.Index
	ledger  *fakeLedger
	objects *fakeObjects
	clock   *testingclock.FakeClock
	synced  bool
	account fakeAccount
	clients int64

	alone bool
	once  sync.Once
	// own is its handler, if it shares none.
	own http.Handler
}

func newAPI(tb testing.TB) *restAPI {
	tb.Helper()
	clock := testingclock.NewFakeClock(began)
	api := &restAPI{
		t: tb, clock: clock, ledger: &fakeLedger{}, objects: newFakeObjects(),
		index: index.New(clock), synced: true,
	}
	api.deps = rest.Deps{
		Deps: operation.Deps{
			Authenticator: fakeKeys{}, Index: api.index, Accounts: &api.account, Synced: func() bool { return api.synced },
			Client: kube.NewClient(api.objects, 0), SystemNamespace: systemNamespace, Clock: clock,
		},
		Ledger: api.ledger,
		OAuth: oauthclient.Deps{
			Clients: &fakeClients{clients: map[string]*v1alpha1.OAuthClient{}},
			Count:   func(context.Context, string) (int64, error) { return api.clients, nil },
		},
	}
	api.namespace(workspace, "acme")
	api.namespace(otherWorkspace, "rival")
	api.site(workspace, siteUID)
	api.site(otherWorkspace, otherSiteUID)
	return api
}

// newAPIAlone returns one that shares its handler with no other, for a test of what a replica remembers.
func newAPIAlone(tb testing.TB) *restAPI {
	tb.Helper()
	api := newAPI(tb)
	api.alone = true
	return api
}

func (api *restAPI) namespace(name, account string) {
	n := index.NamespaceMetadata()
	n.Name, n.Labels = name, map[string]string{v1alpha1.AccountLabel: account}
	n.CreationTimestamp = metav1.NewTime(began)
	api.index.Handlers().Namespaces.OnAdd(n, false)
}

func (api *restAPI) site(namespace, name string) *v1alpha1.Site {
	s := &v1alpha1.Site{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, CreationTimestamp: metav1.NewTime(began)},
		Spec:       v1alpha1.SiteSpec{Domain: "blog.example.com", CMS: v1alpha1.SiteCMS{Type: v1alpha1.CMSNone}},
	}
	api.index.Handlers().Sites.OnAdd(s, false)
	return s
}

// article adds an article to kube-apiserver and to the index.
func (api *restAPI) article(change func(*v1alpha1.Article)) *v1alpha1.Article {
	api.t.Helper()
	a := &v1alpha1.Article{
		ObjectMeta: metav1.ObjectMeta{Namespace: workspace, Name: identity.NewName(), UID: "u", ResourceVersion: "1", CreationTimestamp: metav1.NewTime(began)},
		Spec: v1alpha1.ArticleSpec{
			SiteRef: v1alpha1.LocalReference{Name: siteUID}, Stage: v1alpha1.StageReview,
			Generate: &v1alpha1.GenerateRequest{Keyword: "trail shoes"},
		},
	}
	if change != nil {
		change(a)
	}
	api.objects.articles[client.ObjectKeyFromObject(a)] = a
	api.indexed(a)
	return a
}

// indexed has the index see an article as it is.
func (api *restAPI) indexed(a *v1alpha1.Article) {
	api.t.Helper()
	cached, err := api.index.Transform()(a.DeepCopy())
	if err != nil {
		api.t.Fatal(err)
	}
	api.index.Handlers().Articles.OnAdd(cached, false)
}

// request is one HTTP request; what is empty is filled with what works.
type request struct {
	method, path, body string
	key, workspace     string
	header             map[string]string
}

// withID returns the request with an id.
func (r request) withID(id string) request {
	header := map[string]string{"x-request-id": id}
	maps.Copy(header, r.header)
	r.header = header
	return r
}

func failureOf(t *testing.T, a testkit.Answer) problem.APIError {
	t.Helper()
	var f problem.APIError
	if err := json.Unmarshal([]byte(a.Raw), &f); err != nil {
		t.Fatalf("the body is no error body: %v: %q", err, a.Raw)
	}
	return f
}

func (api *restAPI) do(r request) testkit.Answer {
	api.t.Helper()
	if r.method == "" {
		r.method = http.MethodGet
	}
	q := httptest.NewRequestWithContext(api.t.Context(), r.method, r.path, strings.NewReader(r.body))
	if r.key == "" {
		r.key = rightKey
	}
	if r.key != "-" {
		q.Header.Set("x-api-key", r.key)
	}
	if r.workspace == "" {
		r.workspace = workspace
	}
	if r.workspace != "-" {
		q.Header.Set("x-workspace-id", r.workspace)
	}
	if r.body != "" {
		q.Header.Set("Content-Type", "application/json")
	}
	for name, value := range r.header {
		q.Header.Set(name, value)
	}
	recorder := httptest.NewRecorder()
	api.ServeHTTP(recorder, q)
	got, err := testkit.Recorded(recorder)
	if err != nil {
		api.t.Fatal(err)
	}
	if words := testkit.WordsOfKubernetes(got); words != "" {
		api.t.Errorf("%s %s answers with a word of Kubernetes, %s: %s", r.method, r.path, words, got.Raw)
	}
	return got
}

// into does a request that must succeed, and reads its answer unless the target is nil.
func (api *restAPI) into(r request, target any) {
	api.t.Helper()
	got := api.do(r)
	if got.Status >= http.StatusBadRequest {
		api.t.Fatalf("%s %s: got %d: %s", r.method, r.path, got.Status, got.Raw)
	}
	if target == nil {
		return
	}
	if err := json.Unmarshal([]byte(got.Raw), target); err != nil {
		api.t.Fatal(err)
	}
}

// generate asks for an article with these members over the right ones; a nil one is left out.
func generateBody(over map[string]any) string {
	body := map[string]any{"site_uid": siteUID, "keyword": "trail running shoes"}
	for name, value := range over {
		if value == nil {
			delete(body, name)
			continue
		}
		body[name] = value
	}
	data, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// wantFields checks an answer that names fields.
func wantFields(t *testing.T, got testkit.Answer, want ...string) {
	t.Helper()
	f := failureOf(t, got)
	if got.Status != http.StatusBadRequest || f.Problem.Code != problem.CodeValidation {
		t.Fatalf("got %d %s, want 400 VALIDATION_ERROR: %s", got.Status, f.Problem.Code, got.Raw)
	}
	var fields []string
	for _, d := range f.Problem.Details {
		fields = append(fields, d.Field)
		if d.Message == "" {
			t.Errorf("the detail of %s says nothing", d.Field)
		}
	}
	if fmt.Sprint(fields) != fmt.Sprint(want) {
		t.Errorf("details name %v, want %v: %s", fields, want, got.Raw)
	}
}

func wantFailure(t *testing.T, got testkit.Answer, status int, code problem.Code) {
	t.Helper()
	f := failureOf(t, got)
	if got.Status != status || f.Problem.Code != code {
		t.Errorf("got %d %s, want %d %s: %s", got.Status, f.Problem.Code, status, code, got.Raw)
	}
	if f.Success || f.Problem.Message == "" || f.Problem.Details == nil {
		t.Errorf("not the error body of docs/reference/contract.md: %s", got.Raw)
	}
	if !strings.HasPrefix(got.Raw, `{"success":false,"error":{"code":"`) {
		t.Errorf("not the error body of docs/reference/contract.md: %s", got.Raw)
	}
}

type fakeKeys struct{}

func (fakeKeys) Authenticate(_ context.Context, credential string) (auth.Principal, error) {
	all := []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove}
	switch credential {
	case rightKey, rightKey + "-again":
		return auth.Principal{ID: "k1", Account: "acme", Name: "Mara", Scopes: all}, nil
	case readOnlyKey:
		return auth.Principal{ID: "k2", Account: "acme", Scopes: all[:1]}, nil
	case writerKey:
		return auth.Principal{ID: "k7", Account: "acme", Scopes: all[:2]}, nil
	case scopelessKey:
		return auth.Principal{ID: "k4", Account: "acme"}, nil
	case limitedKey:
		return auth.Principal{ID: "k3", Account: "acme", Scopes: all, Workspaces: []string{"acme-shop"}, ExpiresAt: began.Add(time.Hour)}, nil
	case appToken:
		return auth.Principal{ID: "t1", Account: "acme", Name: "Mara (app tool)", Client: "tool", Scopes: all}, nil
	case managerKey:
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
	err    error
}

func (a *fakeAccount) Account(_ context.Context, name string) (*v1alpha1.Account, error) {
	return &v1alpha1.Account{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: a.Spec, Status: a.Status}, a.err
}

type fakeLedger struct {
	mu       sync.Mutex
	err      error
	pending  bool
	charges  []ledger.Charge
	returned int
	// before is called before a charge.
	before func()
	usage  v1alpha1.AccountLedgerSpec
}

func (l *fakeLedger) Charge(_ context.Context, _ v1alpha1.AccountSpec, c ledger.Charge) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return false, l.err
	}
	if l.before != nil {
		l.before()
	}
	l.charges = append(l.charges, c)
	return !l.pending, nil
}

func (l *fakeLedger) Apply(_ context.Context, _ string, change func(*v1alpha1.AccountLedgerSpec) error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.returned++
	return change(&l.usage)
}

func newFakeObjects() *fakeObjects {
	return &fakeObjects{
		articles: map[client.ObjectKey]*v1alpha1.Article{}, records: map[client.ObjectKey]*internalv1alpha1.IdempotencyRecord{},
	}
}

var scheme = func() *runtime.Scheme {
	s := runtime.NewScheme()
	utilruntime.Must(v1alpha1.AddToScheme(s))
	utilruntime.Must(internalv1alpha1.AddToScheme(s))
	return s
}()

// fakeObjects is a kube-apiserver that creates and gets. Edits are tested on a real one.
type fakeObjects struct {
	client.Client
	mu  sync.Mutex
	err error
	// articleErr is that of creating an article.
	articleErr error
	// deleteErr is that of deleting an article.
	deleteErr error
	// onDelete is called before an article is deleted.
	onDelete func(name string)
	// beforeArticle is called before an article is created.
	beforeArticle func(client.ObjectKey)
	articles      map[client.ObjectKey]*v1alpha1.Article
	revisions     map[client.ObjectKey]*v1alpha1.ArticleRevision
	records       map[client.ObjectKey]*internalv1alpha1.IdempotencyRecord
	reads         int
	ledger        *v1alpha1.AccountLedger
	// made counts the articles that were created.
	made int
}

func (o *fakeObjects) Get(_ context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.reads++
	if o.err != nil {
		return o.err
	}
	switch into := into.(type) {
	case *v1alpha1.Article:
		if a, ok := o.articles[key]; ok {
			a.DeepCopyInto(into)
			return nil
		}
	case *v1alpha1.AccountLedger:
		if o.ledger != nil {
			o.ledger.DeepCopyInto(into)
			return nil
		}
	case *internalv1alpha1.IdempotencyRecord:
		return o.getRecord(key, into)
	case *v1alpha1.ArticleRevision:
		if r, ok := o.revisions[key]; ok {
			r.DeepCopyInto(into)
			return nil
		}
	}
	return apierrors.NewNotFound(schema.GroupResource{Resource: "articles"}, key.Name)
}

// GroupVersionKindFor is asked for the names of resources in errors.
func (o *fakeObjects) GroupVersionKindFor(object runtime.Object) (schema.GroupVersionKind, error) {
	return apiutil.GVKForObject(object, scheme)
}

func (o *fakeObjects) getRecord(key client.ObjectKey, into *internalv1alpha1.IdempotencyRecord) error {
	r, ok := o.records[key]
	if !ok {
		return apierrors.NewNotFound(schema.GroupResource{Resource: "idempotencyrecords"}, key.Name)
	}
	r.DeepCopyInto(into)
	return nil
}

// Patch changes records and articles.
func (o *fakeObjects) Patch(_ context.Context, object client.Object, _ client.Patch, _ ...client.PatchOption) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if a, ok := object.(*v1alpha1.Article); ok {
		o.articles[client.ObjectKeyFromObject(a)] = a.DeepCopy()
		return o.err
	}
	r := object.(*internalv1alpha1.IdempotencyRecord)
	key := client.ObjectKeyFromObject(r)
	switch stored, ok := o.records[key]; {
	case o.err != nil:
		return o.err
	case !ok:
		return apierrors.NewNotFound(schema.GroupResource{Resource: "idempotencyrecords"}, key.Name)
	case stored.ResourceVersion != r.ResourceVersion:
		return apierrors.NewConflict(schema.GroupResource{Resource: "idempotencyrecords"}, key.Name, errors.New("it has been modified"))
	}
	r.ResourceVersion += "1"
	o.records[key] = r.DeepCopy()
	return nil
}

// Delete deletes articles and records.
func (o *fakeObjects) Delete(_ context.Context, object client.Object, _ ...client.DeleteOption) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, ok := object.(*internalv1alpha1.IdempotencyRecord); ok {
		delete(o.records, client.ObjectKeyFromObject(object))
		return nil
	}
	if o.onDelete != nil {
		o.onDelete(object.GetName())
	}
	if o.deleteErr != nil {
		return o.deleteErr
	}
	delete(o.articles, client.ObjectKeyFromObject(object))
	return nil
}

func (o *fakeObjects) Create(_ context.Context, object client.Object, _ ...client.CreateOption) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return o.err
	}
	key := client.ObjectKeyFromObject(object)
	if r, ok := object.(*internalv1alpha1.IdempotencyRecord); ok {
		if _, ok := o.records[key]; ok {
			return apierrors.NewAlreadyExists(schema.GroupResource{Resource: "idempotencyrecords"}, key.Name)
		}
		r.UID, r.ResourceVersion = "r", "1"
		o.records[key] = r.DeepCopy()
		return nil
	}
	if o.articleErr != nil {
		return o.articleErr
	}
	if o.beforeArticle != nil {
		o.beforeArticle(key)
	}
	a := object.(*v1alpha1.Article)
	if _, ok := o.articles[key]; ok {
		return apierrors.NewAlreadyExists(schema.GroupResource{Resource: "articles"}, key.Name)
	}
	o.made++
	a.UID, a.CreationTimestamp = types.UID(strconv.Itoa(o.made)), metav1.NewTime(began)
	o.articles[key] = a.DeepCopy()
	return nil
}

func compact(s string) string {
	var b bytes.Buffer
	if json.Compact(&b, []byte(s)) != nil {
		return s
	}
	return b.String()
}
