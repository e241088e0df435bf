package docs

func articles() page {
	return page{
		file: "docs/articles.md",
		prepare: func(r *reader) {
			r.write("trail-shoes.yaml", r.yaml("name: trail-shoes"))
		},
	}
}
