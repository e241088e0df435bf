package lifecycle

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Nonce returns the nonce of one of an object's annotations as status holds it: itself, or its SHA-256 where it is too long.
func Nonce(o metav1.Object, annotation string) string {
	nonce := o.GetAnnotations()[annotation]
	if len(nonce) <= v1alpha1.MaxNonceBytes {
		return nonce
	}
	return digest(nonce)
}

// unheard reports whether a nonce asks for something that has not been done: it is neither the last one that was acted on nor
// one of those before. A tool that puts an old manifest back asks for nothing.
func unheard(nonce, last string, earlier []string) bool {
	return nonce != "" && nonce != last && !slices.Contains(earlier, short(nonce))
}

// remember returns the nonces before the last one once another has taken its place.
func remember(earlier []string, last, next string) []string {
	if last == "" || last == next {
		return earlier
	}
	others := slices.DeleteFunc(slices.Clone(earlier), func(one string) bool { return one == short(last) })
	others = append(others, short(last))
	return others[max(len(others)-v1alpha1.MaxEarlierNonces, 0):]
}

// TakeNonce has a new run of an article answer the nonce that the article has now, and remember those of the runs before.
func TakeNonce(a *v1alpha1.Article, run *v1alpha1.GenerationRun) {
	run.Nonce = Nonce(a, v1alpha1.RegenerateAnnotation)
	if old := a.Status.Generation; old != nil {
		run.EarlierNonces = remember(old.EarlierNonces, old.Nonce, run.Nonce)
	}
}

// Undelivered is the publication of the current revision that nothing is sent for. The nonces that were acted on before stay
// remembered: the site's type may change back.
func Undelivered(a *v1alpha1.Article, state v1alpha1.PublicationState) *v1alpha1.Publication {
	p := &v1alpha1.Publication{State: state, Revision: a.Status.Revision.Name, Digest: a.Status.Revision.Digest}
	if old := a.Status.Publication; old != nil {
		p.EarlierNonces = old.EarlierNonces
		if old.Cycle != nil {
			p.EarlierNonces = remember(old.EarlierNonces, old.Cycle.Nonce, "")
		}
	}
	return p
}

// short identifies a nonce among a few.
func short(nonce string) string { return digest(nonce)[:16] }

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
