//go:build e2e

package docs

func backup() page {
	const where = "controllers/backup_test.go"
	return page{
		file: "docs/backup.md",
		sectionsElsewhere: map[string]string{
			"Back up with kubectl": where, "Restore with kubectl": where, "Velero": where, "Confirm a restore": where,
			"API keys and OAuth clients": where,
		},
	}
}
