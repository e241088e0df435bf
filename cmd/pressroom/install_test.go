package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/spf13/cobra"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
	"github.com/pressroom-dev/pressroom/hack/dev/cluster"
	"github.com/pressroom-dev/pressroom/test/project"
)

// sessionSecret holds the keys that seal sessions.
const sessionSecret = "pressroom-session-keys"

var _ = Describe("An installation", func() {
	It("is accepted by kube-apiserver as it is rendered", func(ctx SpecContext) {
		strict := client.WithFieldValidation(api, metav1.FieldValidationStrict)
		for _, object := range rendered(ctx) {
			Expect(strict.Apply(ctx, client.ApplyConfigurationFromUnstructured(object), client.FieldOwner("test"), client.ForceOwnership,
				client.DryRunAll)).To(Succeed(), object.GetKind()+" "+object.GetName())
		}
	})

	It("runs both programs with flags that they know", func(ctx SpecContext) {
		for name, command := range map[string]*cobra.Command{"pressroom-controller": commandOf("controller"), "pressroom-apiserver": commandOf("apiserver")} {
			args := deployment(ctx, name).Spec.Template.Spec.Containers[0].Args
			Expect(args[0]).To(Equal(command.Name()))
			Expect(command.ParseFlags(args[1:])).To(Succeed())
			Expect(command.Flags().Args()).To(BeEmpty())
		}
	})

	It("mounts the session keys where the REST API looks for them, and starts without them", func(ctx SpecContext) {
		pod := deployment(ctx, "pressroom-apiserver").Spec.Template.Spec
		command := commandOf("apiserver")
		Expect(command.ParseFlags(pod.Containers[0].Args)).To(Succeed())
		file, err := command.Flags().GetString("session-key-file")
		Expect(err).NotTo(HaveOccurred())

		Expect(pod.Containers[0].VolumeMounts).To(ConsistOf(corev1.VolumeMount{
			Name: "session-keys", MountPath: filepath.Dir(file), ReadOnly: true,
		}), "a mount of a single file would never show a change")
		Expect(pod.Volumes).To(ConsistOf(corev1.Volume{Name: "session-keys", VolumeSource: corev1.VolumeSource{
			Secret: &corev1.SecretVolumeSource{
				SecretName: sessionSecret, Optional: new(true), Items: []corev1.KeyToPath{{Key: "keys", Path: filepath.Base(file)}},
			},
		}}))
		for _, object := range rendered(ctx) {
			Expect(object.GetKind()).NotTo(Equal("Secret"), "keys are never in Git")
		}
	})

	It("gets session keys once, which no second installation changes", func(ctx SpecContext) {
		keys := func() []byte {
			script := exec.CommandContext(ctx, "sh", filepath.Join(project.Root(), "hack", "session-keys.sh"))
			script.Env = append(os.Environ(), "KUBECTL="+kubectl()+" --kubeconfig="+kubeconfig)
			out, err := script.CombinedOutput()
			Expect(err).NotTo(HaveOccurred(), string(out))
			secret := &corev1.Secret{}
			Expect(api.Get(ctx, client.ObjectKey{Namespace: defaultSystemNamespace, Name: sessionSecret}, secret)).To(Succeed())
			Expect(secret.Data).To(HaveLen(1))
			Expect(string(out)).NotTo(ContainSubstring(string(bytes.TrimSpace(secret.Data["keys"]))))
			return secret.Data["keys"]
		}
		first := keys()
		_, err := seal.ParseKeys(first)
		Expect(err).NotTo(HaveOccurred())
		Expect(keys()).To(Equal(first))
	})
})

// commandOf returns a command of the program, with the flags of all commands.
func commandOf(name string) *cobra.Command {
	GinkgoHelper()
	command, _, err := newRootCommand().Find([]string{name})
	Expect(err).NotTo(HaveOccurred())
	return command
}

func kubectl() string {
	GinkgoHelper()
	path, err := cluster.Binary(project.Root(), "kubectl")
	Expect(err).NotTo(HaveOccurred())
	return path
}

// rendered are the objects of config/default.
func rendered(ctx context.Context) []*unstructured.Unstructured {
	GinkgoHelper()
	text, err := exec.CommandContext(ctx, kubectl(), "kustomize", filepath.Join(project.Root(), "config", "default")).Output()
	Expect(err).NotTo(HaveOccurred())
	objects := objectsOf(text)
	Expect(len(objects)).To(BeNumerically(">", 20))
	return objects
}

// objectsOf reads the objects of a manifest.
func objectsOf(text []byte) []*unstructured.Unstructured {
	GinkgoHelper()
	documents := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
	var objects []*unstructured.Unstructured
	for {
		object := &unstructured.Unstructured{}
		err := documents.Decode(&object.Object)
		if errors.Is(err, io.EOF) {
			return objects
		}
		Expect(err).NotTo(HaveOccurred())
		objects = append(objects, object)
	}
}

func deployment(ctx context.Context, name string) *appsv1.Deployment {
	GinkgoHelper()
	for _, object := range rendered(ctx) {
		if object.GetKind() == "Deployment" && object.GetName() == name {
			d := &appsv1.Deployment{}
			Expect(runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(object.Object, d, true)).To(Succeed())
			return d
		}
	}
	Fail("there is no Deployment " + name)
	return nil
}
