package site

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish/siteform"
)

// CMSTypeList is the answer of list-cms-types.
type CMSTypeList struct {
	operation.Envelope
	Data []CMSForm `json:"data" doc:"What the answer is about."`
}

// CMSForm is a type of CMS, and what its sites need to be connected.
type CMSForm struct {
	CMSType     CMSType    `json:"cms_type"`
	Label       string     `json:"label" doc:"For people." example:"Webhook"`
	Help        string     `json:"help" doc:"For people."`
	Publishable bool       `json:"publishable" doc:"Whether articles can be published to such sites. Sites of the type none read theirs."`
	Testable    bool       `json:"testable" doc:"Whether test-site can test them."`
	Fields      []CMSField `json:"fields" doc:"What must be entered."`
}

// CMSType is a type of CMS, in lower case.
type CMSType string

// Schema describes a CMSType: those that sites can be connected to.
func (CMSType) Schema(huma.Registry) *huma.Schema {
	out := &huma.Schema{Type: huma.TypeString}
	for _, form := range connectors.Forms() {
		out.Enum = append(out.Enum, lower(form.Type))
	}
	return out
}

// CMSField is one member of connection in create-site and update-site.
type CMSField struct {
	Name      string   `json:"name" doc:"Name, by which people know it." example:"url"`
	Label     string   `json:"label" doc:"For people."`
	Help      string   `json:"help" doc:"For people: what must be entered."`
	Pattern   string   `json:"pattern" doc:"Regular expression that the value must match; empty for any."`
	MaxLength int      `json:"max_length" doc:"In characters."`
	Required  bool     `json:"required" doc:"Whether it must be entered."`
	Options   []string `json:"options" doc:"All possible values, if they are few."`
	Secret    bool     `json:"secret" doc:"Whether the value is stored in a Secret and never shown again."`
	Generated bool     `json:"generated" doc:"Whether a value is made, and shown once, if it is left out."`
}

// ListCMSTypes lists the types of CMS.
var ListCMSTypes = operation.Operation[struct{}, operation.Output[CMSTypeList]]{
	ID: "list-cms-types", Method: http.MethodGet, Path: "/v1/api/cms-types", Tag: operation.TagSites, Scope: v1alpha1.ScopeManage,
}

func (s *service) listCMSTypes(context.Context, *operation.Call, *struct{}) (*operation.Output[CMSTypeList], error) {
	out := operation.Answer(CMSTypeList{Envelope: operation.Succeeded, Data: []CMSForm{}})
	for _, form := range connectors.Forms() {
		out.Body.Data = append(out.Body.Data, presentForm(form))
	}
	return out, nil
}

func presentForm(f siteform.Form) CMSForm {
	site := &v1alpha1.Site{Spec: v1alpha1.SiteSpec{CMS: v1alpha1.SiteCMS{Type: f.Type}}}
	out := CMSForm{
		CMSType: CMSType(lower(f.Type)), Label: f.Label, Help: f.Help, Fields: []CMSField{},
		Publishable: connectors.ModeOf(site) != lifecycle.Unsupported, Testable: connectors.TesterFor(site) != nil,
	}
	for _, x := range f.Fields {
		out.Fields = append(out.Fields, CMSField{
			Name: x.Name, Label: x.Label, Help: x.Help, Pattern: x.Pattern(), MaxLength: x.MaxLength, Required: x.Required,
			Options: append([]string{}, x.Options...), Secret: x.Secret != "", Generated: x.Generated,
		})
	}
	return out
}

// ConnectionFields are the fields of a connection by their names.
type ConnectionFields map[string]string

// Schema describes ConnectionFields, which has the fields of all types.
func (ConnectionFields) Schema(huma.Registry) *huma.Schema {
	out := &huma.Schema{
		Type: huma.TypeObject, AdditionalProperties: false, Properties: map[string]*huma.Schema{},
		Description: "How the site is connected: the fields that list-cms-types has for its cms_type.",
		Examples:    []any{map[string]any{"url": "https://blog.example.com/hooks/pressroom", "payload_format": "json"}},
	}
	for _, form := range connectors.Forms() {
		for _, x := range form.Fields {
			property := out.Properties[x.Name]
			if property == nil {
				property = &huma.Schema{Type: huma.TypeString, MaxLength: new(0), WriteOnly: x.Secret != ""}
				out.Properties[x.Name] = property
			}
			property.MaxLength = new(max(*property.MaxLength, x.MaxLength))
			property.Description = strings.TrimSpace(property.Description + " " + lower(form.Type) + ": " + x.Help)
		}
	}
	return out
}

// ConnectionUpdate are fields of a connection that change. Null, like an empty text, removes a value.
type ConnectionUpdate map[string]string

// Schema describes a ConnectionUpdate.
func (ConnectionUpdate) Schema(r huma.Registry) *huma.Schema {
	out := ConnectionFields{}.Schema(r)
	for _, property := range out.Properties {
		property.Nullable = true
	}
	return out
}
