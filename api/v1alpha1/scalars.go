package v1alpha1

// The strings and numbers that several kinds have, with their bounds.
type (
	// ObjectName is the name of an object of Kubernetes.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	ObjectName = string

	// NamespaceName is the name of a workspace.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	NamespaceName = string

	// UID is the metadata.uid of an object.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	UID = string

	// UUID is a UUID.
	// +kubebuilder:validation:MinLength=36
	// +kubebuilder:validation:MaxLength=36
	UUID = string

	// Digest is "sha256:" and the hex SHA-256 of a content.
	// +kubebuilder:validation:MinLength=71
	// +kubebuilder:validation:MaxLength=71
	// +kubebuilder:validation:Pattern=`^sha256:[0-9a-f]{64}$`
	Digest = string

	// SHA256 is a hash in lower-case hex.
	// +kubebuilder:validation:MinLength=64
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[0-9a-f]{64}$`
	SHA256 = string

	// ShortText is a line such as a display name.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=200
	ShortText = string

	// TitleText is a title.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=300
	TitleText = string

	// CategoryName is the name of a category.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=100
	// +kubebuilder:validation:Pattern=`^\S+( \S+)*$`
	CategoryName = string

	// AuthorName is the name of an author of a Site.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=100
	// +kubebuilder:validation:Pattern=`^\S+( \S+)*$`
	AuthorName = string

	// HTTPSURL is the address of a page.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=2048
	// +kubebuilder:validation:Pattern=`^https://[!-~]+$`
	HTTPSURL = string

	// ImageURL is the address of an image.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=2048
	// +kubebuilder:validation:Pattern=`^https?://[!-~]+$`
	ImageURL = string

	// ImageText is a text about an image.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=300
	// +kubebuilder:validation:Pattern=`\S`
	ImageText = string

	// Pixels are the width or the height of an image.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100000
	Pixels = int32

	// Price is a decimal number below 1000.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=10
	// +kubebuilder:validation:Pattern=`^[0-9]{1,3}(\.[0-9]{1,6})?$`
	Price = string

	// Currency is an ISO 4217 code.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=3
	// +kubebuilder:validation:Pattern=`^[A-Z]{3}$`
	Currency = string

	// WebflowFieldSlug names a field of a Webflow collection.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=100
	WebflowFieldSlug = string

	// RevisionNumber counts the revisions of an article from 1.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000000
	RevisionNumber = int32

	// TokenCount counts the tokens of a run.
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000000000
	TokenCount = int64

	// Score is 0 to 100.
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	Score = int32

	// Count counts credits, tokens or objects.
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000000000000
	Count = int64
)
