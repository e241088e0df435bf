package crdfuzz

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/controllers"
	"github.com/pressroom-dev/pressroom/controllers/article"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
	"github.com/pressroom-dev/pressroom/test/testenv"
)

type crd = apiextensionsv1.CustomResourceDefinition

const (
	workspace = "acme-blog"
	// kubeconfig is the variable by which the process that runs the fuzz test names its cluster to those that it starts.
	kubeconfig = "PRESSROOM_CRDFUZZ_KUBECONFIG"
)

// running is the cluster of this process.
var running *cluster

// cluster is a kube-apiserver with the caches of both programs.
type cluster struct {
	rest     rest.Interface
	live     client.Client
	programs map[string]program
}

// program is the cache of a program. It has no objects of other kinds than these.
type program struct {
	cache.Cache
	kinds []client.Object
}

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	path := os.Getenv(kubeconfig)
	if path == "" {
		var stop func() error
		var err error
		if path, stop, err = start(ctx); err != nil {
			panic(err)
		}
		defer func() {
			// kube-apiserver waits for watches to end.
			cancel()
			if err := stop(); err != nil {
				panic(err)
			}
		}()
	}
	config, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil {
		panic(err)
	}
	config.QPS, config.Burst = 1000, 2000
	if running, err = connect(ctx, config); err != nil {
		panic(err)
	}
	return m.Run()
}

// start starts a kube-apiserver, and sets the environment variables by which child processes find it.
func start(ctx context.Context) (path string, stop func() error, err error) {
	crds, err := readCRDs()
	if err != nil {
		return "", nil, err
	}
	for _, c := range crds {
		trustTimes(c.Spec.Versions[0].Schema.OpenAPIV3Schema)
	}
	started, err := testenv.StartWithCRDs(crds)
	if err != nil {
		return "", nil, err
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: workspace, Labels: map[string]string{v1alpha1.AccountLabel: "acme"}}}
	if err := started.Client.Create(ctx, namespace); err != nil {
		return "", nil, err
	}
	dir, err := os.MkdirTemp("", "crdfuzz")
	if err != nil {
		return "", nil, err
	}
	path = filepath.Join(dir, "kubeconfig")
	if err := os.WriteFile(path, started.KubeConfig, 0o600); err != nil {
		return "", nil, err
	}
	if err := os.Setenv(kubeconfig, path); err != nil {
		return "", nil, err
	}
	return path, func() error {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		return started.Stop()
	}, nil
}

// readCRDs reads config/crd/bases.
func readCRDs() ([]*crd, error) {
	files, err := filepath.Glob(folder("config", "crd", "bases", "*.yaml"))
	if err != nil {
		return nil, err
	}
	crds := make([]*crd, len(files))
	for i, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		crds[i] = &crd{}
		if err := yaml.UnmarshalStrict(data, crds[i]); err != nil {
			return nil, err
		}
	}
	return crds, nil
}

// trustTimes removes the rules of times, which an older version did not have: what it has stored must be read.
func trustTimes(s *apiextensionsv1.JSONSchemaProps) {
	for name, property := range s.Properties {
		if property.Format == "date-time" {
			property.XValidations, property.MaxLength = nil, nil
		}
		trustTimes(&property)
		s.Properties[name] = property
	}
	if s.Items != nil {
		trustTimes(s.Items.Schema)
	}
}

// connect starts the caches of both programs as they configure them, and waits until they are complete.
func connect(ctx context.Context, config *rest.Config) (*cluster, error) {
	scheme := runtime.NewScheme()
	kinds := runtime.NewSchemeBuilder(clientgoscheme.AddToScheme, v1alpha1.AddToScheme, internalv1alpha1.AddToScheme)
	if err := kinds.AddToScheme(scheme); err != nil {
		return nil, err
	}
	requests, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	live, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		return nil, err
	}
	c := &cluster{rest: requests.RESTClient(), live: live, programs: map[string]program{}}
	if err := c.startController(ctx, config, scheme); err != nil {
		return nil, err
	}
	err = c.startFacade(ctx, config, scheme)
	return c, err
}

func (c *cluster) startController(ctx context.Context, config *rest.Config, scheme *runtime.Scheme) error {
	options := controllers.CacheOptions(article.NewTexts())
	options.Scheme = scheme
	made, err := cache.New(config, options)
	if err != nil {
		return err
	}
	return c.start(ctx, "controller", program{made, []client.Object{
		&v1alpha1.Account{}, &v1alpha1.AccountLedger{}, &v1alpha1.APIKey{}, &v1alpha1.Site{}, &v1alpha1.Article{}, &v1alpha1.Post{},
		&v1alpha1.EventSubscription{}, &v1alpha1.EventDelivery{}, &v1alpha1.OAuthClient{}, &v1alpha1.OAuthGrant{},
		&internalv1alpha1.IdempotencyRecord{},
	}})
}

func (c *cluster) startFacade(ctx context.Context, config *rest.Config, scheme *runtime.Scheme) error {
	x := index.New(clock.RealClock{})
	kinds, err := x.CacheByObject()
	if err != nil {
		return err
	}
	own := []client.Object{&v1alpha1.Article{}, &v1alpha1.Site{}, &v1alpha1.Post{}}
	for kind, options := range auth.CacheByObject() {
		kinds[kind], own = options, append(own, kind)
	}
	made, err := cache.New(config, cache.Options{Scheme: scheme, ByObject: kinds})
	if err != nil {
		return err
	}
	if err := x.Register(ctx, made); err != nil {
		return err
	}
	return c.start(ctx, "facade", program{made, own})
}

func (c *cluster) start(ctx context.Context, name string, p program) error {
	for _, kind := range p.kinds {
		if _, err := p.GetInformer(ctx, kind, cache.BlockUntilSynced(false)); err != nil {
			return err
		}
	}
	go func() {
		if err := p.Start(ctx); err != nil {
			panic(err)
		}
	}()
	if !p.WaitForCacheSync(ctx) {
		return fmt.Errorf("the cache of the %s has no complete lists", name)
	}
	c.programs[name] = p
	return nil
}

// object is one that the test creates.
type object struct {
	*cluster
	example

	name, namespace string
	gvk             schema.GroupVersionKind
}

func (c *cluster) newObject(e example) *object {
	// As the names of keys and grants must be.
	o := &object{cluster: c, example: e, name: strings.ToLower(rand.Text())[:16]}
	if e.crd.Spec.Scope == apiextensionsv1.NamespaceScoped {
		o.namespace = workspace
	}
	o.gvk = schema.GroupVersionKind{Group: e.crd.Spec.Group, Version: e.crd.Spec.Versions[0].Name, Kind: e.crd.Spec.Names.Kind}
	return o
}

// at returns the path of the objects of the kind, or of what is below them.
func (o *object) at(below ...string) []string {
	path := []string{"/apis", o.gvk.Group, o.gvk.Version}
	if o.namespace != "" {
		path = append(path, "namespaces", o.namespace)
	}
	return append(append(path, o.crd.Spec.Names.Plural), below...)
}

// create creates the object as a person may spell it, so that no client changes it before.
func (o *object) create(ctx context.Context, spec any) error {
	body, err := json.Marshal(map[string]any{
		"apiVersion": o.gvk.GroupVersion().String(), "kind": o.gvk.Kind, "metadata": map[string]any{"name": o.name}, "spec": spec,
	})
	if err != nil {
		return err
	}
	return o.rest.Post().AbsPath(o.at()...).SetHeader("Content-Type", "application/json").Body(body).Do(ctx).Error()
}

func (o *object) writeStatus(ctx context.Context, status any) error {
	body, err := json.Marshal(map[string]any{"status": status})
	if err != nil {
		return err
	}
	return o.rest.Patch(types.MergePatchType).AbsPath(o.at(o.name, "status")...).Body(body).Do(ctx).Error()
}

func (o *object) delete(ctx context.Context) error {
	return o.rest.Delete().AbsPath(o.at(o.name)...).Do(ctx).Error()
}

// read reads the object without a cache, and then with that of each program that has the kind.
func (o *object) read(ctx context.Context) error {
	key := client.ObjectKey{Namespace: o.namespace, Name: o.name}
	stored, err := o.empty()
	if err != nil {
		return err
	}
	if err := o.live.Get(ctx, key, stored); err != nil {
		return fmt.Errorf("reading it: %w", err)
	}
	for name, p := range o.programs {
		if !p.has(stored) {
			continue
		}
		found, err := o.empty()
		if err != nil {
			return err
		}
		err = wait.PollUntilContextTimeout(ctx, time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
			err := p.Get(ctx, key, found)
			return err == nil && found.GetResourceVersion() == stored.GetResourceVersion(), client.IgnoreNotFound(err)
		})
		if err != nil {
			return fmt.Errorf("the %s does not see it: %w", name, err)
		}
		if _, err := json.Marshal(found); err != nil {
			return fmt.Errorf("the %s cannot write it: %w", name, err)
		}
	}
	return nil
}

func (o *object) empty() (client.Object, error) {
	made, err := o.live.Scheme().New(o.gvk)
	if err != nil {
		return nil, err
	}
	typed, ok := made.(client.Object)
	if !ok {
		return nil, fmt.Errorf("%T is no object", made)
	}
	return typed, nil
}

// has reports whether the cache has an object.
func (p program) has(o client.Object) bool {
	if post, ok := o.(*v1alpha1.Post); ok && post.Spec.State != v1alpha1.PostRemoved {
		return false
	}
	return slices.ContainsFunc(p.kinds, func(kind client.Object) bool { return reflect.TypeOf(kind) == reflect.TypeOf(o) })
}
