//go:build e2e

package docs

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-logr/logr"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
	"github.com/pressroom-dev/pressroom/test/program"
	"github.com/pressroom-dev/pressroom/test/project"
)

// Nothing is asserted of the time that anything takes: these bound what a busy machine may take.
const (
	// patience is for a command, of which one compiles a program.
	patience = 10 * time.Minute
	// soon is for what a page shows of objects to come true. It is short, because a page that is wrong takes as long to fail.
	soon = 2 * time.Minute
)

// pressroomSystem is what `make run` runs, for all pages.
type pressroomSystem struct {
	*system.System
	api client.Client
	// samples are the objects of config/samples, with an API key.
	samples []client.Object
}

func startSystem(t *testing.T) *pressroomSystem {
	t.Helper()
	log.SetLogger(logr.Discard())
	root := t.TempDir()
	must(t, project.Clone(root))
	binary, err := program.Path()
	must(t, err)
	must(t, os.Symlink(binary, filepath.Join(root, "bin", "pressroom")))
	free, err := ports.Free(t.Context())
	must(t, err)
	s, err := system.Start(t.Context(), system.Options{
		Root: root, Folder: filepath.Join(root, ".pressroom"), Ports: free,
		Say: t.Logf, ControllerArgs: []string{"--leader-elect", "--retry-delays=1s,1s,1s"},
	})
	t.Cleanup(func() { must(t, s.Stop()) })
	must(t, err)
	scheme := runtime.NewScheme()
	must(t, v1alpha1.AddToScheme(scheme))
	must(t, internalv1alpha1.AddToScheme(scheme))
	must(t, corev1.AddToScheme(scheme))
	c, err := client.New(s.Cluster.Config(), client.Options{Scheme: scheme})
	must(t, err)
	p := &pressroomSystem{System: s, api: c}
	p.keepSamples(t)
	return p
}

// keepSamples takes copies of what the system begins with.
func (s *pressroomSystem) keepSamples(t *testing.T) {
	t.Helper()
	key, err := credential.Parse(s.APIKey)
	must(t, err)
	for name, o := range map[client.ObjectKey]client.Object{
		{Name: system.Account}:                               &v1alpha1.Account{},
		{Namespace: system.Workspace, Name: "acme-webhook"}:  &corev1.Secret{},
		{Namespace: system.Workspace, Name: system.SiteName}: &v1alpha1.Site{},
		{Namespace: system.Workspace, Name: "welcome"}:       &v1alpha1.Article{},
		{Name: key.ID}: &v1alpha1.APIKey{},
	} {
		must(t, s.api.Get(t.Context(), name, o))
		// The controller annotates Sites and Accounts with their uid. With that of another object they are restored ones.
		o.SetAnnotations(nil)
		o.SetResourceVersion("")
		o.SetUID("")
		o.SetManagedFields(nil)
		s.samples = append(s.samples, o)
	}
}

// createSamples creates those samples that are missing.
func (s *pressroomSystem) createSamples(t *testing.T) {
	t.Helper()
	for _, o := range s.samples {
		copied, ok := o.DeepCopyObject().(client.Object)
		if !ok {
			t.Fatalf("%T is no object", o)
		}
		must(t, client.IgnoreAlreadyExists(s.api.Create(t.Context(), copied)))
	}
}

// reset brings the system back to where `make run` begins, with a new account.
func (s *pressroomSystem) reset(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	var namespaces corev1.NamespaceList
	must(t, s.api.List(ctx, &namespaces))
	for _, n := range namespaces.Items {
		if n.Labels[v1alpha1.AccountLabel] != "" || n.Name == system.Namespace {
			s.empty(t, n.Name)
		}
	}
	for _, kind := range []client.Object{&v1alpha1.APIKey{}, &v1alpha1.OAuthGrant{}, &v1alpha1.OAuthClient{}, &v1alpha1.Account{}} {
		must(t, s.api.DeleteAllOf(ctx, kind))
	}
	s.createSamples(t)
	NewWithT(t).Eventually(ctx, s.isServed).WithTimeout(patience).Should(Succeed())
}

func (s *pressroomSystem) empty(t *testing.T, namespace string) {
	t.Helper()
	kinds := []client.Object{
		&v1alpha1.Article{}, &v1alpha1.ArticleRevision{}, &v1alpha1.Post{}, &v1alpha1.Site{}, &v1alpha1.Brief{}, &v1alpha1.EventSubscription{},
		&v1alpha1.EventDelivery{}, &internalv1alpha1.IdempotencyRecord{},
	}
	if namespace != system.Namespace {
		kinds = append(kinds, &corev1.Secret{})
	}
	for _, kind := range kinds {
		must(t, s.api.DeleteAllOf(t.Context(), kind, client.InNamespace(namespace)))
	}
}

// isServed returns an error until the facade knows the key and the workspace of the samples.
func (s *pressroomSystem) isServed(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.APIURL()+"/v1/api/sites/"+s.SiteUID(), http.NoBody)
	if err != nil {
		return err
	}
	request.Header.Set("x-api-key", s.APIKey)
	request.Header.Set("x-workspace-id", system.Workspace)
	response, err := (&http.Client{}).Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the site is answered with %s", response.Status)
	}
	return nil
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
