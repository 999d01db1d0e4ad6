{{/* Names, labels and annotations. `component` is the gateway, a service, or another component of the release. */}}

{{- define "nifty.name" -}}
{{ printf "%s-%s" (.root.Values.fullnameOverride | default .root.Release.Name | trunc 40 | trimSuffix "-") .component }}
{{- end }}

{{/* Selector labels: immutable during the life of a Deployment. */}}
{{- define "nifty.selector" -}}
app.kubernetes.io/name: nifty
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{/* Selects all pods of this release. */}}
{{- define "nifty.releaseSelector" -}}
app.kubernetes.io/name: nifty
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/*
Metadata of every object: of `component`, named after `name` where that is another one, with further `labels` and
`annotations`. `stable`: without labels that a release changes, because operators copy labels to their servers and restart
every server when one changes.
*/}}
{{- define "nifty.metadata" -}}
name: {{ include "nifty.name" (dict "root" .root "component" (.name | default .component)) }}
namespace: {{ .root.Release.Namespace }}
{{ include "nifty.labelsAndAnnotations" . }}
{{- end }}

{{- define "nifty.labelsAndAnnotations" -}}
{{- $v := .root.Values -}}
{{- $labels := include (ternary "nifty.stableLabels" "nifty.labels" (.stable | default false)) . | fromYaml -}}
labels:
  {{- toYaml (merge $labels (.labels | default dict) $v.commonLabels) | nindent 2 }}
{{- with merge (dict) (.annotations | default dict) $v.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The image tag may be longer than a label and may end in characters that a label must not end in. */}}
{{- define "nifty.labels" -}}
{{ include "nifty.selector" . }}
{{ include "nifty.stableLabels" . }}
app.kubernetes.io/version: {{ .root.Values.image.tag | default .root.Chart.AppVersion | trunc 63 | trimAll "-_." | quote }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "nifty.stableLabels" -}}
app.kubernetes.io/part-of: nifty
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end }}

{{/* Service account of a component: `name`, `create`, `annotations`, `automount`. */}}
{{- define "nifty.account" -}}
{{- $account := deepCopy .root.Values.serviceAccount -}}
{{- include "nifty.add" (dict "to" $account "from" (.settings.serviceAccount | default dict)) -}}
{{- if not $account.name -}}
{{- $_ := set $account "name" (ternary (include "nifty.name" .) "default" $account.create) -}}
{{- end -}}
{{ toYaml $account }}
{{- end }}

{{- define "nifty.serviceAccount" -}}
{{- $account := include "nifty.account" . | fromYaml }}
{{- if $account.create }}
---
apiVersion: v1
kind: ServiceAccount
metadata:
  {{- $metadata := include "nifty.metadata" (dict "root" .root "component" .component "annotations" $account.annotations) | fromYaml }}
  {{- toYaml (set $metadata "name" $account.name) | nindent 2 }}
automountServiceAccountToken: {{ $account.automount }}
{{- end }}
{{- end }}

{{/* What only the operator knows: fails with all that is missing, one a line. */}}
{{- define "nifty.refuseIncomplete" -}}
{{- $missing := list -}}
{{- range $name, $value := dict "store.mailFrom" .Values.store.mailFrom "store.operatorEmail" .Values.store.operatorEmail -}}
{{- if not $value }}{{ $missing = append $missing $name }}{{ end -}}
{{- end -}}
{{- range $name, $value := .Values.store.company -}}
{{- if not $value }}{{ $missing = append $missing (print "store.company." $name) }}{{ end -}}
{{- end -}}
{{- if $missing }}{{ fail (printf "these values are required:\n  %s" (join "\n  " $missing)) }}{{ end -}}
{{- end }}

{{/* TLS between pods is given up by a written value only. */}}
{{- define "nifty.refuseMissingCertificates" -}}
{{- with .Values.tls -}}
{{- if and .enabled (not .issuerName) (not .existingSecrets) -}}
{{- fail "TLS between pods needs tls.issuerName (an issuer of cert-manager) or tls.existingSecrets: true (Secrets <release>-<component>-tls); tls.enabled: false is plain HTTP between pods" -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* What a schema cannot compare: fails with all that contradicts itself, one a line. */}}
{{- define "nifty.refuseContradictions" -}}
{{- $wrong := list -}}
{{- range $component, $service := .Values.services -}}
{{- $scaling := $service.autoscaling -}}
{{- if and (ne $scaling.by "none") (gt (int $scaling.min) (int $scaling.max)) -}}
{{- $wrong = append $wrong (printf "services.%s.autoscaling: min is above max" $component) -}}
{{- end -}}
{{- if and (eq $scaling.by "lag") $.Values.kafka.tokenAudience -}}
{{- $wrong = append $wrong (printf "services.%s.autoscaling.by: KEDA cannot log in with kafka.tokenAudience, use cpu" $component) -}}
{{- end -}}
{{- if and (eq $scaling.by "lag") (gt (int $scaling.max) (int $.Values.kafka.partitions)) -}}
{{- $wrong = append $wrong (printf "services.%s.autoscaling.max is above kafka.partitions: the further pods would wait" $component) -}}
{{- end -}}
{{- end -}}
{{- with .Values.kafka -}}
{{- if and .tokenAudience (or .username .strimzi.enabled (not .ssl)) -}}
{{- $wrong = append $wrong "kafka.tokenAudience: needs kafka.ssl, without kafka.username and kafka.strimzi" -}}
{{- end -}}
{{- if and .username .strimzi.enabled -}}
{{- $wrong = append $wrong "kafka.username: with kafka.strimzi the operator makes the users" -}}
{{- end -}}
{{- end -}}
{{- if and .Values.tls.issuerName .Values.tls.existingSecrets -}}
{{- $wrong = append $wrong "tls.issuerName and tls.existingSecrets: certificates are of cert-manager or yours" -}}
{{- end -}}
{{- with .Values.postgres.cloudNativePg -}}
{{- if and .recovery.serverName (not .backup.objectStore.destinationPath) -}}
{{- $wrong = append $wrong "postgres.cloudNativePg.recovery.serverName needs backup.objectStore.destinationPath" -}}
{{- end -}}
{{- if and .recovery.serverName (eq .recovery.serverName (include "nifty.postgresArchive" $)) -}}
{{- $wrong = append $wrong "postgres.cloudNativePg.recovery.serverName: the recovered cluster archives into a new folder, backup.objectStore.serverName" -}}
{{- end -}}
{{- if and .recovery.targetTime (not .recovery.serverName) -}}
{{- $wrong = append $wrong "postgres.cloudNativePg.recovery.targetTime needs recovery.serverName, whose archive has the WAL" -}}
{{- end -}}
{{- end -}}
{{- if $wrong }}{{ fail (printf "these values contradict each other:\n  %s" (join "\n  " $wrong)) }}{{ end -}}
{{- end }}

{{- define "nifty.image" -}}
{{- $repository := required "image.repository is required: the registry and path of your images" .root.Values.image.repository -}}
{{- with index .root.Values.image.digests .component -}}
{{ $repository }}/{{ $.component }}@{{ . }}
{{- else -}}
{{ $repository }}/{{ .component }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end -}}
{{- end }}

{{/* Stands before the names of databases, topics and consumer groups; empty for none of this chart's releases. */}}
{{- define "nifty.resourcePrefix" -}}
{{ .Values.resourcePrefix | default .Release.Name | trunc 40 | trimAll "-." }}
{{- end }}

{{- define "nifty.storeId" -}}
{{ .Values.storeId | default (regexReplaceAll "^https?://([^/:]+).*$" .Values.publicUrl "${1}") }}
{{- end }}
