package operation

import "github.com/danielgtaylor/huma/v2"

// The types of this file describe their own schemas: the framework calls Schema.

// SiteUID names a site in a request.
type SiteUID string

// Schema describes a SiteUID.
func (SiteUID) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString, Format: "uuid", Description: "uid of a site from list-sites.",
		Examples: []any{"0198f0a1-b2c3-7d4e-95f6-a7b8c9d0e1f2"},
	}
}

// IdempotencyKey makes a request one that may be repeated.
type IdempotencyKey string

// Schema describes an IdempotencyKey.
func (IdempotencyKey) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString, MinLength: new(1), MaxLength: new(255), Examples: []any{"order-4711"},
		Description: "For 24 hours, repeats with the same key and body create and change nothing, whatever has become of the object. " +
			"A repeat of a request that made a secret is a conflict that names what was made.",
	}
}

// UnmarshalText folds the uid to lower case, in which uids are compared.
func (uid *SiteUID) UnmarshalText(text []byte) error {
	*uid = SiteUID(foldUID(string(text)))
	return nil
}
