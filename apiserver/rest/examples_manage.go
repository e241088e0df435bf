package rest

import "github.com/pressroom-dev/pressroom/internal/connectors"

// managingExamples are those of the operations that need the scope manage, by operation.
func managingExamples(site SiteAnswer) map[string]any {
	settings := SiteSettingsAnswer{
		SiteAnswer:       site,
		ConnectionFields: map[string]string{"url": "https://blog.example.com/hooks/pressroom", "payload_format": "json"},
	}
	made := settings
	made.SigningSecret = "made-and-shown-once"
	key := Key{
		ID: "aa3kq2vxw5ntb6ha", Name: "newsletter tool", Scopes: []string{"read", "write"}, Workspaces: []string{}, Status: "valid",
		CreatedAt: exampleTime, CreatedBy: "mara@acme.example",
	}
	forms := CMSTypeList{Envelope: succeeded, Data: []CMSForm{}}
	for _, form := range connectors.Forms() {
		if form.Generated() != "" {
			forms.Data = append(forms.Data, presentForm(form))
		}
	}
	return map[string]any{
		"create-site": made, "edit-site": settings, "get-site-settings": settings, "list-cms-types": forms,
		"list-keys":  KeyList{Envelope: succeeded, Data: []Key{key}},
		"create-key": MadeKey{Envelope: succeeded, Key: key, Secret: "pr_ak_aa3kq2vxw5ntb6ha_..."},
	}
}
