{{/* Every name and label. `part` is a service's name. */}}

{{- define "nifty.name" -}}
{{ printf "%s-%s" (.root.Release.Name | trunc 40 | trimSuffix "-") .part }}
{{- end }}

{{/* What never changes in the life of a deployment. */}}
{{- define "nifty.selector" -}}
app.kubernetes.io/name: nifty
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{/* Pods of this release, whichever part they are. */}}
{{- define "nifty.everyPod" -}}
app.kubernetes.io/name: nifty
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "nifty.labels" -}}
{{ include "nifty.selector" . }}
{{ include "nifty.ownership" .root }}
{{- end }}

{{/* A tag may be longer than a label, and end in what a label may not. */}}
{{- define "nifty.ownership" -}}
app.kubernetes.io/part-of: nifty
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | trunc 63 | trimAll "-_." | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{/* Of what operators make servers of: they hand labels on, and replace every server when one changes. */}}
{{- define "nifty.lastingLabels" -}}
app.kubernetes.io/part-of: nifty
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "nifty.image" -}}
{{ .root.Values.image.repository }}/{{ .part }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end }}
