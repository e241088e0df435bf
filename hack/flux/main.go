// Command fluxsync applies the objects of a manifest as Flux does, by its own library and with the options of kustomize-controller: fields
// that somebody wrote with kubectl are taken over, all objects are tried before any is applied, and with -force an object that cannot be
// changed is deleted and created again.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/fluxcd/pkg/ssa"
	"github.com/fluxcd/pkg/ssa/normalize"
	"github.com/fluxcd/pkg/ssa/utils"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const manager = "kustomize-controller"

func main() {
	kubeconfig := flag.String("kubeconfig", "", "kubeconfig of a user who may impersonate others")
	as := flag.String("as", "", "user that the objects are applied as, as the ServiceAccount of a Kustomization")
	force := flag.Bool("force", false, "spec.force of the Kustomization")
	flag.Parse()
	if err := sync(context.Background(), *kubeconfig, *as, *force, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// sync applies a manifest, and says what became of each object.
func sync(ctx context.Context, kubeconfig, as string, force bool, manifest string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.Impersonate, config.QPS = rest.ImpersonationConfig{UserName: as}, -1
	c, err := client.New(config, client.Options{})
	if err != nil {
		return err
	}
	file, err := os.Open(manifest)
	if err != nil {
		return err
	}
	defer file.Close()
	objects, err := utils.ReadObjects(file)
	if err != nil {
		return err
	}
	if err := normalize.UnstructuredList(objects); err != nil {
		return err
	}
	m := ssa.NewResourceManager(c, nil, ssa.Owner{Field: manager, Group: "kustomize.toolkit.fluxcd.io"})
	m.SetOwnerLabels(objects, "content", "flux-system")
	changes, err := m.ApplyAllStaged(ctx, objects, options(force))
	if err != nil {
		return err
	}
	for _, change := range changes.Entries {
		fmt.Println(change.Action, change.Subject)
	}
	return nil
}

// options are the options of kustomize-controller, internal/controller/kustomization_controller.go.
func options(force bool) ssa.ApplyOptions {
	o := ssa.DefaultApplyOptions()
	o.Force, o.WaitInterval, o.WaitTimeout = force, 100*time.Millisecond, time.Minute
	o.ExclusionSelector = map[string]string{
		"kustomize.toolkit.fluxcd.io/reconcile": "disabled", "kustomize.toolkit.fluxcd.io/ssa": "Ignore",
	}
	o.ForceSelector = map[string]string{"kustomize.toolkit.fluxcd.io/force": "enabled"}
	o.IfNotPresentSelector = map[string]string{"kustomize.toolkit.fluxcd.io/ssa": "IfNotPresent"}
	o.Cleanup = ssa.ApplyCleanupOptions{
		Annotations: []string{corev1.LastAppliedConfigAnnotation, "kustomize.toolkit.fluxcd.io/checksum", "fluxcd.io/sync-checksum"},
		Labels:      []string{"fluxcd.io/sync-gc-mark"},
		FieldManagers: []ssa.FieldManager{
			{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationApply},
			{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationUpdate},
			{Name: "before-first-apply", OperationType: metav1.ManagedFieldsOperationUpdate},
			{Name: manager, OperationType: metav1.ManagedFieldsOperationUpdate},
		},
		Exclusions: map[string]string{"kustomize.toolkit.fluxcd.io/ssa": "Merge"},
	}
	return o
}
