package main

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/pressroom-dev/pressroom/api/internalv1alpha1"
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers"
	"github.com/pressroom-dev/pressroom/controllers/article"
)

// newManager makes the controller's manager. Only kinds that it watches are cached, without the texts that authors write: Secrets,
// revisions and these texts are read one by one.
func newManager(kubeConfig *rest.Config, namespace string, f *controllerFlags, texts *article.Texts) (ctrl.Manager, error) {
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return nil, err
	}
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	if err := internalv1alpha1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	grace := controllers.DrainTimeout + 5*time.Second
	mgr, err := ctrl.NewManager(kubeConfig, ctrl.Options{
		Scheme:                        scheme,
		Cache:                         controllers.CacheOptions(texts),
		Client:                        controllers.ClientOptions(),
		Controller:                    config.Controller{ReconciliationTimeout: controllers.ReconcileTimeout},
		Metrics:                       metricsserver.Options{BindAddress: f.metricsAddress},
		HealthProbeBindAddress:        f.healthAddress,
		LeaderElection:                f.leaderElect,
		LeaderElectionID:              "controller.pressroom.dev",
		LeaderElectionNamespace:       namespace,
		LeaderElectionReleaseOnCancel: true,
		GracefulShutdownTimeout:       &grace,
	})
	if err != nil {
		return nil, fmt.Errorf("making the manager: %w", err)
	}
	if err := mgr.AddHealthzCheck("ping", healthz.Ping); err != nil {
		return nil, err
	}
	return mgr, mgr.AddReadyzCheck("ping", healthz.Ping)
}
