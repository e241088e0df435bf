package review

import (
	"encoding/json"
	"fmt"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// keptAnswer is what is kept of an answer for repeats. Its names are those of BulkAnswer.
type keptAnswer struct {
	Data []keptResult `json:"data"`
	// RequestID is the id of the request, once for all its errors.
	RequestID string `json:"request_id,omitempty"`
}

// keptResult is what has become of the article in the same place of the request, which has its uid.
type keptResult struct {
	Status  string       `json:"status,omitempty"`
	Problem *keptProblem `json:"error,omitempty"`
}

// keptProblem says how an operation failed, without details.
type keptProblem struct {
	Status        int            `json:"status"`
	Code          problem.Code   `json:"code"`
	Reason        problem.Reason `json:"reason,omitempty"`
	Message       string         `json:"message"`
	CurrentDigest string         `json:"current_digest,omitempty"`
}

// keepResults returns what is kept of an answer; nil if nothing was done, so that a repeat tries again.
func keepResults(out *operation.Output[BulkAnswer]) any {
	if out.Body.Done == 0 {
		return nil
	}
	kept := keptAnswer{Data: make([]keptResult, len(out.Body.Data))}
	for i, result := range out.Body.Data {
		kept.Data[i].Status = result.Status
		if p := result.Problem; p != nil {
			kept.RequestID = p.RequestID
			kept.Data[i].Problem = &keptProblem{p.Status, p.Code, p.Reason, p.Message, p.CurrentDigest}
		}
	}
	return kept
}

// restoreResults returns the answer of which something was kept, to a repeat of the request.
func restoreResults(items []BulkItem, answer []byte) (*operation.Output[BulkAnswer], error) {
	var kept keptAnswer
	if err := json.Unmarshal(answer, &kept); err != nil {
		return nil, fmt.Errorf("reading an answer that was kept: %w", err)
	}
	if len(kept.Data) != len(items) {
		return nil, fmt.Errorf("an answer that was kept is about %d articles, and its request about %d", len(kept.Data), len(items))
	}
	out := BulkAnswer{Envelope: operation.Succeeded, Data: make([]BulkResult, len(items))}
	for i, result := range kept.Data {
		out.Data[i] = BulkResult{UID: items[i].UID, Done: result.Problem == nil, Status: result.Status}
		if p := result.Problem; p != nil {
			failed := problem.New(p.Status, p.Code, p.Message).For(kept.RequestID).Problem
			failed.Reason, failed.CurrentDigest = p.Reason, p.CurrentDigest
			out.Data[i].Problem = &failed
		}
	}
	return operation.Answer(counted(out)), nil
}
