{{/*
An object of the chart, as a document. Each object goes through here, so that all have the labels of the chart and commonLabels. A label
that the manifest has itself stays, and no selector changes. Arguments: root, object.
*/}}
{{- define "pressroom.object" -}}
{{- $labels := include "pressroom.labels" .root | fromYaml }}
{{- $_ := set .object.metadata "labels" (merge (dict) (.object.metadata.labels | default dict) $labels .root.Values.commonLabels) -}}
---
{{ toYaml .object }}
{{ end }}

{{/*
The labels of every object. A label has at most 63 characters, a tag of an image 128. Argument: root.
*/}}
{{- define "pressroom.labels" -}}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/part-of: pressroom
app.kubernetes.io/version: {{ include "pressroom.version" . | trunc 63 | trimAll "-_." | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" | quote }}
{{- end }}

{{/*
The version of the programs: the tag of the image. Argument: root.
*/}}
{{- define "pressroom.version" -}}
{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/*
The labels that select what a program has. Argument: its name.
*/}}
{{- define "pressroom.names" -}}
app.kubernetes.io/name: pressroom
app.kubernetes.io/component: {{ . }}
{{- end }}

{{/*
The objects of a manifest of config as a list, in the namespace of the release. Arguments: root, file.
*/}}
{{- define "pressroom.read" -}}
{{- $objects := list }}
{{- range .root.Files.Get .file | replace "pressroom-system" .root.Release.Namespace | splitList "\n---\n" }}
{{- $objects = append $objects (fromYaml .) }}
{{- end }}
{{- toYaml $objects }}
{{- end }}

{{/*
The manifests of a folder of config. Arguments: root, folder.
*/}}
{{- define "pressroom.folder" -}}
{{- range $path, $_ := .root.Files.Glob (printf "files/%s/*.yaml" .folder) }}
{{- range $object := include "pressroom.read" (dict "root" $.root "file" $path) | fromYamlArray }}
{{ include "pressroom.object" (dict "root" $.root "object" $object) }}
{{- end }}
{{- end }}
{{- end }}

{{/*
Sets fields of an object, and renders nothing. What is an object in both keeps its other fields. Arguments: into, from.
*/}}
{{- define "pressroom.set" -}}
{{- range $field, $value := .from }}
{{- $old := get $.into $field }}
{{- if and (kindIs "map" $value) (kindIs "map" $old) }}
{{- include "pressroom.set" (dict "into" $old "from" $value) }}
{{- else }}
{{- $_ := set $.into $field $value }}
{{- end }}
{{- end }}
{{- end }}
