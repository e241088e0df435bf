package wordpress

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish/cms"
)

// refusal is the body of the API's answer with a status of failure.
type refusal struct {
	Code string `json:"code"`
	Data struct {
		// Params are the parameters that are not valid. PHP writes an empty list for none.
		Params json.RawMessage `json:"params"`
	} `json:"data"`
}

// The sentences about credentials.
const (
	wrongCredentials = "WordPress does not accept the username and application password in the Secret"
	notLoggedIn      = "not logged in: check username and application password, and that the web server passes them on"
	noPasswords      = "application passwords are switched off in WordPress, by a plugin or for lack of https"
)

// failureOf returns the failure that an answer without the status of success means.
func failureOf(a cms.Answer) error {
	failure := cms.FailureOf(a, "WordPress")
	if failure.Class == v1alpha1.ErrorUnavailable || failure.Class == v1alpha1.ErrorRateLimited {
		return failure
	}
	var r refusal
	if !a.IsJSON() || a.Decode(&r) != nil {
		return notJSON(a)
	}
	switch {
	case r.Code == "rest_not_logged_in":
		return cms.Fail(v1alpha1.ErrorWrongCredentials, notLoggedIn)
	case r.Code == "application_passwords_disabled", r.Code == "application_passwords_disabled_for_user":
		return cms.Fail(v1alpha1.ErrorWrongCredentials, noPasswords)
	case slices.Contains([]string{"incorrect_password", "invalid_username", "invalid_email"}, r.Code):
		return cms.Fail(v1alpha1.ErrorWrongCredentials, wrongCredentials)
	case r.Code == "rest_invalid_author":
		return noAuthor()
	case r.Code == "rest_cannot_create" && a.Status == http.StatusBadRequest:
		return cms.Fail(v1alpha1.ErrorMissingPermission, "the WordPress user needs the permission upload_files: give it the role Author")
	case r.Code == "rest_no_route":
		return cms.Fail(v1alpha1.ErrorNotFound,
			"WordPress has no route for this: its REST API must be of version 2 and switched on")
	case r.Code == "rest_invalid_param":
		return invalid(r)
	case a.Status == http.StatusUnauthorized, a.Status == http.StatusForbidden:
		failure.Class = v1alpha1.ErrorMissingPermission
	}
	if code := cms.Name(r.Code); code != "" {
		failure.Message += ": " + code
	}
	return failure
}

// notJSON says who answered instead of the API.
func notJSON(a cms.Answer) error {
	switch a.Status {
	case http.StatusNotFound:
		return cms.Fail(v1alpha1.ErrorNotFound, "the web server does not serve the REST API: save the permalinks in WordPress again")
	case http.StatusRequestEntityTooLarge:
		return cms.Fail(v1alpha1.ErrorInvalidContent, "content: the web server does not accept a body of this length")
	}
	const message = "a page came instead of JSON (status %d): a plugin or a firewall answered in its place"
	return cms.Fail(v1alpha1.ErrorUnexpectedAnswer, message, a.Status)
}

// invalid names the first field, by name, that WordPress does not accept.
func invalid(r refusal) error {
	var params map[string]json.RawMessage
	if json.Unmarshal(r.Data.Params, &params) != nil || len(params) == 0 {
		return cms.Fail(v1alpha1.ErrorInvalidContent, "WordPress does not accept a field of the article")
	}
	var fields []string
	for field := range params {
		fields = append(fields, cms.Name(field))
	}
	return cms.Fail(v1alpha1.ErrorInvalidContent, "WordPress does not accept the field %s", slices.Min(fields))
}

func noAuthor() error {
	return cms.Fail(v1alpha1.ErrorNotFound, "WordPress has no user with the id that author names")
}

// isNotFound reports whether an error says that something does not exist.
func isNotFound(err error) bool {
	failure, ok := errors.AsType[*cms.Error](err)
	return ok && failure.Class == v1alpha1.ErrorNotFound
}
