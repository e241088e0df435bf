package page

import (
	"net/http"
	"slices"

	"github.com/pressroom-dev/pressroom/apiserver/rest/brief"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// BriefSelect is the data of a field in which a brief is chosen.
type BriefSelect struct {
	// None says what an empty choice means.
	None string
	// Chosen is the uid of the brief that is chosen; empty for none.
	Chosen string
	Briefs []brief.BriefName
}

// BriefSelect returns the field in which a brief of the workspace is chosen. A person who may write and not read has none to choose from.
func (v *Visit) BriefSelect(none, chosen string) (BriefSelect, error) {
	out, err := Call(v, brief.ListNames, operation.InWorkspace{})
	if IsStatus(err, http.StatusForbidden) {
		err = nil
	}
	return BriefSelect{None: none, Chosen: chosen, Briefs: out.Body.Data}, err
}

// Offered reports whether there is something to choose.
func (s BriefSelect) Offered() bool { return len(s.Briefs) > 0 || s.Chosen != "" }

// Gone reports whether the brief that is chosen does not exist.
func (s BriefSelect) Gone() bool {
	return s.Chosen != "" && !slices.ContainsFunc(s.Briefs, func(b brief.BriefName) bool { return b.UID == s.Chosen })
}

// Name is that of the brief that is chosen; empty if none is, or if it does not exist.
func (s BriefSelect) Name() string {
	for _, b := range s.Briefs {
		if b.UID == s.Chosen {
			return b.Name
		}
	}
	return ""
}
