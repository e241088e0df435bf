// Package maker finds out who made the text of an article. The facade writes the names of people into annotations, each bound to what it is
// about by a hash, so that no name stands for what somebody else has written since. Pure.
package maker

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/command"
)

// Person is somebody who writes over the REST API.
type Person struct {
	// Name is that of their reviews, such as "Mara (api-key:aa3kq2vxw5ntb6ha)". ID stands for them if the name is too long for an
	// annotation, which has at most v1alpha1.MaxNonceBytes.
	Name, ID string
}

// RecordEditor records that a person has written spec.content. restored is the number of the revision whose text they gave back; 0 if the
// text is another one.
func RecordEditor(a *v1alpha1.Article, p Person, restored int32) {
	mark := contentMark(a)
	if restored > 0 {
		mark += "/" + strconv.Itoa(int(restored))
	}
	record(a, v1alpha1.EditedByAnnotation, mark, p)
}

// RecordRequester records that a person has asked for the generated text.
func RecordRequester(a *v1alpha1.Article, p Person) {
	record(a, v1alpha1.RequestedByAnnotation, requestMark(a), p)
}

// record sets an annotation to what a person has done, or removes it if it would be too long.
func record(a *v1alpha1.Article, annotation, mark string, p Person) {
	for _, name := range []string{p.Name, p.ID} {
		value := mark + " " + name
		if name != "" && bounds.JSONBytes(value) <= v1alpha1.MaxNonceBytes {
			metav1.SetMetaDataAnnotation(&a.ObjectMeta, annotation, value)
			return
		}
	}
	delete(a.Annotations, annotation)
}

// Editor returns who wrote spec.content as it is: a person, or else the field manager of a client of Kubernetes; nil if neither is known.
func Editor(a *v1alpha1.Article) *v1alpha1.RevisionMaker {
	if person := recorded(a, v1alpha1.EditedByAnnotation, contentMark(a)); person != nil {
		return person
	}
	if manager := lifecycle.ContentManager(a); manager != "" {
		return &v1alpha1.RevisionMaker{Manager: manager}
	}
	return nil
}

// Requester returns the person who asked for the generated text as spec.generate has it; nil if that is not known.
func Requester(a *v1alpha1.Article) *v1alpha1.RevisionMaker {
	return recorded(a, v1alpha1.RequestedByAnnotation, requestMark(a))
}

// recorded returns the person of an annotation if it is about what has a mark; nil if it is not.
func recorded(a *v1alpha1.Article, annotation, mark string) *v1alpha1.RevisionMaker {
	about, name, _ := strings.Cut(a.Annotations[annotation], " ")
	about, number, _ := strings.Cut(about, "/")
	if about != mark || name == "" {
		return nil
	}
	restored, err := strconv.ParseInt(number, 10, 32)
	if err != nil || restored < 0 {
		restored = 0
	}
	return &v1alpha1.RevisionMaker{Name: name, Restored: int32(restored)}
}

// contentMark names spec.content in an annotation.
func contentMark(a *v1alpha1.Article) string { return markOf(lifecycle.ContentHash(a.Spec.Content)) }

// requestMark names what is asked of the generator.
func requestMark(a *v1alpha1.Article) string {
	asked := lifecycle.RequestHash(a.Spec.Generate)
	if asked == "" {
		return markOf("")
	}
	sum := sha256.Sum256([]byte(asked + command.Nonce(a, v1alpha1.RegenerateAnnotation)))
	return markOf(hex.EncodeToString(sum[:]))
}

// markOf is the beginning of a hash, which is enough to tell the texts of one article apart.
func markOf(hash string) string {
	const digits = 16
	if hash == "" {
		return "none"
	}
	return hash[:digits]
}
