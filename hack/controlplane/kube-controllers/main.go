// Command kube-controllers runs the controllers of kube-controller-manager that make sense without nodes: garbage collection,
// deletion of namespaces, default ServiceAccounts, and aggregated ClusterRoles. It is for development and tests: it has the
// rights of the kubeconfig that it is given, no leader election and no port.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/controller-manager/pkg/informerfactory"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/clusterroleaggregation"
	"k8s.io/kubernetes/pkg/controller/garbagecollector"
	"k8s.io/kubernetes/pkg/controller/namespace"
	"k8s.io/kubernetes/pkg/controller/serviceaccount"
)

const (
	qps   = 200
	burst = 400
	// resync is how often the informers replay their caches, and the namespaces are looked at again.
	resync = 5 * time.Minute
	// gcPeriod is how often the garbage collector looks for new kinds.
	gcPeriod  = 5 * time.Second
	gcWorkers = 20
	// workers is the number for every other controller.
	workers = 5
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "kubeconfig of an administrator")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *kubeconfig); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run runs the controllers until ctx ends.
func run(ctx context.Context, kubeconfig string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return fmt.Errorf("reading %s: %w", kubeconfig, err)
	}
	config.QPS, config.Burst = qps, burst
	s, err := newShared(config)
	if err != nil {
		return err
	}
	var controllers []func(context.Context)
	for _, construct := range []func(context.Context, *shared) (func(context.Context), error){
		garbageCollection, namespaces, serviceAccounts, clusterRoles,
	} {
		controller, err := construct(ctx, s)
		if err != nil {
			return err
		}
		controllers = append(controllers, controller)
	}
	s.informers.Start(ctx.Done())
	s.objectOrMetadata.Start(ctx.Done())
	close(s.started)
	var group sync.WaitGroup
	for _, controller := range controllers {
		group.Go(func() { controller(ctx) })
	}
	group.Wait()
	return nil
}

// shared has the clients and informers that the controllers share.
type shared struct {
	client           *kubernetes.Clientset
	metadata         metadata.Interface
	informers        informers.SharedInformerFactory
	objectOrMetadata informerfactory.InformerFactory
	// started is closed once the informers run.
	started chan struct{}
}

func newShared(config *rest.Config) (*shared, error) {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	metadataClient, err := metadata.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making a client for metadata: %w", err)
	}
	typed := informers.NewSharedInformerFactory(client, resync)
	return &shared{
		client:           client,
		metadata:         metadataClient,
		informers:        typed,
		objectOrMetadata: informerfactory.NewInformerFactory(typed, metadatainformer.NewSharedInformerFactory(metadataClient, resync)),
		started:          make(chan struct{}),
	}, nil
}

func garbageCollection(ctx context.Context, s *shared) (func(context.Context), error) {
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(s.client.Discovery()))
	collector, err := garbagecollector.NewGarbageCollector(
		ctx, s.client, s.metadata, mapper, garbagecollector.DefaultIgnoredResources(), s.objectOrMetadata, s.started)
	if err != nil {
		return nil, fmt.Errorf("making the garbage collector: %w", err)
	}
	return func(ctx context.Context) {
		var group sync.WaitGroup
		group.Go(func() { collector.Sync(ctx, s.client.Discovery(), gcPeriod) })
		collector.Run(ctx, gcWorkers, gcPeriod)
		group.Wait()
	}, nil
}

func namespaces(ctx context.Context, s *shared) (func(context.Context), error) {
	controller := namespace.NewNamespaceController(ctx, s.client, s.metadata, s.client.Discovery().ServerPreferredNamespacedResources,
		s.informers.Core().V1().Namespaces(), resync, corev1.FinalizerKubernetes)
	return func(ctx context.Context) { controller.Run(ctx, workers) }, nil
}

func serviceAccounts(ctx context.Context, s *shared) (func(context.Context), error) {
	controller, err := serviceaccount.NewServiceAccountsController(klog.FromContext(ctx), s.informers.Core().V1().ServiceAccounts(),
		s.informers.Core().V1().Namespaces(), s.client, serviceaccount.DefaultServiceAccountsControllerOptions())
	if err != nil {
		return nil, fmt.Errorf("making the controller of ServiceAccounts: %w", err)
	}
	return func(ctx context.Context) { controller.Run(ctx, 1) }, nil
}

func clusterRoles(_ context.Context, s *shared) (func(context.Context), error) {
	controller := clusterroleaggregation.NewClusterRoleAggregation(s.informers.Rbac().V1().ClusterRoles(), s.client.RbacV1())
	return func(ctx context.Context) { controller.Run(ctx, workers) }, nil
}
