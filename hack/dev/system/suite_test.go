//go:build e2e

package system_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
	"github.com/pressroom-dev/pressroom/test/program"
	"github.com/pressroom-dev/pressroom/test/project"
)

func TestWholeSystem(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Whole system")
}

// patience bounds what a busy machine may take; nothing is asserted of the time that it does take.
const patience = 5 * time.Minute

var (
	whole *system.System
	api   client.WithWatch
)

// The suite runs what `make run` runs: a control plane, the real binaries with the rights of their ServiceAccounts, built
// with the race detector, and the receiver.
var _ = BeforeSuite(func(ctx SpecContext) {
	root := projectWithRaceDetector()
	folder := GinkgoT().TempDir()
	free, err := ports.Free(ctx)
	Expect(err).NotTo(HaveOccurred())
	whole, err = system.Start(context.WithoutCancel(ctx), system.Options{
		Root: root, Folder: folder, Ports: free,
		Say:            func(format string, args ...any) { GinkgoWriter.Printf(format+"\n", args...) },
		ControllerArgs: []string{"--retry-delays=1s,1s,1s"}, AuditLog: filepath.Join(folder, "audit.log"),
	})
	DeferCleanup(func() { Expect(whole.Stop()).To(Succeed()) })
	Expect(err).NotTo(HaveOccurred())
	scheme := runtime.NewScheme()
	Expect(v1alpha1.AddToScheme(scheme)).To(Succeed())
	Expect(corev1.AddToScheme(scheme)).To(Succeed())
	Expect(admissionregistrationv1.AddToScheme(scheme)).To(Succeed())
	Expect(rbacv1.AddToScheme(scheme)).To(Succeed())
	api, err = client.NewWithWatch(whole.Cluster.Config(), client.Options{Scheme: scheme})
	Expect(err).NotTo(HaveOccurred())
}, NodeTimeout(2*patience))

// Permissions are compared with what the whole suite has used, so not if only a part of it has run.
var _ = AfterSuite(func(ctx SpecContext) {
	if suite, _ := GinkgoConfiguration(); len(suite.FocusStrings)+len(suite.SkipStrings)+len(suite.LabelFilter) == 0 {
		checkPermissions(ctx, whole.AuditLog)
	}
}, NodeTimeout(patience))

// projectWithRaceDetector returns a folder that is the project, but with the program to test as bin/pressroom.
func projectWithRaceDetector() string {
	GinkgoHelper()
	binary, err := program.Path()
	Expect(err).NotTo(HaveOccurred())
	root := GinkgoT().TempDir()
	Expect(project.Clone(root)).To(Succeed())
	Expect(os.Symlink(binary, filepath.Join(root, "bin", "pressroom"))).To(Succeed())
	return root
}
