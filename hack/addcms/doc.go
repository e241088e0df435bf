// Package addcms adds a CMS to a copy of the project, as docs/contributing/add-a-cms.md tells, and tests the copy.
package addcms
