//go:build e2e

package docs

// Pages whose commands other tests run, with what they need: a clock that is stepped, or a model that answers as the page shows.

func delivery() page {
	const walk = "controllers/walk_test.go"
	return page{
		file:              "docs/delivery.md",
		sectionsElsewhere: map[string]string{"What became of an article": walk, "What became of an event": walk},
	}
}

func kubectlPlugin() page {
	return page{file: "docs/kubectl-plugin.md", sectionsElsewhere: map[string]string{"A tour": "cmd/kubectl-pressroom/kubectl_test.go"}}
}

func development() page {
	return page{
		file: "docs/development.md",
		notHere: map[string]string{
			"export GOCACHE=$(mktemp -d)": "a measurement of an hour, which runs all tests",
			"for step in":                 "the same",
			"rm -rf \"$GOCACHE\"":         "the same",
		},
	}
}
