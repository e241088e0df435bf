//go:build e2e

package docs

func contributing() page {
	return page{
		file: "CONTRIBUTING.md",
		notHere: map[string]string{
			"make run":  "stays until Ctrl-C. This suite runs on what it starts",
			"make demo": "hack/dev/system/whole_test.go does the same on a system that runs",
			"make test": "it would run itself",
		},
	}
}
