//go:build e2e

package system_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/hack/dev/system"
)

// permission is what a role grants to one of the programs, or what a program has used.
type permission struct {
	account string
	// namespace is empty for a ClusterRole.
	namespace             string
	group, resource, verb string
}

func (p permission) String() string {
	where := ""
	if p.namespace != "" {
		where = " in " + p.namespace
	}
	resource := p.resource
	if p.group != "" {
		resource += "." + p.group
	}
	return fmt.Sprintf("%s %s %s%s", strings.TrimPrefix(p.account, "pressroom-"), p.verb, resource, where)
}

// unused are the permissions that the suite does not use, or only at times, each with the reason for granting it. The test that uses it
// is named, if there is one.
var unused = map[string]string{
	"apiserver approve articles.pressroom.dev":                    "an admission policy asks for it, not a request: internal/kinds/reviewpolicy_test.go",
	"apiserver attest articles.pressroom.dev":                     "an admission policy asks for it, not a request: internal/kinds/reviewpolicy_test.go",
	"apiserver use accounts.pressroom.dev":                        "an admission policy asks for it, not a request: internal/kinds/credentialpolicy_test.go",
	"apiserver delete idempotencyrecords.internal.pressroom.dev":  "if nothing was created for a request that began: apiserver/rest/article/once_test.go",
	"apiserver create events.events.k8s.io in pressroom-system":   "if a kind cannot be listed: cmd/kubectl-pressroom/status_informers_test.go",
	"apiserver patch events.events.k8s.io in pressroom-system":    "if a kind still cannot be listed: cmd/kubectl-pressroom/status_informers_test.go",
	"controller delete apikeys.pressroom.dev":                     "if the key that made it is gone: controllers/access/access_makers_test.go",
	"controller delete oauthclients.pressroom.dev":                "if the key that made it is gone: controllers/access/access_makers_test.go",
	"controller use accounts.pressroom.dev":                       "an admission policy asks for it, not a request: internal/kinds/credentialpolicy_test.go",
	"controller create idempotencyrecords.internal.pressroom.dev": "if a request that was refused has deleted it: controllers/article/once_test.go",
	"controller delete eventdeliveries.pressroom.dev":             "days after they have ended: controllers/event/delivery_controller_events_test.go",
	"controller delete idempotencyrecords.internal.pressroom.dev": "after 24 hours: controllers/access/access_idempotencyrecord_test.go",
	"controller delete posts.pressroom.dev":                       "of a claim that is not used, and of a site that pulls: controllers/post/controller_posts_test.go",
	"controller get posts.pressroom.dev":                          "if another article has the slug: controllers/post/controller_posts_test.go",
	"controller get accounts.pressroom.dev":                       "before a grant is revoked because the cache has not its account: controllers/access/access_test.go",
	"controller get apikeys.pressroom.dev":                        "before a grant is revoked because the cache has not its key: controllers/access/access_test.go",
	"controller get eventdeliveries.pressroom.dev":                "if an answer comes while the controller stops: controllers/drain_test.go",
	"controller get idempotencyrecords.internal.pressroom.dev":    "before the first run of a request with a key is charged: controllers/article/once_test.go",
	"controller get namespaces":                                   "if an answer comes while the controller stops: controllers/drain_test.go",
	"controller patch articlerevisions.pressroom.dev":             "to adopt those of a restored article: controllers/restore_test.go",
	"controller patch events.events.k8s.io":                       "to count an Event that is repeated within minutes",
	"controller patch eventsubscriptions.pressroom.dev":           "to hand those of an app over to another grant: controllers/access/access_test.go",
	"controller patch idempotencyrecords.internal.pressroom.dev":  "if the facade has not recorded its article yet: controllers/article/once_test.go",
}

// checkPermissions compares what the roles grant with what kube-apiserver has recorded: nothing is granted without need, and nothing
// is missing.
func checkPermissions(ctx context.Context, auditLog string) {
	GinkgoHelper()
	used, forbidden := recorded(auditLog)
	Expect(forbidden).To(BeEmpty(), "config/rbac does not grant what the programs have asked for")
	var idle []string
	reasons := maps.Clone(unused)
	for _, p := range granted(ctx) {
		if _, listed := reasons[p.String()]; !listed && !slices.ContainsFunc(used, p.covers) {
			idle = append(idle, p.String())
		}
		delete(reasons, p.String())
	}
	slices.Sort(idle)
	Expect(idle).To(BeEmpty(), "the suite uses none of these: take them out of config/rbac or the markers in controllers, or list them in unused with a reason")
	Expect(reasons).To(BeEmpty(), "nobody has these, so they need no reason")
}

// covers reports whether the permission is the one that a request needs.
func (p permission) covers(request permission) bool {
	verb := p.verb
	if verb == "list" {
		// kube-apiserver streams the objects of a list to informers that watch. One before 1.34, or without WatchList, has them list.
		verb = "watch"
	}
	return p.account == request.account && p.group == request.group && p.resource == request.resource &&
		(p.verb == request.verb || verb == request.verb) && (p.namespace == "" || p.namespace == request.namespace)
}

// auditEvent is what is looked at of a line of the audit log.
type auditEvent struct {
	User struct {
		Username string `json:"username"`
	} `json:"user"`
	Verb      string `json:"verb"`
	ObjectRef struct {
		Namespace   string `json:"namespace"`
		APIGroup    string `json:"apiGroup"`
		Resource    string `json:"resource"`
		Subresource string `json:"subresource"`
	} `json:"objectRef"`
	Annotations map[string]string `json:"annotations"`
}

// recorded reads the requests of both programs that were allowed, and those that were not.
func recorded(auditLog string) (used []permission, forbidden []string) {
	GinkgoHelper()
	file, err := os.Open(auditLog)
	Expect(err).NotTo(HaveOccurred())
	defer file.Close()
	seen := map[permission]bool{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var event auditEvent
		Expect(json.Unmarshal(lines.Bytes(), &event)).To(Succeed())
		account, ours := strings.CutPrefix(event.User.Username, "system:serviceaccount:"+system.Namespace+":")
		if !ours || event.ObjectRef.Resource == "" {
			continue
		}
		p := permission{account, event.ObjectRef.Namespace, event.ObjectRef.APIGroup, event.ObjectRef.Resource, event.Verb}
		if event.ObjectRef.Subresource != "" {
			p.resource += "/" + event.ObjectRef.Subresource
		}
		if seen[p] {
			continue
		}
		seen[p] = true
		if event.Annotations["authorization.k8s.io/decision"] == "allow" {
			used = append(used, p)
		} else {
			forbidden = append(forbidden, p.String())
		}
	}
	Expect(lines.Err()).NotTo(HaveOccurred())
	Expect(used).NotTo(BeEmpty())
	return used, forbidden
}

// granted reads what is bound to the ServiceAccounts of both programs.
func granted(ctx context.Context) []permission {
	GinkgoHelper()
	var all []permission
	add := func(subjects []rbacv1.Subject, namespace string, rules []rbacv1.PolicyRule) {
		for _, subject := range subjects {
			if subject.Kind == rbacv1.ServiceAccountKind && subject.Namespace == system.Namespace {
				all = append(all, flat(subject.Name, namespace, rules)...)
			}
		}
	}
	var clusterWide rbacv1.ClusterRoleBindingList
	Expect(api.List(ctx, &clusterWide)).To(Succeed())
	for _, binding := range clusterWide.Items {
		var role rbacv1.ClusterRole
		Expect(client.IgnoreNotFound(api.Get(ctx, client.ObjectKey{Name: binding.RoleRef.Name}, &role))).To(Succeed())
		add(binding.Subjects, "", role.Rules)
	}
	var bindings rbacv1.RoleBindingList
	Expect(api.List(ctx, &bindings, client.InNamespace(system.Namespace))).To(Succeed())
	for _, binding := range bindings.Items {
		var role rbacv1.Role
		Expect(api.Get(ctx, client.ObjectKey{Namespace: system.Namespace, Name: binding.RoleRef.Name}, &role)).To(Succeed())
		add(binding.Subjects, system.Namespace, role.Rules)
	}
	Expect(len(all)).To(BeNumerically(">", 50))
	return all
}

// flat has a permission for each verb and resource of rules.
func flat(account, namespace string, rules []rbacv1.PolicyRule) (all []permission) {
	for _, rule := range rules {
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				for _, verb := range rule.Verbs {
					all = append(all, permission{account, namespace, group, resource, verb})
				}
			}
		}
	}
	return all
}
