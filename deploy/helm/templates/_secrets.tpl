{{/* Keys of the Secret <release>-<component>. Only minting's has the signer key. */}}
{{- define "nifty.secretNames" -}}
{{- $v := .root.Values -}}
{{- if ne .component "gateway" }}
{{- range include "nifty.serviceKeys" . | fromYamlArray }}
- {{ . }}
{{- end }}
{{- if not $v.postgres.cloudNativePg.enabled }}
- POSTGRES_URL
{{- if $v.postgres.pooler.enabled }}
- POSTGRES_POOLER_URL
{{- end }}
{{- end }}
{{- if and $v.objectStorage.bucket $v.objectStorage.accessKeys (index (include "nifty.services" .root | fromYaml) .component).uploads }}
- AWS_ACCESS_KEY_ID
- AWS_SECRET_ACCESS_KEY
{{- end }}
{{- if and $v.kafka.username (not $v.kafka.strimzi.enabled) }}
- KAFKA_PASSWORD
{{- end }}
{{- end }}
{{- if has .component (list "auth" "minting" "notification") }}
- MAIL_TOKEN_KEY
{{- end }}
{{- if eq .component "auth" }}
- AUTH_SIGNING_KEY
- SECOND_FACTOR_KEY
{{- if $v.chain.contractWallets }}
- CHAIN_RPC_URL
{{- end }}
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

{{/* Keys of the Secret <release>-<service>-owner: only migrations use it. */}}
{{- define "nifty.ownerSecretNames" -}}
{{- if and (ne .component "gateway") (not .root.Values.postgres.cloudNativePg.enabled) }}
- POSTGRES_OWNER_URL
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

{{/* Address, role and password of a service's database, from its own Secret or as the roles of CloudNativePG. */}}
{{- define "nifty.postgresEnv" -}}
{{- if .root.Values.postgres.cloudNativePg.enabled }}
- name: POSTGRES_URL
  value: {{ include "nifty.cloudNativePgUrl" (dict "root" .root "role" (include "nifty.databaseRole" .)) }}
{{ include "nifty.fromSecret" (dict "name" "POSTGRES_PASSWORD" "secret" (include "nifty.roleSecret" .) "key" "password") }}
{{- else }}
{{ include "nifty.fromSecret" (dict "name" "POSTGRES_URL" "secret" (include "nifty.name" .)) }}
{{- end }}
{{- end }}

{{/* The same of the role that owns the database, for migrations only. */}}
{{- define "nifty.postgresOwnerEnv" -}}
{{- $owner := dict "root" .root "component" (printf "%s-owner" .component) }}
{{- if .root.Values.postgres.cloudNativePg.enabled }}
- name: POSTGRES_OWNER_URL
  value: {{ include "nifty.cloudNativePgUrl" (dict "root" .root "role" (include "nifty.databaseRole" $owner)) }}
{{ include "nifty.fromSecret" (dict "name" "POSTGRES_OWNER_PASSWORD" "secret" (include "nifty.roleSecret" $owner) "key" "password") }}
{{- else }}
{{ include "nifty.fromSecret" (dict "name" "POSTGRES_OWNER_URL" "secret" (include "nifty.name" $owner)) }}
{{- end }}
{{- end }}

{{/* The role of a service has the name of its database. */}}
{{- define "nifty.databaseRole" -}}
{{ include "nifty.resourcePrefix" .root }}-{{ .component }}
{{- end }}

{{/* Secret with `username` and `password` of a role of CloudNativePG. */}}
{{- define "nifty.roleSecret" -}}
{{ include "nifty.name" (dict "root" .root "component" (printf "postgres-%s" .component)) }}
{{- end }}

{{- define "nifty.cloudNativePgUrl" -}}
postgres://{{ .role }}@{{ include "nifty.name" (dict "root" .root "component" (.server | default "postgres-rw")) }}.{{ .root.Release.Namespace }}.svc:5432/postgres?sslmode=verify-full&sslrootcert=/tls/postgres/ca.crt
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
{{ include "nifty.postgresEnv" . | trim }}
{{- with .root.Values.postgres }}
{{- if and .pooler.enabled .cloudNativePg.enabled }}
- name: POSTGRES_POOLER_URL
  value: {{ include "nifty.cloudNativePgUrl" (dict "root" $.root "role" (include "nifty.databaseRole" $) "server" "postgres-pooler") }}
{{- end }}
{{- end }}
{{- if .root.Values.kafka.strimzi.enabled }}
{{ include "nifty.fromSecret" (dict "name" "KAFKA_PASSWORD" "secret" (include "nifty.kafkaUser" .) "key" "password") }}
{{- end }}
{{- end }}
{{- end }}
