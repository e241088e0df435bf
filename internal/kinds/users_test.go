package kinds

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Users of the policy specs, each with one of the project's own roles in every namespace.
const (
	author   = "ada@acme.example"
	reviewer = "rob@acme.example"
	manager  = "mia@acme.example"
	gitops   = "system:serviceaccount:flux-system:kustomize-controller"
	facade   = "system:serviceaccount:pressroom-system:pressroom-apiserver"
	keeper   = "kim@acme.example"
	// siteWriter may write sites and approve nothing; no role of the project is like that.
	siteWriter = "sid@acme.example"
	// platform may write namespaces and use the account acme only.
	platform = "pat@acme.example"
	// clerk may write API keys and OAuth clients and use the account acme only.
	clerk = "cleo@acme.example"
	// oneArticle may approve the article named welcome only.
	oneArticle = "ola@acme.example"
)

// as returns a client that kube-apiserver takes for that user.
func as(user string) client.Client {
	GinkgoHelper()
	cfg := rest.CopyConfig(cluster.Config)
	cfg.Impersonate = rest.ImpersonationConfig{UserName: user}
	return newClient(cfg)
}

// installRoles applies config/rbac.
func installRoles(ctx context.Context) {
	GinkgoHelper()
	files, err := manifestFiles(folder("config", "rbac"))
	Expect(err).NotTo(HaveOccurred())
	for _, file := range files {
		objs, err := readManifests(file)
		Expect(err).NotTo(HaveOccurred())
		for _, obj := range objs {
			Expect(apply(ctx, admin, obj)).To(Succeed(), "%s %s", obj.GetKind(), obj.GetName())
		}
	}
}

func addUsers(ctx context.Context) {
	GinkgoHelper()
	grant(ctx, author, "pressroom-author")
	grant(ctx, reviewer, "pressroom-reviewer")
	grant(ctx, manager, "pressroom-admin")
	grant(ctx, gitops, "pressroom-attester")
	grant(ctx, keeper, "pressroom-account-admin")
	allow(ctx, siteWriter, rule("pressroom.dev", "sites", "create", "update", "patch", "get"))
	allow(ctx, platform, rule("", "namespaces", "create", "update", "patch", "get"),
		rule("", "namespaces/status", "update"), rule("", "namespaces/finalize", "update"),
		onlyOn("acme", rule("pressroom.dev", "accounts", "use")))
	allow(ctx, clerk, rule("pressroom.dev", "apikeys", everything...), rule("pressroom.dev", "oauthclients", everything...),
		onlyOn("acme", rule("pressroom.dev", "accounts", "use")))
	allow(ctx, oneArticle, rule("pressroom.dev", "articles", "create", "update", "patch", "get"),
		onlyOn("welcome", rule("pressroom.dev", "articles", "approve")))
	for _, user := range []string{author, reviewer, manager, gitops, facade, oneArticle} {
		Eventually(may).WithContext(ctx).WithArguments(user, "get", "articles", "").Should(BeTrue(), user)
	}
	Eventually(may).WithContext(ctx).WithArguments(keeper, "use", "accounts", "").Should(BeTrue())
	Eventually(may).WithContext(ctx).WithArguments(siteWriter, "get", "sites", "").Should(BeTrue())
	Eventually(may).WithContext(ctx).WithArguments(platform, "use", "accounts", "acme").Should(BeTrue())
	Eventually(may).WithContext(ctx).WithArguments(clerk, "use", "accounts", "acme").Should(BeTrue())
}

// everything are the verbs of those who run objects.
var everything = []string{"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"}

func rule(group, resource string, verbs ...string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{APIGroups: []string{group}, Resources: []string{resource}, Verbs: verbs}
}

// onlyOn narrows a rule to the object of this name.
func onlyOn(name string, r rbacv1.PolicyRule) rbacv1.PolicyRule {
	r.ResourceNames = []string{name}
	return r
}

// allow gives a user a role of these rules.
func allow(ctx context.Context, user string, rules ...rbacv1.PolicyRule) {
	GinkgoHelper()
	role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{GenerateName: "test-"}, Rules: rules}
	Expect(admin.Create(ctx, role)).To(Succeed())
	grant(ctx, user, role.Name)
}

// grant binds a user to a ClusterRole everywhere.
func grant(ctx context.Context, user, role string) {
	GinkgoHelper()
	Expect(admin.Create(ctx, &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "test-"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "User", Name: user}},
	})).To(Succeed())
}

// may asks kube-apiserver whether a user holds a verb on a resource of pressroom.dev.
func may(ctx context.Context, user, verb, resource, name string) (bool, error) {
	return mayDo(ctx, user, authorizationv1.ResourceAttributes{
		Namespace: workspace, Verb: verb, Group: "pressroom.dev", Resource: resource, Name: name,
	})
}

func mayDo(ctx context.Context, user string, what authorizationv1.ResourceAttributes) (bool, error) {
	review := &authorizationv1.SubjectAccessReview{
		Spec: authorizationv1.SubjectAccessReviewSpec{User: user, ResourceAttributes: &what},
	}
	err := admin.Create(ctx, review)
	return review.Status.Allowed, err
}
