{{/*
Variables of one component that are not secret, one a line. An empty value is omitted: the service's default applies. Numbers
are JSON: a template writes a million as 1e+06, which services refuse.
*/}}
{{- define "nifty.config" -}}
{{- $v := .root.Values -}}
{{- $component := .component -}}
LOG_LEVEL: {{ $v.logLevel }}
{{- if $v.tls.enabled }}
TLS_CERT_FILE: /tls/pod/tls.crt
TLS_KEY_FILE: /tls/pod/tls.key
{{- end }}
DRAIN_SECONDS: {{ toJson $v.rollout.drainSeconds }}
{{- if $v.tracing.endpoint }}
OTEL_EXPORTER_OTLP_ENDPOINT: {{ $v.tracing.endpoint }}
OTEL_TRACES_SAMPLER_ARG: {{ toJson $v.tracing.share }}
{{- end }}
{{- if eq $component "gateway" }}
PORT: 8080
INTERNAL_PORT: 3100
{{- range $name := keys (include "nifty.services" . | fromYaml) | sortAlpha }}
{{ upper $name }}_URL: {{ include "nifty.scheme" $.root }}://{{ include "nifty.name" (dict "root" $.root "component" $name) }}:3000
{{- end }}
{{- else }}
PORT: 3000
INTERNAL_PORT: 3100
{{- range $name := (index (include "nifty.services" . | fromYaml) $component).calls }}
{{ upper $name }}_INTERNAL_URL: {{ include "nifty.internalUrl" (dict "root" $.root "component" $name) }}
{{- end }}
STORE_ID: {{ include "nifty.storeId" .root }}
OPERATORS: {{ include "nifty.operators" .root }}
RESOURCE_PREFIX: {{ include "nifty.resourcePrefix" .root }}
KAFKA_BROKERS: {{ include "nifty.brokers" .root }}
KAFKA_SSL: {{ or $v.kafka.ssl $v.kafka.strimzi.enabled }}
{{- if include "nifty.kafkaAuthority" .root }}
KAFKA_SSL_CA_FILE: /tls/kafka/ca.crt
{{- end }}
KAFKA_PARTITIONS: {{ toJson $v.kafka.partitions }}
KAFKA_REPLICATION: {{ ternary (min $v.kafka.replication $v.kafka.strimzi.replicas) $v.kafka.replication $v.kafka.strimzi.enabled | toJson }}
KAFKA_RETENTION_DAYS: {{ toJson $v.kafka.retentionDays }}
{{- if $v.kafka.tokenAudience }}
KAFKA_SASL_MECHANISM: oauthbearer
KAFKA_OAUTH_TOKEN_FILE: /tokens/kafka/token
{{- else }}
{{- with include "nifty.kafkaUser" . }}
KAFKA_USERNAME: {{ . }}
KAFKA_SASL_MECHANISM: {{ ternary "scram-sha-512" $v.kafka.saslMechanism $v.kafka.strimzi.enabled }}
{{- end }}
{{- end }}
{{- end }}
{{- if ne $component "catalog" }}
PUBLIC_URL: {{ $v.publicUrl }}
{{- end }}
RATE_LIMIT_FACTOR: {{ toJson $v.store.rateLimitFactor }}
{{- if has $component (list "gateway" "auth" "minting") }}
CHAIN_ID: {{ toJson $v.chain.id }}
{{- end }}
{{- if has $component (list "auth" "minting") }}
CHAIN_COLLECTION: {{ $v.chain.collection }}
CHAIN_DELIVERY: {{ $v.chain.delivery }}
{{- if include "nifty.volumes" .root }}
UPLOADS_DIR: /data
{{- end }}
{{- with include "nifty.uploadsUrl" .root }}
UPLOADS_URL: {{ . }}
{{- end }}
{{- end }}
{{- if has $component (list "gateway" "minting") }}
CUSTODY_HOLD_HOURS: {{ toJson $v.store.custodyHoldHours }}
{{- end }}
{{- if has $component (list "gateway" "catalog") }}
OFFERS: {{ $v.store.offers }}
AUCTIONS: {{ $v.store.auctions }}
{{- end }}
{{- if has $component (list "gateway" "payments") }}
{{- if $v.store.contentConfigMap }}
CONTENT_DIR: /content
{{- end }}
COMMISSION_PERCENT: {{ toJson $v.store.commissionPercent }}
{{- end }}
{{- if has $component (list "gateway" "auth" "minting" "notification") }}
STORE_NAME: {{ $v.store.name }}
{{- end }}
{{- if has $component (list "gateway" "minting" "notification") }}
STORE_TAGLINE: {{ $v.store.tagline }}
{{- end }}
{{- if has $component (list "gateway" "notification") }}
{{- if $v.store.brandingConfigMap }}
BRANDING_DIR: /branding
{{- end }}
COMPANY_NAME: {{ $v.store.company.name }}
COMPANY_NUMBER: {{ $v.store.company.number }}
COMPANY_REGISTER: {{ $v.store.company.register }}
COMPANY_ADDRESS: {{ join ";" $v.store.company.address }}
COMPANY_EMAIL: {{ $v.store.company.email }}
{{- end }}
{{- if eq $component "gateway" }}
TRUSTED_PROXIES: {{ $v.trustedProxies }}
CHAIN_PUBLIC_RPC_URL: {{ $v.chain.publicRpcUrl }}
CHAIN_EXPLORER_URL: {{ $v.chain.explorerUrl }}
TAG_MANAGER_URL: {{ $v.store.tagManagerUrl }}
ANALYTICS_URL: {{ $v.store.analyticsUrl }}
VIDEO_URL: {{ $v.store.videoUrl }}
THIRD_PARTY_ORIGINS: {{ join "," $v.store.thirdPartyOrigins }}
{{- else if eq $component "auth" }}
WALLET_DENY_LIST: {{ $v.chain.walletDenyList }}
WALLET_PROOF_REQUIRED: {{ $v.store.walletProofRequired }}
CONFIRM_EMAIL_BEFORE_LOGIN: {{ $v.store.confirmEmailBeforeLogin }}
WITHDRAWAL_WAIT_HOURS: {{ toJson $v.store.withdrawalWaitHours }}
{{- else if eq $component "payments" }}
PAYOUT_HOLD_DAYS: {{ toJson $v.store.payoutHoldDays }}
THREE_D_SECURE_FROM: {{ toJson $v.store.threeDSecureFrom }}
RECONCILE_EVERY_HOURS: {{ toJson $v.store.reconcileEveryHours }}
{{- else if eq $component "minting" }}
CHAIN_FROM_BLOCK: {{ toJson $v.chain.fromBlock }}
CHAIN_FINALITY_DEPTH: {{ toJson $v.chain.finalityDepth }}
ROYALTY_BPS: {{ toJson $v.store.royaltyBps }}
{{- else if eq $component "notification" }}
MAIL_FROM: {{ $v.store.mailFrom }}
OPERATOR_EMAIL: {{ $v.store.operatorEmail }}
{{- end }}
{{- range $name, $value := (index $v.services $component).config }}
{{ $name }}: {{ $value }}
{{- end }}
{{- end }}

{{/* Not empty where uploads are kept in volumes. */}}
{{- define "nifty.volumes" -}}
{{- if or (not .Values.objectStorage.bucket) .Values.objectStorage.keepVolumes }}true{{ end }}
{{- end }}

{{/* Empty without a bucket. */}}
{{- define "nifty.uploadsUrl" -}}
{{- with .Values.objectStorage }}
{{- if .bucket -}}
s3://{{ .bucket }}{{ with .prefix }}/{{ . }}{{ end }}?region={{ .region }}{{ with .endpoint }}&endpoint={{ . }}{{ end }}
{{- end }}
{{- end }}
{{- end }}
