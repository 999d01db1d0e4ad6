{{/* Names and labels. `component` is the gateway, a service, or another component of the release. */}}

{{- define "nifty.name" -}}
{{ printf "%s-%s" (.root.Release.Name | trunc 40 | trimSuffix "-") .component }}
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

{{- define "nifty.labels" -}}
{{ include "nifty.selector" . }}
{{ include "nifty.commonLabels" .root }}
{{- end }}

{{/* The image tag may be longer than a label and may end in characters that a label must not end in. */}}
{{- define "nifty.commonLabels" -}}
app.kubernetes.io/part-of: nifty
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | trunc 63 | trimAll "-_." | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{/* Without the version: operators copy labels to their servers and restart every server when a label changes. */}}
{{- define "nifty.stableLabels" -}}
app.kubernetes.io/part-of: nifty
app.kubernetes.io/managed-by: {{ .Release.Service }}
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
