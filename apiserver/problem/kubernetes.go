package problem

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/internal/ledger"
)

// resourceError is an error about another resource than an article.
type resourceError struct {
	error
	resource string
}

// Unwrap returns the cause.
func (e *resourceError) Unwrap() error { return e.error }

// WithResource notes which resource of the REST API a request to kube-apiserver was about. The default is an article.
func WithResource(resource string, err error) error {
	if err == nil {
		return nil
	}
	return &resourceError{err, resource}
}

func resourceOf(err error) string {
	if e, ok := errors.AsType[*resourceError](err); ok {
		return e.resource
	}
	return "article"
}

// FromKubernetes translates an error of a request to kube-apiserver. It returns nil for an error that is our own fault.
func FromKubernetes(err error) *APIError {
	reason, denied := deniedBy(err)
	switch {
	case apierrors.IsNotFound(err):
		return NotFound(resourceOf(err))
	case apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause):
		return NotFound("workspace")
	case apierrors.IsForbidden(err) && strings.Contains(err.Error(), "exceeded quota"):
		// Only an operator can raise a ResourceQuota of the workspace.
		e := New(http.StatusConflict, CodeLimitReached, "the workspace's quota has no room for another "+resourceOf(err))
		e.Problem.Reason = ReasonWorkspaceQuota
		return e
	case denied:
		return Denied(reason)
	case apierrors.IsInvalid(err):
		return fromInvalid(err)
	case apierrors.IsConflict(err):
		return Conflict(ReasonChangedMeanwhile, "the "+resourceOf(err)+" was changed at the same time: look at it, and try again")
	case IsUnavailable(err):
		return Unavailable("the service cannot reach its storage at the moment", suggestedRetryAfter(err))
	}
	return nil
}

// errUnreachable is in the chain of an error of a request that kube-apiserver did not answer.
var errUnreachable = errors.New("kube-apiserver did not answer")

// MarkUnreachable marks an error that is not an answer of kube-apiserver: it could not be reached, or the connection broke.
func MarkUnreachable(err error) error {
	if err == nil || StatusOf(err) != nil {
		return err
	}
	return fmt.Errorf("%w: %w", errUnreachable, err)
}

// IsUnavailable reports whether kube-apiserver did not answer, or failed: whether it did what was requested is unknown.
func IsUnavailable(err error) bool {
	if status := StatusOf(err); status != nil {
		return status.Code == http.StatusTooManyRequests || status.Code >= http.StatusInternalServerError
	}
	return errors.Is(err, errUnreachable) || errors.Is(err, ledger.ErrUnavailable) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded)
}

// StatusOf returns the answer of kube-apiserver; nil if there is none.
func StatusOf(err error) *metav1.Status {
	var answer apierrors.APIStatus
	if !errors.As(err, &answer) {
		return nil
	}
	status := answer.Status()
	return &status
}

func suggestedRetryAfter(err error) time.Duration {
	if seconds, ok := apierrors.SuggestsClientDelay(err); ok && seconds > 0 {
		return time.Duration(seconds) * time.Second
	}
	return DefaultRetryAfter
}

// restNames are the REST API's names of fields. A longer path comes before its prefix.
var restNames = []struct{ article, rest string }{
	{"spec.content.markdown", "content_markdown"},
	{"spec.content.metaTitle", "meta_title"},
	{"spec.content.metaDescription", "meta_description"},
	{"spec.content.title", "title"},
	{"spec.content.slug", "slug"},
	{"spec.content.faq", "faq"},
	{"spec.content", "content_markdown"},
	{"spec.generate.secondaryKeywords", "secondary_keywords"},
	{"spec.generate.tone", "tone"},
	{"spec.generate.keyword", "keyword"},
	{"spec.generate", "keyword"},
	{"spec.siteRef", "site_uid"},
	{"spec.cms", "connection"},
	{"spec.domain", "domain"},
	{"spec.brandVoice", "voice"},
	{"spec.url", "url"},
	{"spec.events", "events"},
	{"spec.publishAfter", "publish_at"},
	{"spec.review.approvals", "approvals"},
	{"spec.review.note", "note"},
	{"spec.review.digest", "digest"},
	{"spec.redirectURIs", "redirect_uris"},
	{"spec.contacts", "contacts"},
	{"spec.displayName", "name"},
}

func restName(field string) string {
	if strings.HasPrefix(field, "spec.cms.") && strings.HasSuffix(field, ".url") {
		return "connection.url" // of any type
	}
	for _, n := range restNames {
		if rest, ok := strings.CutPrefix(field, n.article); ok {
			if n.rest == "site_uid" {
				return n.rest
			}
			return n.rest + rest
		}
	}
	return field
}

// fromInvalid names the fields that kube-apiserver refused. A policy of the cluster, which names no field, is a conflict.
func fromInvalid(err error) *APIError {
	status := StatusOf(err)
	if status == nil || status.Details == nil {
		return Conflict(ReasonRefused, err.Error())
	}
	var found []ErrorDetail
	for _, cause := range status.Details.Causes {
		if cause.Field != "" && cause.Field != "<nil>" {
			found = append(found, ErrorDetail{Field: restName(cause.Field), Message: causeMessage(cause)})
		}
	}
	if len(found) == 0 {
		return Conflict(ReasonRefused, status.Message)
	}
	return Invalid(found...)
}

// causeMessage returns the rule alone: kube-apiserver puts the value and the field's name in the manifest before it.
func causeMessage(cause metav1.StatusCause) string {
	if cause.Type == metav1.CauseTypeFieldValueRequired {
		return "is required"
	}
	message := strings.TrimPrefix(cause.Message, "Invalid value: ")
	if i := strings.LastIndex(cause.Message, `": `); i >= 0 {
		message = cause.Message[i+len(`": `):]
	}
	message = strings.TrimPrefix(message, cause.Field+" in body ")
	// A rule of a CRD begins with the name of the field.
	message = strings.TrimPrefix(message, cause.Field[strings.LastIndex(cause.Field, ".")+1:]+" ")
	return causeWords(cause.Type, message)
}

// kubernetesWords are words of kube-apiserver's validation, and those of this API.
var kubernetesWords = strings.NewReplacer("should be ", "must be ", "should have ", "must have ", "should match ", "must match ",
	" chars long", " characters long", "may not be more than ", "must be at most ", "may not be longer than ", "must be at most ")

// causeWords returns what kube-apiserver's validation says in the words of this API.
func causeWords(kind metav1.CauseType, message string) string {
	switch kind {
	case metav1.CauseTypeFieldValueDuplicate:
		return "must not come twice"
	case metav1.CauseTypeFieldValueNotSupported:
		_, values, _ := strings.Cut(message, "supported values: ")
		return "must be one of " + strings.ReplaceAll(values, `"`, "")
	}
	if rest, tooMany := strings.CutPrefix(message, "Too many: "); tooMany {
		// How many there are comes first.
		_, message, _ = strings.Cut(rest, ": ")
	}
	message = kubernetesWords.Replace(strings.TrimPrefix(message, "Too long: "))
	if !houseForm.MatchString(message) {
		return "must be valid: " + message
	}
	return message
}

// maxReason bounds what is shown of a policy's message, in bytes.
const maxReason = 1000

// The words before the message of an admission webhook and of a ValidatingAdmissionPolicy in an answer of kube-apiserver.
var denials = []string{"denied the request: ", "denied the request", "denied request: "}

// unauthorized is in kube-apiserver's answer if the facade's own ServiceAccount lacks a right, which is not the client's business.
const unauthorized = `" cannot `

// deniedBy returns the message of a policy of the cluster that refused a write, whatever status the policy chose.
func deniedBy(err error) (reason string, denied bool) {
	status := StatusOf(err)
	if status == nil || status.Code >= http.StatusInternalServerError {
		return "", false
	}
	for _, words := range denials {
		if _, reason, found := strings.Cut(status.Message, words); found {
			return reason, true
		}
	}
	if !apierrors.IsForbidden(err) || strings.Contains(status.Message, unauthorized) {
		return "", false
	}
	_, reason, found := strings.Cut(status.Message, "is forbidden: ")
	return reason, found
}

// Denied is the answer to a write that a policy of the cluster refuses, such as one of Kyverno or Gatekeeper.
func Denied(reason string) *APIError {
	message := "a policy of the cluster refuses this"
	if reason = strings.Join(strings.Fields(reason), " "); reason != "" {
		message += ": " + strings.ToValidUTF8(reason[:min(len(reason), maxReason)], "")
	}
	return New(http.StatusForbidden, CodeForbidden, message)
}
