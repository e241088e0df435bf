package internalv1alpha1

import (
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// IdempotencyRecordSpec describes a request of the REST API that came with an Idempotency-Key.
// +kubebuilder:validation:XValidation:rule="self.operation == oldSelf.operation && self.requestHash == oldSelf.requestHash && self.object == oldSelf.object",message="the request of a record may not change",fieldPath=".requestHash"
// +kubebuilder:validation:XValidation:rule="!has(oldSelf.objectUID) || has(self.answer) == has(oldSelf.answer) && (!has(self.answer) || self.answer == oldSelf.answer)",message="answer may not change once objectUID is set",fieldPath=".answer"
// +kubebuilder:validation:XValidation:rule="!has(self.answer) || size(bytes(self.answer)) <= 131072",message="answer must be at most 131072 bytes",fieldPath=".answer"
// +kubebuilder:validation:XValidation:rule="!has(oldSelf.objectUID) || (has(self.objectUID) && self.objectUID == oldSelf.objectUID)",message="objectUID may not change once it is set",fieldPath=".objectUID"
type IdempotencyRecordSpec struct {
	// operation that the request asked for, such as generate, 1 to 63 characters.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Operation string `json:"operation,omitempty"`

	// requestHash is the lower-case hex SHA-256 of the request's body. Another body under the same key is refused.
	// +required
	// +kubebuilder:validation:MinLength=64
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[0-9a-f]{64}$`
	RequestHash string `json:"requestHash,omitempty"`

	// object is the name of the object that the operation creates, or of its command, 1 to 253 characters.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Object string `json:"object,omitempty"`

	// objectUID is the metadata.uid of the object that the operation has created, or the nonce of its command. From then on the key does
	// nothing, whatever becomes of the object. The facade sets it before it answers, and the controller before it charges a run or makes
	// anything of an Article, so that one Article at the most is made under a key. Unset if the operation is in
	// progress or was interrupted: a repeat goes on with it.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	ObjectUID string `json:"objectUID,omitempty"`

	// answer is the answer to the request as JSON, at most 131072 bytes. Unset if a repeat is answered from the object.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=131072
	Answer string `json:"answer,omitempty"`
}

// IdempotencyRecord remembers an Idempotency-Key for 24 hours. Its name is a UUIDv5 of workspace and key. The facade creates
// it; the controller deletes it.
// +kubebuilder:object:root=true
// +kubebuilder:printcolumn:name="Operation",type=string,JSONPath=`.spec.operation`
// +kubebuilder:printcolumn:name="Object",type=string,JSONPath=`.spec.object`
// +kubebuilder:printcolumn:name="UID",type=string,JSONPath=`.spec.objectUID`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type IdempotencyRecord struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is that of every object of Kubernetes.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec describes the request.
	// +required
	Spec IdempotencyRecordSpec `json:"spec,omitempty,omitzero"`
}

// Complete names the object that the operation has created. The annotation UIDAnnotation tells the record from one that is
// restored from a backup, and that names an object of before.
func (r *IdempotencyRecord) Complete(object types.UID) {
	r.Spec.ObjectUID = string(object)
	metav1.SetMetaDataAnnotation(&r.ObjectMeta, v1alpha1.UIDAnnotation, string(r.UID))
}

// AnswerBytesAnnotation on a record is the size of its answer, for programs that read its metadata alone.
const AnswerBytesAnnotation = "pressroom.dev/answer-bytes"

// answerUnit is how many bytes of an answer count as a record.
const answerUnit = 1 << 10

// Keep adds the answer that a repeat gets; none if it is empty.
func (r *IdempotencyRecord) Keep(answer string) {
	r.Spec.Answer = answer
	if answer != "" {
		metav1.SetMetaDataAnnotation(&r.ObjectMeta, AnswerBytesAnnotation, strconv.Itoa(len(answer)))
	}
}

// CountOfAnswer returns as how many records the answer of one counts, beside the record itself.
func CountOfAnswer(bytes int) int64 { return int64(bytes / answerUnit) }

// CountOf returns as how many records one counts, by its metadata.
func CountOf(record metav1.Object) int64 {
	bytes, _ := strconv.Atoi(record.GetAnnotations()[AnswerBytesAnnotation])
	return 1 + CountOfAnswer(max(bytes, 0))
}

// IdempotencyRecordList is a list of records.
// +kubebuilder:object:root=true
type IdempotencyRecordList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []IdempotencyRecord `json:"items"`
}
