{{/* Certificates that a pod needs, of those in `files`: the authorities of the operators' own servers. */}}
{{- define "nifty.tlsSecrets" -}}
{{- $v := .root.Values -}}
{{- if and (has "postgres" .files) $v.postgres.cloudNativePg.enabled }}
postgres: { secret: {{ include "nifty.name" (dict "root" .root "component" "postgres") }}-ca, keys: [ca.crt] }
{{- end }}
{{- with and (has "kafka" .files) (include "nifty.kafkaAuthority" .root) }}
kafka: { secret: {{ . }}, keys: [ca.crt] }
{{- end }}
{{- end }}

{{/* Secret with the certificate of the private authority of the brokers, if they have one. */}}
{{- define "nifty.kafkaAuthority" -}}
{{- if .Values.kafka.strimzi.enabled -}}
{{ include "nifty.name" (dict "root" . "component" "kafka-cluster-ca-cert") }}
{{- else -}}
{{ .Values.kafka.caSecretName }}
{{- end -}}
{{- end }}

{{- define "nifty.tlsMounts" -}}
{{- range $name, $_ := include "nifty.tlsSecrets" . | fromYaml }}
- { name: tls-{{ $name }}, mountPath: /tls/{{ $name }}, readOnly: true }
{{- end }}
{{- end }}

{{- define "nifty.tlsVolumes" -}}
{{- range $name, $from := include "nifty.tlsSecrets" . | fromYaml }}
- name: tls-{{ $name }}
  secret:
    secretName: {{ $from.secret }}
    # Not the key of the authority, which may be in the same Secret.
    items:
      {{- range $from.keys }}
      - { key: {{ . }}, path: {{ . }} }
      {{- end }}
{{- end }}
{{- end }}
