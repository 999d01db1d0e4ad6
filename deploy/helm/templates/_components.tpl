{{/*
All services: which services each one calls on the internal port, whether it stores uploads, which external systems it needs
besides PostgreSQL and Kafka, whether it publishes events and whose it consumes. Addresses, network policies and rights in
Kafka are rendered from this table. Tests compare it with packages/api/src/services.ts and packages/events.
*/}}
{{- define "nifty.services" -}}
auth:         { calls: [], uploads: true, external: [node], publishes: true, consumes: [catalog, minting, payments] }
catalog:      { calls: [auth, minting], uploads: false, external: [redis], publishes: true, consumes: [auth, minting, payments] }
payments:     { calls: [auth, catalog, minting], uploads: false, external: [internet], publishes: true, consumes: [auth, catalog, minting] }
minting:      { calls: [auth], uploads: true, external: [internet], publishes: true, consumes: [auth, catalog, payments] }
notification: { calls: [auth], uploads: false, external: [smtp], publishes: false, consumes: [auth, catalog, minting, payments] }
{{- end }}

{{- define "nifty.operatorCalls" -}}
[auth, catalog, payments, minting, notification]
{{- end }}

{{/* OPERATORS: names, roles and public keys. */}}
{{- define "nifty.operators" -}}
{{- $entries := list }}
{{- range $name, $given := .Values.operators }}
{{- if kindIs "string" $given }}{{ $entries = append $entries (printf "%s=%s" $name $given) }}
{{- else }}{{ $entries = append $entries (printf "%s:%s=%s" $name (join "+" $given.roles) $given.publicKey) }}{{ end }}
{{- end }}
{{- join "," $entries }}
{{- end }}

{{- define "nifty.internalUrl" -}}
{{ include "nifty.scheme" .root }}://{{ include "nifty.name" . }}:3100
{{- end }}

{{/* Includes the namespace: KEDA connects from its own namespace. */}}
{{- define "nifty.brokers" -}}
{{- if .Values.kafka.strimzi.enabled -}}
{{ include "nifty.name" (dict "root" . "component" "kafka") }}-kafka-bootstrap.{{ .Release.Namespace }}.svc:9093
{{- else -}}
{{ .Values.kafka.brokers }}
{{- end -}}
{{- end }}

{{/* The Kafka user of one service; Strimzi writes its password into a Secret of the same name. */}}
{{- define "nifty.kafkaUser" -}}
{{- if .root.Values.kafka.strimzi.enabled -}}
{{ include "nifty.name" (dict "root" .root "component" (printf "kafka-%s" .component)) }}
{{- else -}}
{{ .root.Values.kafka.username | replace "{service}" .component }}
{{- end -}}
{{- end }}
