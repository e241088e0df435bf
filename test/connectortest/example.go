package connectortest

import (
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish/siteform"
)

// Values returns an input for a form: the example of each required field, and secret for each secret field.
func Values(form siteform.Form, secret string) map[string]string {
	values := map[string]string{}
	for _, f := range form.Fields {
		switch {
		case f.Secret != "":
			values[f.Name] = secret
		case f.Example != "":
			values[f.Name] = f.Example
		}
	}
	return values
}

// Example returns the connection of a form's examples that names a Secret.
func Example(form siteform.Form, secretName string) v1alpha1.SiteCMS {
	entered, _ := form.Read(Values(form, ""), nil, secretName)
	return entered.CMS
}
