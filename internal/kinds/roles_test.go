package kinds

import (
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

var _ = Describe("Roles", func() {
	controller := "system:serviceaccount:pressroom-system:pressroom-controller"

	DescribeTable("allow",
		func(ctx SpecContext, user string, verbs []string, resource string) {
			for _, verb := range verbs {
				Expect(asksFor(ctx, user, verb, resource)).To(BeTrue(), "%s %s", verb, resource)
			}
		},
		Entry("an author to write articles", author, []string{"get", "list", "watch", "create", "update", "patch", "delete"}, "articles"),
		Entry("an author to read what there is to review", author, []string{"get", "list"}, "articlerevisions"),
		Entry("an author to write briefs", author, []string{"get", "list", "watch", "create", "update", "patch", "delete"}, "briefs"),
		Entry("a reviewer to read the brief of a text", reviewer, []string{"get", "list", "watch"}, "briefs"),
		Entry("a GitOps controller to write briefs", gitops, []string{"get", "list", "watch", "create", "patch", "delete"}, "briefs"),
		Entry("an administrator to write briefs", manager, []string{"create", "update", "patch", "delete"}, "briefs"),
		Entry("the facade to manage briefs for keys", facade, []string{"get", "list", "watch", "create", "patch", "delete"}, "briefs"),
		Entry("the controller to read a brief when it is needed", controller, []string{"get"}, "briefs"),
		Entry("a reviewer to review", reviewer, []string{"get", "patch", "approve"}, "articles"),
		Entry("a reviewer to read what there is to review", reviewer, []string{"get"}, "articlerevisions"),
		Entry("an administrator to run sites", manager, []string{"create", "update", "patch", "delete"}, "sites"),
		Entry("an administrator to run subscriptions", manager, []string{"create", "update", "patch", "delete"}, "eventsubscriptions"),
		Entry("an administrator to have an event sent again", manager, []string{"get", "list", "patch"}, "eventdeliveries"),
		Entry("an author to see what became of events", author, []string{"get", "list", "watch"}, "eventdeliveries"),
		Entry("an author to see what sites have", author, []string{"get", "list", "watch"}, "posts"),
		Entry("an administrator to free the slug of a deleted article", manager, []string{"get", "delete"}, "posts"),
		Entry("an administrator to approve", manager, []string{"approve"}, "articles"),
		Entry("a GitOps controller to attest", gitops, []string{"create", "patch", "approve", "attest"}, "articles"),
		Entry("the facade to index articles", facade, []string{"get", "list", "watch"}, "articles"),
		Entry("the facade to write articles for keys", facade, []string{"create", "patch", "delete", "approve", "attest"}, "articles"),
		Entry("the facade to remember requests", facade, []string{"get", "create", "patch", "delete"}, "idempotencyrecords"),
		Entry("the controller to forget requests", controller, []string{"list", "watch", "delete"}, "idempotencyrecords"),
		Entry("the facade to charge accounts", facade, []string{"get", "patch"}, "accountledgers"),
		Entry("the controller to begin ledgers and to charge accounts", controller, []string{"get", "list", "watch", "create", "patch"}, "accountledgers"),
		Entry("who runs the installation to restore ledgers", keeper, []string{"get", "list", "create", "update", "patch"}, "accountledgers"),
		Entry("the facade to manage subscriptions for keys", facade, []string{"get", "list", "create", "patch", "delete"}, "eventsubscriptions"),
		Entry("the facade to list deliveries and to redeliver", facade, []string{"get", "list", "patch"}, "eventdeliveries"),
		Entry("the facade to ask for tests of connections", facade, []string{"get", "patch"}, "sites"),
		Entry("the facade to make signing secrets and to delete them", facade, []string{"create", "delete"}, "secrets"),
		Entry("the facade to read bodies one by one", facade, []string{"get"}, "articlerevisions"),
		Entry("who runs the installation to run accounts", keeper, []string{"create", "update", "delete", "use"}, "accounts"),
		Entry("who runs the installation to run keys", keeper, []string{"create", "delete"}, "apikeys"),
	)

	DescribeTable("do not allow",
		func(ctx SpecContext, user string, verbs []string, resource string) {
			for _, verb := range verbs {
				Expect(asksFor(ctx, user, verb, resource)).To(BeFalse(), "%s %s", verb, resource)
			}
		},
		Entry("an author to approve", author, []string{"approve", "attest"}, "articles"),
		Entry("a reviewer to change what a text rests on", reviewer, []string{"create", "update", "patch", "delete"}, "briefs"),
		Entry("the facade to replace briefs, or to remove them all", facade, []string{"update", "deletecollection"}, "briefs"),
		Entry("the controller to hold all briefs, or to change one", controller, []string{"list", "watch", "create", "update", "patch", "delete"}, "briefs"),
		Entry("an author to have events sent elsewhere", author, []string{"create", "update", "patch", "delete"}, "eventsubscriptions"),
		Entry("an administrator of a workspace to forge events", manager, []string{"create", "update", "delete"}, "eventdeliveries"),
		Entry("an author to free slugs", author, []string{"create", "update", "patch", "delete"}, "posts"),
		Entry("an administrator of a workspace to forge posts", manager, []string{"create", "update", "patch"}, "posts"),
		Entry("an author to write sites", author, []string{"create", "update", "patch", "delete"}, "sites"),
		Entry("a reviewer to speak for others", reviewer, []string{"attest"}, "articles"),
		Entry("an administrator of a workspace to speak for others", manager, []string{"attest"}, "articles"),
		Entry("an administrator of a workspace to move it to another account", manager, []string{"use", "get"}, "accounts"),
		Entry("an administrator of a workspace to make keys", manager, []string{"create", "get", "list"}, "apikeys"),
		Entry("the facade to forge a status", facade, []string{"update", "patch"}, "articles/status"),
		Entry("an author to forge what was requested", author, []string{"create", "update", "patch", "delete"}, "idempotencyrecords"),
		Entry("the facade to grant credits", facade, []string{"update", "patch", "create"}, "accounts"),
		Entry("the facade to say whether an account can be used", facade, []string{"update", "patch"}, "accounts/status"),
		Entry("the facade to begin a ledger, or to end one", facade, []string{"create", "update", "delete", "deletecollection"}, "accountledgers"),
		Entry("the controller to end a ledger", controller, []string{"update", "delete", "deletecollection"}, "accountledgers"),
		Entry("who runs the installation to delete a ledger", keeper, []string{"delete"}, "accountledgers"),
		Entry("an administrator of a workspace to forge what was used", manager, []string{"get", "create", "update", "patch", "delete"}, "accountledgers"),
		Entry("the facade to replace sites, or to remove them all", facade, []string{"update", "deletecollection"}, "sites"),
		Entry("the facade to forge a test's outcome", facade, []string{"update", "patch"}, "sites/status"),
		Entry("the facade to hold all bodies", facade, []string{"list", "watch", "create", "delete"}, "articlerevisions"),
		Entry("who runs the installation to forge a consent", keeper, []string{"create", "update", "patch"}, "oauthgrants"),
		Entry("the facade to read Secrets", facade, []string{"get", "list", "watch", "update", "patch", "deletecollection"}, "secrets"),
		Entry("the controller to list Secrets", controller, []string{"list", "watch", "create", "update", "delete"}, "secrets"),
		Entry("the controller to approve", controller, []string{"approve", "attest"}, "articles"),
	)

	DescribeTable("allow the facade", func(ctx SpecContext, resource, sub string, want ...string) {
		for _, verb := range []string{"get", "list", "watch", "create", "update", "patch", "delete"} {
			allowed, err := mayDo(ctx, facade, authorizationv1.ResourceAttributes{
				Verb: verb, Group: "pressroom.dev", Resource: resource, Subresource: sub,
			})
			Expect(err).NotTo(HaveOccurred())
			Expect(allowed).To(Equal(slices.Contains(want, verb)), verb)
		}
	},
		Entry("to make, rename and revoke keys", "apikeys", "", "get", "list", "watch", "create", "patch", "delete"),
		Entry("to register apps", "oauthclients", "", "get", "list", "watch", "create", "patch", "delete"),
		Entry("to record consents, and never to change or remove them", "oauthgrants", "", "get", "list", "watch", "create"),
		Entry("to write what became of a consent", "oauthgrants", "status", "patch"),
	)

	It("allow nobody a wildcard, a Secret more than get or, for the facade, create and delete, or another's status and revisions", func() {
		for name, rules := range roleRules() {
			for _, r := range rules {
				Expect(slices.Concat(r.Verbs, r.Resources, r.APIGroups)).NotTo(ContainElement("*"), name)
				if slices.Contains(r.Resources, "secrets") {
					want := []string{"get"}
					if name == "pressroom-apiserver" {
						want = []string{"create", "delete"}
					}
					Expect(r.Verbs).To(ConsistOf(want), name)
				}
				if name != "pressroom-controller" && slices.Contains(r.Resources, "articlerevisions") {
					Expect([]string{"get", "list", "watch"}).To(ContainElements(r.Verbs), name)
				}
				if name != "pressroom-controller" && !strings.HasPrefix(name, "pressroom-apiserver") {
					Expect(r.Resources).NotTo(ContainElement(HaveSuffix("/status")), name)
				}
			}
		}
	})

	It("add up to Kubernetes' own roles without the right to approve for authors", func() {
		aggregated := map[string]string{}
		for name, labels := range roleLabels() {
			for label := range labels {
				if to, ok := strings.CutPrefix(label, "rbac.authorization.k8s.io/aggregate-to-"); ok {
					aggregated[to] = name
				}
			}
		}
		Expect(aggregated).To(Equal(map[string]string{
			"view": "pressroom-viewer", "edit": "pressroom-author", "admin": "pressroom-admin",
		}))
	})
})

// asksFor asks about a resource of pressroom.dev, with its subresource after a slash, or about Secrets, in the workspace.
func asksFor(ctx SpecContext, user, verb, resource string) bool {
	GinkgoHelper()
	name, sub, _ := strings.Cut(resource, "/")
	what := authorizationv1.ResourceAttributes{
		Namespace: workspace, Verb: verb, Group: "pressroom.dev", Resource: name, Subresource: sub,
	}
	switch resource {
	case "secrets":
		what.Group = ""
	case "idempotencyrecords":
		what.Group = "internal.pressroom.dev"
	}
	allowed, err := mayDo(ctx, user, what)
	Expect(err).NotTo(HaveOccurred())
	return allowed
}

// projectRoles reads the Roles and ClusterRoles of config/rbac by name.
func projectRoles() map[string]*rbacv1.ClusterRole {
	GinkgoHelper()
	files, err := manifestFiles(folder("config", "rbac"))
	Expect(err).NotTo(HaveOccurred())
	roles := map[string]*rbacv1.ClusterRole{}
	for _, file := range files {
		objs, err := readManifests(file)
		Expect(err).NotTo(HaveOccurred())
		for _, obj := range objs {
			if !strings.HasSuffix(obj.GetKind(), "Role") {
				continue
			}
			role := &rbacv1.ClusterRole{}
			Expect(runtime.DefaultUnstructuredConverter.FromUnstructured(obj.Object, role)).To(Succeed())
			roles[role.Name] = role
		}
	}
	return roles
}

func roleRules() map[string][]rbacv1.PolicyRule {
	GinkgoHelper()
	rules := map[string][]rbacv1.PolicyRule{}
	for name, role := range projectRoles() {
		rules[name] = role.Rules
	}
	return rules
}

func roleLabels() map[string]map[string]string {
	GinkgoHelper()
	labels := map[string]map[string]string{}
	for name, role := range projectRoles() {
		labels[name] = role.Labels
	}
	return labels
}
