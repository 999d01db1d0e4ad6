{{/* Keys of the Secret <release>-<component>. Only minting's has the signer key. */}}
{{- define "nifty.secretNames" -}}
{{- $v := .root.Values -}}
{{- if ne .component "gateway" }}
{{- range include "nifty.serviceKeys" . | fromYamlArray }}
- {{ . }}
{{- end }}
{{- if not $v.postgres.cloudNativePg.enabled }}
- POSTGRES_URL
{{- end }}
{{- if and $v.kafka.username (not $v.kafka.strimzi.enabled) }}
- KAFKA_PASSWORD
{{- end }}
{{- end }}
{{- if has .component (list "auth" "notification") }}
- MAIL_TOKEN_KEY
{{- end }}
{{- if eq .component "auth" }}
- AUTH_SIGNING_KEY
{{- if $v.secrets.rotatingSigningKey }}
- AUTH_ACCEPTED_KEY
{{- end }}
{{- else if has .component (list "catalog" "gateway") }}
{{- if $v.redis.enabled }}
- REDIS_URL
{{- if eq .component "catalog" }}
- CACHE_SIGNING_KEY
{{- end }}
{{- end }}
{{- else if eq .component "payments" }}
- STRIPE_SECRET_KEY
- STRIPE_WEBHOOK_SECRET
{{- else if eq .component "minting" }}
- CHAIN_RPC_URL
{{- if $v.chain.secondNode }}
- CHAIN_RPC_URL_2
{{- end }}
- CHAIN_SIGNER_KEY
{{- else if eq .component "notification" }}
- SMTP_URL
{{- end }}
{{- end }}

{{/* The keys with which services call each other: the caller and the called service have the same ones. */}}
{{- define "nifty.serviceKeys" -}}
{{- range $caller, $service := include "nifty.services" .root | fromYaml }}
{{- range $called := $service.calls }}
{{- if has $.component (list $caller $called) }}
- {{ upper $caller }}_TO_{{ upper $called }}_KEYS
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* An environment variable from a Secret. */}}
{{- define "nifty.fromSecret" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ .key | default .name }}
{{- end }}

{{/* POSTGRES_URL, from the service's own Secret or from the Secret that CloudNativePG creates. */}}
{{- define "nifty.postgresUrl" -}}
{{- if .root.Values.postgres.cloudNativePg.enabled }}
{{- $cluster := include "nifty.name" (dict "root" .root "component" "postgres") }}
{{- include "nifty.fromSecret" (dict "name" "POSTGRES_URL" "secret" (printf "%s-app" $cluster) "key" "uri") }}
{{- else }}
{{- include "nifty.fromSecret" (dict "name" "POSTGRES_URL" "secret" (include "nifty.name" .)) }}
{{- end }}
{{- end }}

{{/* All environment variables from Secrets of one component. */}}
{{- define "nifty.secretEnv" -}}
{{- $names := include "nifty.secretNames" . | fromYamlArray }}
{{- range $name := $names }}
{{- if ne $name "POSTGRES_URL" }}
{{ include "nifty.fromSecret" (dict "name" $name "secret" (include "nifty.name" $)) }}
{{- end }}
{{- end }}
{{- if ne .component "gateway" }}
{{ include "nifty.postgresUrl" . }}
{{- if .root.Values.kafka.strimzi.enabled }}
{{ include "nifty.fromSecret" (dict "name" "KAFKA_PASSWORD" "secret" (include "nifty.kafkaUser" .root) "key" "password") }}
{{- end }}
{{- end }}
{{- end }}
