package problem

import (
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

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
