{{/*
The manifests of a folder of config, in the namespace of the release. Arguments: root, folder.
*/}}
{{- define "pressroom.manifests" -}}
{{- range $path, $_ := .root.Files.Glob (printf "files/%s/*.yaml" .folder) }}
---
{{ include "pressroom.manifest" (dict "root" $.root "file" $path) }}
{{- end }}
{{- end }}

{{/*
One manifest of config as it is, in the namespace of the release. Arguments: root, file.
*/}}
{{- define "pressroom.manifest" -}}
{{ .root.Files.Get .file | replace "pressroom-system" .root.Release.Namespace }}
{{- end }}

{{/*
The documents of a manifest with labels of their own. Arguments: root, file, labels.
*/}}
{{- define "pressroom.labeled" -}}
{{- range $text := include "pressroom.manifest" . | splitList "\n---\n" }}
{{- $object := fromYaml $text }}
{{- if $.labels }}
{{- $_ := set $object.metadata "labels" (merge (dict) $.labels ($object.metadata.labels | default dict)) }}
{{- end }}
---
{{ toYaml $object }}
{{- end }}
{{- end }}
