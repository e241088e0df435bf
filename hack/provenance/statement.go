package main

// statement is in the form of https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md.
type statement struct {
	Type          string     `json:"_type"`
	Subject       []resource `json:"subject"`
	PredicateType string     `json:"predicateType"`
	Predicate     predicate  `json:"predicate"`
}

// predicate is in the form of https://slsa.dev/spec/v1.0/provenance.
type predicate struct {
	BuildDefinition buildDefinition `json:"buildDefinition"`
	RunDetails      runDetails      `json:"runDetails"`
}

type buildDefinition struct {
	BuildType            string            `json:"buildType"`
	ExternalParameters   map[string]string `json:"externalParameters"`
	InternalParameters   map[string]string `json:"internalParameters"`
	ResolvedDependencies []resource        `json:"resolvedDependencies"`
}

type runDetails struct {
	Builder  resource `json:"builder"`
	Metadata metadata `json:"metadata"`
}

type metadata struct {
	StartedOn  string `json:"startedOn,omitempty"`
	FinishedOn string `json:"finishedOn"`
}

// resource is a builder, an input or an output.
type resource struct {
	ID          string            `json:"id,omitempty"`
	Name        string            `json:"name,omitempty"`
	URI         string            `json:"uri,omitempty"`
	Digest      map[string]string `json:"digest,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}
