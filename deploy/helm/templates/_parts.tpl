{{/*
The picture of the store: who asks whom on internal ports, who keeps pictures, what each one needs from outside.
Addresses and network policies are both made from it.
*/}}
{{- define "nifty.parts" -}}
auth:         { asks: [], uploads: true, outside: [] }
catalog:      { asks: [auth, minting], uploads: false, outside: [redis] }
payments:     { asks: [auth, catalog, minting], uploads: false, outside: [internet] }
minting:      { asks: [auth], uploads: true, outside: [internet] }
notification: { asks: [], uploads: false, outside: [smtp] }
{{- end }}

{{- define "nifty.operatorAsks" -}}
[auth, catalog, payments, minting, notification]
{{- end }}

{{- define "nifty.internalUrl" -}}
http://{{ include "nifty.name" . }}:3100
{{- end }}

{{/* With the namespace: KEDA asks from its own. */}}
{{- define "nifty.brokers" -}}
{{- if .Values.kafka.strimzi.enabled -}}
{{ include "nifty.name" (dict "root" . "part" "events") }}-kafka-bootstrap.{{ .Release.Namespace }}.svc:9092
{{- else -}}
{{ .Values.kafka.brokers }}
{{- end -}}
{{- end }}

{{- define "nifty.kafkaUser" -}}
{{- if .Values.kafka.strimzi.enabled -}}
{{ include "nifty.name" (dict "root" . "part" "services") }}
{{- else -}}
{{ .Values.kafka.username }}
{{- end -}}
{{- end }}
