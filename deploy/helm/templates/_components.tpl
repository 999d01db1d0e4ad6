{{/*
All services: which services each one calls on the internal port, whether it stores uploads, and which external systems
it needs besides PostgreSQL and Kafka. Addresses and network policies are rendered from this table. A test compares it
with packages/api/src/services.ts.
*/}}
{{- define "nifty.services" -}}
auth:         { calls: [], uploads: true, external: [] }
catalog:      { calls: [auth, minting], uploads: false, external: [redis] }
payments:     { calls: [auth, catalog, minting], uploads: false, external: [internet] }
minting:      { calls: [auth], uploads: true, external: [internet] }
notification: { calls: [], uploads: false, external: [smtp] }
{{- end }}

{{- define "nifty.operatorCalls" -}}
[auth, catalog, payments, minting, notification]
{{- end }}

{{/* OPERATORS: names and public keys. */}}
{{- define "nifty.operators" -}}
{{- $entries := list }}
{{- range $name, $key := .Values.operators }}{{ $entries = append $entries (printf "%s=%s" $name $key) }}{{ end }}
{{- join "," $entries }}
{{- end }}

{{- define "nifty.internalUrl" -}}
http://{{ include "nifty.name" . }}:3100
{{- end }}

{{/* Includes the namespace: KEDA connects from its own namespace. */}}
{{- define "nifty.brokers" -}}
{{- if .Values.kafka.strimzi.enabled -}}
{{ include "nifty.name" (dict "root" . "component" "kafka") }}-kafka-bootstrap.{{ .Release.Namespace }}.svc:9092
{{- else -}}
{{ .Values.kafka.brokers }}
{{- end -}}
{{- end }}

{{- define "nifty.kafkaUser" -}}
{{- if .Values.kafka.strimzi.enabled -}}
{{ include "nifty.name" (dict "root" . "component" "services") }}
{{- else -}}
{{ .Values.kafka.username }}
{{- end -}}
{{- end }}
