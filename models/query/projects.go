package query

import (
	"slices"
	"time"

	"pgtower/models"
	"pgtower/models/record"
)

// Projects returns the fields of a project's record. text formats a value as the screen shows it; further are more words of
// is:.
func Projects(
	pinned func(*models.Project) bool, text func(record.Kind, record.Value) string,
	further ...Word[*models.Project],
) []Field[*models.Project] {
	type project = *models.Project
	return slices.Concat(
		Of(models.ProjectFields(), text, "name", "id", "organization", "region", "platform", "provisioner", "host", "pg",
			"limit", "cpu", "created", "updated", "permission"),
		agesOf(func(p project) time.Time { return p.CreatedAt }),
		[]Field[project]{Words("is", append(further,
			Is("locked", func(p project, _ time.Time) bool { return p.Locked.Value }),
			Is("pinned", func(p project, _ time.Time) bool { return pinned(p) }))...)},
	)
}
