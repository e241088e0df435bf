package rest

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// memberOf are the members of a request by the fields of an article that they change.
var memberOf = map[string]string{
	".spec.content.title": "title", ".spec.content.slug": "slug", ".spec.content.markdown": "content_markdown",
	".spec.content.metaTitle": "meta_title", ".spec.content.metaDescription": "meta_description",
	".spec.content.faq": "faq", ".spec.content.faqPolicy": "faq",
	".spec.publishAfter": "publish_at",
}

// keptInManifest returns a conflict if a manifest that a tool applies has one of these fields: it names the tool, and the members of the
// request that change such fields.
func keptInManifest(managed []metav1.ManagedFieldsEntry, except string, fields []string) error {
	owner := applier(managed, except, fields)
	if owner == "" {
		return nil
	}
	conflict := problem.Conflict(fmt.Sprintf("%q keeps this in the article's manifest: change it there", owner))
	for _, field := range fields {
		by, member := applier(managed, except, []string{field}), memberOf[field]
		if by != "" && member != "" {
			conflict.Problem.Details = append(conflict.Problem.Details, problem.Detail{
				Field: member, Message: fmt.Sprintf("%q applies this from a manifest: change it there", by),
			})
		}
	}
	return conflict
}
