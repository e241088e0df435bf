{{/*
A Deployment of config with what the values change. Arguments: root; file, the manifest; values, those of the program; args, volumes
and mounts, which are added to its container.
*/}}
{{- define "pressroom.deployment" -}}
{{- $deployment := include "pressroom.read" . | fromYamlArray | first }}
{{- with .values.annotations }}
{{- $_ := set $deployment.metadata "annotations" . }}
{{- end }}
{{- $_ := set $deployment.spec "replicas" .values.replicas }}
{{- if dig "autoscaling" "enabled" false .values }}
{{- /* kube-apiserver would make 1 of a number that is left out although the chart has set it before. */}}
{{- $live := lookup "apps/v1" "Deployment" .root.Release.Namespace $deployment.metadata.name }}
{{- $_ := unset $deployment.spec "replicas" }}
{{- with dig "spec" "replicas" 0 $live }}
{{- $_ := set $deployment.spec "replicas" . }}
{{- end }}
{{- end }}
{{- /* Kubernetes keeps as many if the field is not set. */}}
{{- if ne (int .values.revisionHistoryLimit) 10 }}
{{- $_ := set $deployment.spec "revisionHistoryLimit" .values.revisionHistoryLimit }}
{{- end }}
{{- $metadata := $deployment.spec.template.metadata }}
{{- $_ := set $metadata "labels" (merge (dict) $metadata.labels .values.podLabels .root.Values.commonLabels) }}
{{- $_ := set $metadata "annotations" (merge (dict) $metadata.annotations .values.podAnnotations) }}
{{- $pod := $deployment.spec.template.spec }}
{{- range $field := list "priorityClassName" "nodeSelector" "tolerations" "affinity" "topologySpreadConstraints" }}
{{- with index $.values $field }}
{{- $_ := set $pod $field . }}
{{- end }}
{{- end }}
{{- include "pressroom.set" (dict "into" $pod "from" .values.podSpec) }}
{{- with include "pressroom.pullSecrets" .root | fromYamlArray }}
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
{{- range $probe := list "livenessProbe" "readinessProbe" }}
{{- include "pressroom.set" (dict "into" (index $container $probe) "from" (index $.values $probe)) }}
{{- end }}
{{- end }}

{{- define "pressroom.image" -}}
{{- with .Values.image }}
{{- if .digest }}{{ .repository }}@{{ .digest }}{{ else }}{{ .repository }}:{{ include "pressroom.version" $ }}{{ end }}
{{- end }}
{{- end }}

{{/*
imagePullSecrets of a Pod, a list. Argument: root.
*/}}
{{- define "pressroom.pullSecrets" -}}
{{- $secrets := list }}
{{- range .Values.image.pullSecrets }}
{{- $secrets = append $secrets (dict "name" .) }}
{{- end }}
{{- toYaml $secrets }}
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

{{/*
The port of the Service. Argument: root.
*/}}
{{- define "pressroom.port" -}}
{{ .Values.apiserver.service.port | default (ternary 443 80 (not (empty .Values.apiserver.tls.secretName))) }}
{{- end }}

{{/*
The flags of both programs about the proxy, a list. Argument: root.
*/}}
{{- define "pressroom.proxy" -}}
{{- $args := list }}
{{- with .Values.egressProxy.url }}
{{- $args = append $args (printf "--egress-proxy=%s" .) }}
{{- end }}
{{- if .Values.egressProxy.resolvesNames }}
{{- $args = append $args "--egress-proxy-resolves" }}
{{- end }}
{{- toYaml $args }}
{{- end }}
