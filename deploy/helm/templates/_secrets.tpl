{{/* The secret variables of one part that its own Secret <release>-<part> holds. Only minting has the signer's key. */}}
{{- define "nifty.secretNames" -}}
{{- $v := .root.Values -}}
{{- if ne .part "gateway" }}
- INTERNAL_SECRET
{{- end }}
{{- if not (has .part (list "gateway" "ops")) }}
{{- if not $v.postgres.cloudNativePg.enabled }}
- POSTGRES_URL
{{- end }}
{{- if and $v.kafka.username (not $v.kafka.strimzi.enabled) }}
- KAFKA_PASSWORD
{{- end }}
{{- end }}
{{- if eq .part "auth" }}
- AUTH_SIGNING_KEY
{{- if $v.secrets.rotatingSigningKey }}
- AUTH_ACCEPTED_KEY
{{- end }}
{{- else if eq .part "catalog" }}
{{- if $v.redis.enabled }}
- REDIS_URL
{{- end }}
{{- else if eq .part "payments" }}
- STRIPE_SECRET_KEY
- STRIPE_WEBHOOK_SECRET
{{- else if eq .part "minting" }}
- CHAIN_RPC_URL
{{- if $v.chain.secondNode }}
- CHAIN_RPC_URL_2
{{- end }}
- CHAIN_SIGNER_KEY
{{- else if eq .part "notification" }}
- SMTP_URL
{{- end }}
{{- end }}

{{/* One secret variable of a container. */}}
{{- define "nifty.fromSecret" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ .key | default .name }}
{{- end }}

{{/* The address of the database server: the service's own secret, or the one that CloudNativePG keeps. */}}
{{- define "nifty.postgresUrl" -}}
{{- if .root.Values.postgres.cloudNativePg.enabled }}
{{- $cluster := include "nifty.name" (dict "root" .root "part" "postgres") }}
{{- include "nifty.fromSecret" (dict "name" "POSTGRES_URL" "secret" (printf "%s-app" $cluster) "key" "uri") }}
{{- else }}
{{- include "nifty.fromSecret" (dict "name" "POSTGRES_URL" "secret" (include "nifty.name" .)) }}
{{- end }}
{{- end }}

{{/* All secret variables of one part's container. */}}
{{- define "nifty.secretEnv" -}}
{{- $names := include "nifty.secretNames" . | fromYamlArray }}
{{- range $name := $names }}
{{- if ne $name "POSTGRES_URL" }}
{{ include "nifty.fromSecret" (dict "name" $name "secret" (include "nifty.name" $)) }}
{{- end }}
{{- end }}
{{- if not (has .part (list "gateway" "ops")) }}
{{ include "nifty.postgresUrl" . }}
{{- if .root.Values.kafka.strimzi.enabled }}
{{ include "nifty.fromSecret" (dict "name" "KAFKA_PASSWORD" "secret" (include "nifty.kafkaUser" .root) "key" "password") }}
{{- end }}
{{- end }}
{{- end }}
