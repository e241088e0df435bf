package rest

import (
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

const formType = "application/x-www-form-urlencoded"

// TokenRequest documents the requests to the token endpoint.
type TokenRequest struct {
	_ struct{} `additionalProperties:"true"`

	GrantType    string `json:"grant_type" enum:"authorization_code"`
	Code         string `json:"code" doc:"The code of the redirect, at most 10 minutes old. It is exchanged once."`
	RedirectURI  string `json:"redirect_uri" doc:"Where the code was sent, byte for byte. It must still be registered."`
	ClientID     string `json:"client_id,omitempty" doc:"Required if the header Authorization does not have it."`
	ClientSecret string `json:"client_secret,omitempty" doc:"Required of confidential apps, if the header Authorization does not have it."`
	CodeVerifier string `json:"code_verifier,omitempty" doc:"Required if the authorization request had a code_challenge."`
}

// AboutToken documents the requests to the endpoints for revoking and introspecting a token.
type AboutToken struct {
	_ struct{} `additionalProperties:"true"`

	Token        string `json:"token"`
	ClientID     string `json:"client_id,omitempty" doc:"Required if the header Authorization does not have it."`
	ClientSecret string `json:"client_secret,omitempty" doc:"Required of confidential apps, if the header Authorization does not have it."`
}

// OAuthFailure documents the errors of OAuth.
type OAuthFailure struct {
	Error       string `json:"error" example:"invalid_grant" doc:"As RFC 6749, section 5.2, has it."`
	Description string `json:"error_description,omitempty"`
}

// documentOAuth adds the endpoints that OAuth clients call. They are not operations of the framework: they also read forms, and
// their errors are those of RFC 6749.
func documentOAuth(document *huma.OpenAPI) {
	document.AddOperation(endpoint(document, huma.Operation{
		Path: oauth.TokenPath, OperationID: "exchange-code", Summary: "Exchange a code for a token",
		Description: "Exchanges the code of a consent for an access token, once. A second valid use is refused and revokes the token. " +
			"An app that lost the answer asks for consent again.",
	}, reflect.TypeFor[TokenRequest](), reflect.TypeFor[oauth.TokenAnswer]()))
	document.AddOperation(endpoint(document, huma.Operation{
		Path: oauth.RevokePath, OperationID: "revoke-token", Summary: "Revoke a token",
		Description: "Ends a token of the app (RFC 7009). A token that does not work any more counts as revoked.",
	}, reflect.TypeFor[AboutToken](), nil))
	document.AddOperation(endpoint(document, huma.Operation{
		Path: oauth.IntrospectPath, OperationID: "introspect-token", Summary: "Look at a token",
		Description: "Describes a token of a confidential app to that app (RFC 7662). Any other token is not active.",
	}, reflect.TypeFor[AboutToken](), reflect.TypeFor[oauth.Introspection]()))
}

// endpoint completes the documentation of an endpoint. It needs no API key: the client authenticates in the request.
func endpoint(document *huma.OpenAPI, op huma.Operation, in, out reflect.Type) *huma.Operation {
	schema := func(t reflect.Type) *huma.Schema { return document.Components.Schemas.Schema(t, true, t.Name()) }
	op.Method, op.Tags, op.DefaultStatus = http.MethodPost, []string{tagOAuth}, http.StatusOK
	op.Security = []map[string][]string{{}, {basicScheme: {}}}
	op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
		problem.ContentType: {Schema: schema(in)}, formType: {Schema: schema(in)},
	}}
	done := &huma.Response{Description: "OK"}
	if out != nil {
		done.Content = map[string]*huma.MediaType{problem.ContentType: {Schema: schema(out)}}
	}
	failed := map[string]*huma.MediaType{problem.ContentType: {Schema: schema(reflect.TypeFor[OAuthFailure]())}}
	op.Responses = map[string]*huma.Response{
		"200": done,
		"400": {Description: "invalid_request, invalid_grant, unauthorized_client or unsupported_grant_type.", Content: failed},
		"401": {Description: "invalid_client: the app is unknown, or its secret is missing or wrong.", Content: failed},
		"500": {Description: "server_error.", Content: failed},
		"503": {Description: "temporarily_unavailable: try again.", Content: failed},
	}
	return &op
}
