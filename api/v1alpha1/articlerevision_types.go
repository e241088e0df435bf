package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// MaxMarkdownBytes bounds the Markdown body of an article, in bytes of UTF-8.
const MaxMarkdownBytes = 262144

// RevisionSource is the origin of a revision's text.
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=64
// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-9]*$`
type RevisionSource string

// The sources of a revision.
const (
	// SourceGenerated is a run of a generator, without anything of the author's.
	SourceGenerated RevisionSource = "Generated"
	// SourceWritten is the author's spec.content: the whole text, or fields that lie over a generated one.
	SourceWritten RevisionSource = "Written"
)

// FAQ is one question with its answer.
type FAQ struct {
	// question in plain text, at most 500 characters.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=500
	Question string `json:"question,omitempty"`

	// answer in plain text, at most 5000 characters.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=5000
	Answer string `json:"answer,omitempty"`
}

// ArticleRevisionSpec is one state of an article's content. It never changes.
// +kubebuilder:validation:XValidation:rule="size(bytes(self.markdown)) <= 262144",message="markdown must be at most 262144 bytes",fieldPath=".markdown"
// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="a revision may not change: another one is made instead"
type ArticleRevisionSpec struct {
	// articleRef names the article that the revision belongs to.
	// +required
	ArticleRef LocalReference `json:"articleRef,omitempty,omitzero"`

	// number counts the revisions of an article from 1. The highest is the current one.
	// +required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000000
	Number int64 `json:"number,omitempty"`

	// source of the text.
	// +required
	Source RevisionSource `json:"source,omitempty"`

	// digest is "sha256:" and the hex SHA-256 of the content, which an approval names.
	// +required
	// +kubebuilder:validation:MinLength=71
	// +kubebuilder:validation:MaxLength=71
	// +kubebuilder:validation:Pattern=`^sha256:[0-9a-f]{64}$`
	Digest string `json:"digest,omitempty"`

	// title of the article, at most 300 characters.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=300
	Title string `json:"title,omitempty"`

	// slug that the author or the generator proposes. The slug in use is in the article's status.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=100
	Slug string `json:"slug,omitempty"`

	// metaTitle for the HTML title element, at most 300 characters.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=300
	MetaTitle string `json:"metaTitle,omitempty"`

	// metaDescription for the meta description element, at most 1000 characters.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1000
	MetaDescription string `json:"metaDescription,omitempty"`

	// faq holds questions and answers, which are not part of the body.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=50
	FAQ []FAQ `json:"faq,omitempty"`

	// language of the text as a BCP 47 tag.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=35
	Language string `json:"language,omitempty"`

	// markdown is the body as CommonMark with GitHub's tables, without the title, at most 262144 bytes.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=262144
	Markdown string `json:"markdown,omitempty"`

	// scores of the content.
	// +required
	Scores Scores `json:"scores,omitempty,omitzero"`

	// generator describes what wrote a generated text.
	// +optional
	Generator *GeneratorRecord `json:"generator,omitempty"`
}

// Scores rate a revision by named checks. Each check is a line of passed, failed or notApplicable: its group and its name, the points that
// it gives of the most that it can give, and what was found, such as "SEO/text-length 9/9: the text has 812 words". The groups are
// SEO, Readability, Style, Site and Gate, whose checks have no points. A line costs kube-apiserver a third of what a map of its parts
// does.
type Scores struct {
	// seoScore is 0 to 100: 100 times the points of the group SEO, divided by 9 times the number of its checks that apply, rounded.
	// +required
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	SEOScore int32 `json:"seoScore"`

	// readabilityScore is the score of the group Readability, made as seoScore is. It is unset if none of the checks applies.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	ReadabilityScore *int32 `json:"readabilityScore,omitempty"`

	// styleScore is the score of the group Style, made as seoScore is. It is unset if none of the checks applies.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	StyleScore *int32 `json:"styleScore,omitempty"`

	// siteScore is the score of the group Site, made as seoScore is. It is unset if none of the checks applies.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	SiteScore *int32 `json:"siteScore,omitempty"`

	// passed are the checks that the text passes. Some of them could give more points.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=400
	// +kubebuilder:validation:items:Pattern=`^[A-Z][A-Za-z]*/[a-z0-9-]+( -?[0-9]+/[0-9]+)?: `
	Passed []string `json:"passed,omitempty"`

	// failed are the checks that the text fails. What was found also says what is required.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=400
	// +kubebuilder:validation:items:Pattern=`^[A-Z][A-Za-z]*/[a-z0-9-]+( -?[0-9]+/[0-9]+)?: `
	Failed []string `json:"failed,omitempty"`

	// notApplicable are the checks that have nothing to look at in the text. They do not count, and have no points.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=400
	// +kubebuilder:validation:items:Pattern=`^[A-Z][A-Za-z]*/[a-z0-9-]+( -?[0-9]+/[0-9]+)?: `
	NotApplicable []string `json:"notApplicable,omitempty"`
}

// GeneratorRecord describes what wrote a text and the tokens that it took.
type GeneratorRecord struct {
	// type of the backend.
	// +required
	Type GeneratorType `json:"type,omitempty"`

	// model that answered, as the endpoint named it; empty for BuiltIn.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=200
	Model string `json:"model,omitempty"`

	// inputTokens that the endpoint counted over all turns.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000000000
	InputTokens int64 `json:"inputTokens,omitempty"`

	// outputTokens that the endpoint counted over all turns.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000000000
	OutputTokens int64 `json:"outputTokens,omitempty"`

	// cachedTokens are those of inputTokens in the attempt that wrote the text which the endpoint had in its cache.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000000000
	CachedTokens int64 `json:"cachedTokens,omitempty"`

	// cost of these tokens, by the prices of the generator when they were used. Cached tokens of attempts that did not write the text count
	// as others do. Absent if there were no prices.
	// +optional
	Cost *Cost `json:"cost,omitempty"`

	// turns are the questions to the model in the attempt that wrote the text.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000
	Turns int32 `json:"turns,omitempty"`

	// repairs are those of the turns that asked for a part again, because of what the checks had found.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000
	Repairs int32 `json:"repairs,omitempty"`

	// promptVersion names the prompts of Pressroom that were used; empty for BuiltIn.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=32
	PromptVersion string `json:"promptVersion,omitempty"`
}

// Cost is what tokens cost. It is shown, and nothing is charged by it.
type Cost struct {
	// amount as a decimal number with 6 digits behind the point, rounded down.
	// +required
	// +kubebuilder:validation:MaxLength=20
	// +kubebuilder:validation:Pattern=`^[0-9]+\.[0-9]{6}$`
	Amount string `json:"amount,omitempty"`

	// currency of the amount, as an ISO 4217 code.
	// +required
	// +kubebuilder:validation:MaxLength=3
	// +kubebuilder:validation:Pattern=`^[A-Z]{3}$`
	Currency string `json:"currency,omitempty"`
}

// ArticleRevision is an immutable state of an article's content: what a reviewer approves and what is published. HTML is
// derived from it and never stored.
// +kubebuilder:object:root=true
// +kubebuilder:resource:shortName=artrev,categories=pressroom
// +kubebuilder:printcolumn:name="Article",type=string,JSONPath=`.spec.articleRef.name`
// +kubebuilder:printcolumn:name="Number",type=integer,JSONPath=`.spec.number`
// +kubebuilder:printcolumn:name="Source",type=string,JSONPath=`.spec.source`
// +kubebuilder:printcolumn:name="Score",type=integer,JSONPath=`.spec.scores.seoScore`
// +kubebuilder:printcolumn:name="Title",type=string,JSONPath=`.spec.title`
// +kubebuilder:printcolumn:name="Model",type=string,JSONPath=`.spec.generator.model`,priority=1
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:selectablefield:JSONPath=`.spec.articleRef.name`
// +kubebuilder:selectablefield:JSONPath=`.spec.source`
type ArticleRevision struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec is the content. It is one field to server-side apply, because it never changes.
	// +required
	// +structType=atomic
	Spec ArticleRevisionSpec `json:"spec,omitempty,omitzero"`
}

// ArticleRevisionList is a list of revisions.
// +kubebuilder:object:root=true
type ArticleRevisionList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []ArticleRevision `json:"items"`
}
