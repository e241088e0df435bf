package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers"
	"github.com/pressroom-dev/pressroom/internal/fence/leaselock"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/informers"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
)

// newManager makes the controller's manager. Only kinds that it watches are cached, without the texts that authors write: Secrets,
// revisions, and these texts unless they are in its Texts, are read one by one. The manager works without a
// leader election if lock is nil. The Reporter is not one of its runnables, which wait until all kinds have been listed.
func newManager(
	kubeConfig *rest.Config, lock resourcelock.Interface, f *controllerFlags, options controllers.Options, pod corev1.ObjectReference,
) (ctrl.Manager, *informers.Reporter, error) {
	scheme := runtime.NewScheme()
	kinds := runtime.NewSchemeBuilder(clientgoscheme.AddToScheme, v1alpha1.AddToScheme, internalv1alpha1.AddToScheme)
	if err := kinds.AddToScheme(scheme); err != nil {
		return nil, nil, err
	}
	grace := controllers.DrainTimeout + 5*time.Second
	health := informers.NewHealth()
	mgr, err := ctrl.NewManager(kubeConfig, ctrl.Options{
		Scheme:                              scheme,
		Cache:                               health.Observe(controllers.CacheOptions(options.Texts)),
		Client:                              controllers.ClientOptions(),
		Controller:                          config.Controller{ReconciliationTimeout: controllers.ReconcileTimeout},
		Metrics:                             metricsserver.Options{BindAddress: f.metricsAddress},
		HealthProbeBindAddress:              f.healthAddress,
		LeaderElection:                      lock != nil,
		LeaderElectionResourceLockInterface: lock,
		LeaderElectionReleaseOnCancel:       true,
		RenewDeadline:                       new(renewDeadline),
		RetryPeriod:                         new(retryPeriod),
		GracefulShutdownTimeout:             &grace,
	})
	if err != nil {
		return nil, nil, fmt.Errorf("making the manager: %w", err)
	}
	if err := mgr.AddHealthzCheck("ping", healthz.Ping); err != nil {
		return nil, nil, err
	}
	if err := metrics.Registry.Register(health); err != nil {
		return nil, nil, fmt.Errorf("registering metrics: %w", err)
	}
	if err := mgr.AddReadyzCheck("informers", health.Check); err != nil {
		return nil, nil, err
	}
	// The manager's client would start an informer for Events.
	uncached, err := client.New(kubeConfig, client.Options{Scheme: scheme, HTTPClient: mgr.GetHTTPClient(), Mapper: mgr.GetRESTMapper()})
	if err != nil {
		return nil, nil, fmt.Errorf("making a client for Events: %w", err)
	}
	return mgr, &informers.Reporter{
		Health: health, Client: uncached, Pod: pod, Clock: options.Clock, Log: ctrl.Log.WithName("informers"),
	}, nil
}

// ownPod is the Pod that this process runs in. Its name is that of the host, and config gives its UID to both programs.
func ownPod(namespace string) (corev1.ObjectReference, error) {
	host, err := os.Hostname()
	if err != nil {
		return corev1.ObjectReference{}, fmt.Errorf("naming this process: %w", err)
	}
	return corev1.ObjectReference{
		APIVersion: "v1", Kind: "Pod", Namespace: namespace, Name: host, UID: types.UID(os.Getenv("POD_UID")),
	}, nil
}

const (
	// renewDeadline is how long a leader tries to renew its lease. It must be longer than a request to kube-apiserver may take.
	renewDeadline = 10 * time.Second
	// retryPeriod is how often a leader renews its lease, and how often the others look whether it has expired. With controller-runtime's
	// default of 2 s, they take up to 4.4 s to see that, and 2.2 s with this one.
	retryPeriod = time.Second
)

// newLock returns the lock of the leader election of controllers. The one that gets it, or loses it, makes a Kubernetes Event.
func newLock(kubeConfig *rest.Config, namespace string) (*leaselock.Lock, error) {
	host, err := os.Hostname()
	if err != nil {
		return nil, fmt.Errorf("naming this process: %w", err)
	}
	id := host + "_" + uuid.NewString()
	events, err := kubernetes.NewForConfig(kubeConfig)
	if err != nil {
		return nil, fmt.Errorf("making a client for the Events of the lease: %w", err)
	}
	broadcaster := record.NewBroadcaster()
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: events.CoreV1().Events(namespace)})
	lease, err := resourcelock.NewFromKubeconfig(resourcelock.LeasesResourceLock, namespace, "controller.pressroom.dev",
		resourcelock.ResourceLockConfig{
			Identity:      id,
			EventRecorder: broadcaster.NewRecorder(clientgoscheme.Scheme, corev1.EventSource{Component: id}),
		}, kubeConfig, renewDeadline)
	if err != nil {
		return nil, fmt.Errorf("making the lock of the leader election: %w", err)
	}
	return &leaselock.Lock{Interface: lease, Clock: clock.RealClock{}}, nil
}

// kubeAPIFlags limit a program's requests to kube-apiserver.
type kubeAPIFlags struct {
	qps   float32
	burst int
}

// add adds the flags. The defaults are more than kube-apiserver serves to one client on a few cores: its own priority and
// fairness protects it, and a limit of the client would only delay what it has room for.
func (f *kubeAPIFlags) add(flags *pflag.FlagSet) {
	flags.Float32Var(&f.qps, "kube-api-qps", 1000, "requests a second to kube-apiserver, above zero")
	flags.IntVar(&f.burst, "kube-api-burst", 2000, "requests to kube-apiserver at once beyond --kube-api-qps, at least 1")
}

// config reaches kube-apiserver within the limits.
func (f *kubeAPIFlags) config(cmd *cobra.Command) (*rest.Config, error) {
	if f.qps <= 0 || f.burst < 1 {
		return nil, errors.New("--kube-api-qps must be above zero, and --kube-api-burst at least 1")
	}
	config, err := restConfig(cmd)
	if err != nil {
		return nil, err
	}
	config.QPS, config.Burst = f.qps, f.burst
	return config, nil
}

// slotFlags bound the calls of external endpoints that are in progress at once.
type slotFlags struct {
	runs, deliveries inflight.Limits
}

// add adds the flags. docs/how-to/operate.md gives the reasons of the defaults.
func (f *slotFlags) add(flags *pflag.FlagSet) {
	flags.IntVar(&f.runs.Total, "max-runs", 64, "generator runs in progress at once")
	flags.IntVar(&f.runs.PerAccount, "max-runs-per-account", 16, "of those, runs of one account")
	flags.IntVar(&f.runs.PerDomain, "max-runs-per-domain", 32,
		"of those, runs at endpoints of one registrable domain that Sites name; the controller's own generator is not counted")
	flags.IntVar(&f.runs.PerHost, "max-runs-per-host", 32, "of those, runs at one endpoint that Sites name")
	flags.IntVar(&f.runs.Unresponsive, "max-runs-unresponsive", 16, "of those, runs at endpoints whose last attempts timed out")
	flags.IntVar(&f.deliveries.Total, "max-deliveries", 64,
		"deliveries of articles in progress at once; as many of events, and as many connection tests")
	flags.IntVar(&f.deliveries.PerAccount, "max-deliveries-per-account", 16, "of those, deliveries of one account")
	flags.IntVar(&f.deliveries.PerDomain, "max-deliveries-per-domain", 16, "of those, deliveries to hosts of one registrable domain")
	flags.IntVar(&f.deliveries.PerHost, "max-deliveries-per-host", 8, "of those, deliveries to one host and port")
	flags.IntVar(&f.deliveries.Unresponsive, "max-deliveries-unresponsive", 16,
		"of those, deliveries to hosts whose last attempts timed out")
}

// check returns an error if a limit is below 1.
func (f *slotFlags) check() error {
	for prefix, l := range map[string]inflight.Limits{"--max-runs": f.runs, "--max-deliveries": f.deliveries} {
		if min(l.Total, l.PerAccount, l.PerDomain, l.PerHost, l.Unresponsive) < 1 {
			const format = "%[1]s, %[1]s-per-account, %[1]s-per-domain, %[1]s-per-host and %[1]s-unresponsive must be at least 1"
			return fmt.Errorf(format, prefix)
		}
	}
	return nil
}
