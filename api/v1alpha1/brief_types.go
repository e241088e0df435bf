package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// BriefSpec is what a text may rest on.
// +kubebuilder:validation:MinProperties=1
type BriefSpec struct {
	// instructions say what the text is for and what it must have, 1 to 4000 characters. A model gets them as data: they change none of
	// the rules of Pressroom's prompts.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=4000
	Instructions string `json:"instructions,omitempty"`

	// facts that a text may state without a citation: at most 50 of 1 to 500 characters.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=50
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=500
	Facts []string `json:"facts,omitempty"`

	// sources that a text may cite: at most 10.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=10
	Sources []BriefSource `json:"sources,omitempty"`
}

// BriefSource is a text that articles may cite. Pressroom does not fetch its address.
type BriefSource struct {
	// name by which a model cites the source: a lower-case letter, then up to 30 lower-case letters, digits and hyphens. It is in no
	// published text.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=31
	// +kubebuilder:validation:Pattern=`^[a-z][a-z0-9-]{0,30}$`
	Name string `json:"name,omitempty"`

	// title of the source, 1 to 300 characters.
	// +required
	Title TitleText `json:"title,omitempty"`

	// url that citations of the source lead to. Without one, a citation keeps its words and has no link.
	// +optional
	URL HTTPSURL `json:"url,omitempty"`

	// text of the source, 1 to 16000 characters.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=16000
	Text string `json:"text,omitempty"`
}

// Brief is what articles may rest on: instructions, facts, and sources as text. An Article names it in spec.generate.briefRef, or its Site
// names it in spec.briefRef. A run reads it when its attempt begins; a changed Brief acts at the next run, and starts none.
// +kubebuilder:object:root=true
// +kubebuilder:resource:shortName=pbrief,categories=pressroom
// +kubebuilder:printcolumn:name="Source",type=string,JSONPath=`.spec.sources[0].title`
// +kubebuilder:printcolumn:name="Fact",type=string,JSONPath=`.spec.facts[0]`,priority=1
// +kubebuilder:printcolumn:name="Instructions",type=string,JSONPath=`.spec.instructions`,priority=1
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type Brief struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec is what the articles may rest on. It has at least one member.
	// +required
	Spec BriefSpec `json:"spec,omitempty,omitzero"`
}

// BriefList is a list of briefs.
// +kubebuilder:object:root=true
type BriefList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Brief `json:"items"`
}
