{{/*
A Deployment of config with what the values change. Arguments: root; file, the manifest; values, those of the program; args, volumes
and mounts, which are added to its container.
*/}}
{{- define "pressroom.deployment" -}}
{{- $deployment := include "pressroom.manifest" . | fromYaml }}
{{- $_ := set $deployment.spec "replicas" .values.replicas }}
{{- if dig "autoscaling" "enabled" false .values }}
{{- $_ := unset $deployment.spec "replicas" }}
{{- end }}
{{- $metadata := $deployment.spec.template.metadata }}
{{- $_ := set $metadata "labels" (merge (dict) $metadata.labels .values.podLabels) }}
{{- $_ := set $metadata "annotations" (merge (dict) $metadata.annotations .values.podAnnotations) }}
{{- $pod := $deployment.spec.template.spec }}
{{- range $field := list "priorityClassName" "nodeSelector" "tolerations" "affinity" "topologySpreadConstraints" }}
{{- with index $.values $field }}
{{- $_ := set $pod $field . }}
{{- end }}
{{- end }}
{{- $secrets := list }}
{{- range .root.Values.image.pullSecrets }}
{{- $secrets = append $secrets (dict "name" .) }}
{{- end }}
{{- with $secrets }}
{{- $_ := set $pod "imagePullSecrets" . }}
{{- end }}
{{- with concat ($pod.volumes | default list) .volumes .values.extraVolumes }}
{{- $_ := set $pod "volumes" . }}
{{- end }}
{{- include "pressroom.container" (merge (dict "container" (first $pod.containers)) .) }}
{{- toYaml $deployment }}
{{- end }}

{{/*
Changes the container of a Deployment, and renders nothing. Arguments: container, and those of pressroom.deployment.
*/}}
{{- define "pressroom.container" -}}
{{- $container := .container }}
{{- $_ := set $container "image" (include "pressroom.image" .root) }}
{{- with .root.Values.image.pullPolicy }}
{{- $_ := set $container "imagePullPolicy" . }}
{{- end }}
{{- $_ := set $container "args" (concat $container.args .args .values.extraArgs) }}
{{- $_ := set $container "resources" .values.resources }}
{{- range $container.env }}
{{- if eq .name "GOMEMLIMIT" }}
{{- $_ := set . "value" (include "pressroom.memory" $.values.resources.limits.memory) }}
{{- end }}
{{- end }}
{{- $_ := set $container "env" (concat $container.env .values.extraEnv) }}
{{- with concat ($container.volumeMounts | default list) .mounts .values.extraVolumeMounts }}
{{- $_ := set $container "volumeMounts" . }}
{{- end }}
{{- end }}

{{- define "pressroom.image" -}}
{{- with .Values.image }}
{{- if .digest }}{{ .repository }}@{{ .digest }}{{ else }}{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{/*
GOMEMLIMIT for a memory limit in whole Mi or Gi: nine tenths of it. The garbage collector then works harder before the container is
killed.
*/}}
{{- define "pressroom.memory" -}}
{{- $number := regexFind "^[0-9]+" . | atoi }}
{{- if hasSuffix "Gi" . }}{{ $number = mul $number 1024 }}{{ end -}}
{{ div (mul $number 9) 10 }}MiB
{{- end }}
