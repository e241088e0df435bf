package main

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers"
	"github.com/pressroom-dev/pressroom/controllers/article"
	"github.com/pressroom-dev/pressroom/internal/informers"
)

var _ = Describe("A controller that may not list a kind", func() {
	It("makes Events about its own Pod while that is so", func(ctx SpecContext) {
		controlPlane.Install("config/rbac/role.yaml")
		controlPlane.Install("config/rbac/controller.yaml")
		role := &rbacv1.ClusterRole{}
		Expect(api.Get(ctx, client.ObjectKey{Name: "pressroom-controller"}, role)).To(Succeed())
		whole := role.DeepCopy()
		role.Rules = slices.DeleteFunc(role.Rules, func(r rbacv1.PolicyRule) bool { return slices.Contains(r.Resources, "articles") })
		Expect(api.Update(ctx, role)).To(Succeed())
		whole.ResourceVersion = role.ResourceVersion

		pod, err := ownPod(defaultSystemNamespace)
		Expect(err).NotTo(HaveOccurred())
		clk := clocktesting.NewFakeClock(start)
		options := controllers.Options{Texts: article.NewTexts(), Clock: clk}
		config := controlPlane.ConfigOf(defaultSystemNamespace, "pressroom-controller")
		mgr, reporter, err := newManager(config, nil, &controllerFlags{metricsAddress: "0", healthAddress: "0"}, options, pod)
		Expect(err).NotTo(HaveOccurred())
		_, err = mgr.GetCache().GetInformer(ctx, &v1alpha1.Article{}, cache.BlockUntilSynced(false))
		Expect(err).NotTo(HaveOccurred())
		running, stop := context.WithCancel(context.Background())
		var group errgroup.Group
		// A manager starts its cache first, and nothing else before that is complete.
		group.Go(func() error { return mgr.GetCache().Start(running) })
		group.Go(func() error { return reporter.Start(running) })
		DeferCleanup(func() {
			stop()
			Expect(group.Wait()).To(Succeed())
			Expect(api.Update(context.Background(), whole)).To(Succeed())
		})

		Eventually(func() []corev1.Event {
			if clk.HasWaiters() {
				clk.Step(informers.ReportPeriod)
			}
			var events corev1.EventList
			Expect(api.List(ctx, &events, client.InNamespace(defaultSystemNamespace), client.MatchingFields{"reason": informers.ReasonFailing})).To(Succeed())
			return events.Items
		}).Should(ConsistOf(And(
			HaveField("InvolvedObject.Name", pod.Name), HaveField("Related.Kind", "Article"), HaveField("Series.Count", BeNumerically(">=", 2)),
		)))
	})
})

var _ = Describe("A controller whose cache is not complete", func() {
	It("stops when it is asked to", func() {
		user, err := controlPlane.AddUser(envtest.User{Name: "without-rights"}, nil)
		Expect(err).NotTo(HaveOccurred())
		data, err := user.KubeConfig()
		Expect(err).NotTo(HaveOccurred())
		path := filepath.Join(GinkgoT().TempDir(), "kubeconfig")
		Expect(os.WriteFile(path, data, 0o600)).To(Succeed())
		health := freeAddress()
		self, err := os.Executable()
		Expect(err).NotTo(HaveOccurred())
		server := exec.Command(self, "controller", "--leader-elect=false", "--metrics-bind-address=0", "--health-probe-bind-address="+health, "--kubeconfig="+path)
		server.Env = append(os.Environ(), runAsPressroom+"=1")
		server.Stdout, server.Stderr = GinkgoWriter, GinkgoWriter
		Expect(server.Start()).To(Succeed())
		ended := make(chan error, 1)
		go func() { ended <- server.Wait() }()
		DeferCleanup(func() {
			// It may have ended already.
			_ = server.Process.Kill()
		})
		Eventually(func() error {
			c, err := net.Dial("tcp", health)
			if err == nil {
				err = c.Close()
			}
			return err
		}).Should(Succeed())
		Expect(server.Process.Signal(syscall.SIGTERM)).To(Succeed())
		Eventually(ended).Should(Receive(BeNil()))
	})
})
