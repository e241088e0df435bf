// Package attempt is how answers of the REST API show requests to receivers: of articles, of events, and of tests.
package attempt
