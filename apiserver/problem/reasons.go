package problem

import (
	"errors"

	"github.com/danielgtaylor/huma/v2"
)

// Reason says which conflict it is, or which limit is reached, for programs: what a program does next differs.
type Reason string

// The reasons of CONFLICT. Later versions may add some.
const (
	// ReasonTextChanged means that the text is not the one that the request names: read that of `current_digest`, and decide again.
	ReasonTextChanged Reason = "text_changed"
	// ReasonNotReady means that the request needs something that is being made, such as the text: try again in a moment.
	ReasonNotReady Reason = "not_ready"
	// ReasonWrongState means that the object is in a state that does not allow it.
	ReasonWrongState Reason = "wrong_state"
	// ReasonInProgress means that the same is being done already: wait.
	ReasonInProgress Reason = "in_progress"
	// ReasonChangedMeanwhile means that somebody changed the object at the same time: read it, and try again.
	ReasonChangedMeanwhile Reason = "changed_meanwhile"
	// ReasonApprovalRequired means that the text must be approved first.
	ReasonApprovalRequired Reason = "approval_required"
	// ReasonUpdatesFrozen means that what is published no longer changes.
	ReasonUpdatesFrozen Reason = "updates_frozen"
	// ReasonSuspended means that the object is suspended: resume it first.
	ReasonSuspended Reason = "suspended"
	// ReasonSettingsChanged means that a person has changed the settings meanwhile: look at them, and try again.
	ReasonSettingsChanged Reason = "settings_changed"
	// ReasonManaged means that a manifest sets it, such as one in Git: change the manifest.
	ReasonManaged Reason = "managed_by_manifest"
	// ReasonNotSupported means that objects of this type do not have it.
	ReasonNotSupported Reason = "not_supported"
	// ReasonAmbiguous means that several workspaces have such an object: name one in `x-workspace-id`.
	ReasonAmbiguous Reason = "ambiguous"
	// ReasonKeyReused means that the Idempotency-Key was used for another request: take another key.
	ReasonKeyReused Reason = "idempotency_key_reused"
	// ReasonSecretShown means that an earlier request with the Idempotency-Key showed the secret: if you have lost it, rotate it.
	ReasonSecretShown Reason = "secret_already_shown"
	// ReasonGone means that what an earlier request with the Idempotency-Key created does not exist anymore.
	ReasonGone Reason = "gone"
	// ReasonNameTaken means that another object has the name: choose another one.
	ReasonNameTaken Reason = "name_taken"
	// ReasonRefused means that a rule of the installation refuses the object: read the message.
	ReasonRefused Reason = "refused"
)

// Reasons are all reasons, as the OpenAPI document lists them.
var Reasons = []Reason{
	ReasonTextChanged, ReasonNotReady, ReasonWrongState, ReasonInProgress, ReasonChangedMeanwhile, ReasonApprovalRequired,
	ReasonUpdatesFrozen, ReasonSuspended, ReasonSettingsChanged, ReasonManaged, ReasonNotSupported, ReasonAmbiguous, ReasonKeyReused,
	ReasonSecretShown, ReasonGone, ReasonNameTaken, ReasonRefused,
	ReasonRequests, ReasonGenerateMinute, ReasonGenerateDay, ReasonGenerateKeyDay, ReasonBudgetReached, ReasonGenerateConcurrent,
	ReasonUnknownObjects, ReasonBodies,
	ReasonWrittenBytes, ReasonAccountLimit, ReasonWorkspaceQuota,
}

// Schema describes a Reason: the framework calls it.
func (Reason) Schema(huma.Registry) *huma.Schema {
	const description = "Which CONFLICT it is, or which limit is reached, for programs; absent with other codes. Later versions may add " +
		"reasons."
	return enumOf(description, ReasonTextChanged, Reasons)
}

// TextChanged is the answer to a request about a text that is not the current one.
func TextChanged(current string) *APIError {
	e := Conflict(ReasonTextChanged, "the text has changed: its revision_digest is now "+current)
	e.Problem.CurrentDigest = current
	return e
}

// KeyReused is the answer to a request with the Idempotency-Key of another one. The details name the fields in which they differ.
func KeyReused(details ...ErrorDetail) *APIError {
	return Conflict(ReasonKeyReused, "the Idempotency-Key was used for another request", details...)
}

// SecretShown is the answer to a repeat of a request that made a secret. It names the object by the field that has its id in answers.
func SecretShown(what, field, id, next string) *APIError {
	return Conflict(ReasonSecretShown,
		"the secret of the "+what+" "+id+" was shown once, in the answer to the first request with this Idempotency-Key: "+next,
		ErrorDetail{Field: field, Code: DetailInvalid, Message: id})
}

// IsSecretShown reports whether an error is a SecretShown.
func IsSecretShown(err error) bool {
	e, ok := errors.AsType[*APIError](err)
	return ok && e.Problem.Reason == ReasonSecretShown
}
