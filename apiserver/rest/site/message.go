package site

import (
	"cmp"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// sentences say to clients why a site or its connection is as it is, where the condition speaks to operators.
var sentences = map[string]string{
	v1alpha1.ReasonNotTested:       "the connection has not been tested as it is now",
	v1alpha1.ReasonSecretNotFound:  "the credential of the connection is missing: enter it again",
	v1alpha1.ReasonInvalidSecret:   "the credential of the connection is not usable: enter it again",
	v1alpha1.ReasonSuspended:       "work is suspended, by an operator or for the site",
	v1alpha1.ReasonRestored:        "the site was restored or copied: it waits until an operator confirms that everything is there",
	v1alpha1.ReasonNotAWorkspace:   "the workspace belongs to no account",
	v1alpha1.ReasonAccountNotFound: "the workspace's account does not exist",
}

// messageOf says for people why a site or its connection is as a condition says.
func messageOf(c *metav1.Condition) string { return cmp.Or(sentences[c.Reason], c.Message) }
