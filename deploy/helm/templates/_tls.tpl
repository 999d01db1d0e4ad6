{{/* Scheme of the addresses of pods. */}}
{{- define "nifty.scheme" -}}
{{ ternary "https" "http" .Values.tls.enabled }}
{{- end }}

{{/* Scheme of a probe; the kubelet checks no certificate. */}}
{{- define "nifty.probeScheme" -}}
{{- if .Values.tls.enabled }}, scheme: HTTPS{{ end }}
{{- end }}

{{/*
Node trusts the authorities of `files` beside the public ones. It reads one file of further ones: where there are two, that of
the pods stands for those of the system, of which the image has none.
*/}}
{{- define "nifty.trustEnv" -}}
{{- $pods := and (or (has "pod" .files) (has "authority" .files)) .root.Values.tls.enabled -}}
{{- $private := include "nifty.privateAuthority" .root -}}
{{- if or $private $pods }}
- name: NODE_EXTRA_CA_CERTS
  value: {{ ternary "/tls/private/ca.crt" "/tls/pod/ca.crt" (ne $private "") }}
{{- end }}
{{- if and $private $pods }}
- { name: NODE_USE_SYSTEM_CA, value: "1" }
- { name: SSL_CERT_FILE, value: /tls/pod/ca.crt }
{{- end }}
{{- end }}

{{/* Volume source with `ca.crt` of the authorities that all pods trust; empty: none. */}}
{{- define "nifty.privateAuthority" -}}
{{- with .Values.privateAuthority -}}
{{- if .secretName }}secret: { secretName: {{ .secretName }}{{ else if .configMapName }}configMap: { name: {{ .configMapName }}{{ end -}}
{{- if or .secretName .configMapName }}, items: [{ key: ca.crt, path: ca.crt }] }{{ end -}}
{{- end -}}
{{- end }}

{{/*
Certificates that a pod needs, of those in `files`: its own with its key, the authority of the pods, and the authorities of
the operators' own servers.
*/}}
{{- define "nifty.tlsSecrets" -}}
{{- $v := .root.Values -}}
{{- if and (has "pod" .files) $v.tls.enabled }}
pod: { secret: {{ include "nifty.name" (dict "root" .root "component" .component) }}-tls, keys: [tls.crt, tls.key, ca.crt] }
{{- end }}
{{- if and (has "authority" .files) $v.tls.enabled }}
pod: { secret: {{ include "nifty.name" (dict "root" .root "component" "gateway") }}-tls, keys: [ca.crt] }
{{- end }}
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
{{- if include "nifty.privateAuthority" .root }}
- { name: tls-private, mountPath: /tls/private, readOnly: true }
{{- end }}
{{- end }}

{{- define "nifty.tlsVolumes" -}}
{{- range $name, $from := include "nifty.tlsSecrets" . | fromYaml }}
- name: tls-{{ $name }}
  secret:
    secretName: {{ $from.secret }}
    # Not all of the Secret: that of an authority may hold its key too.
    items:
      {{- range $from.keys }}
      - { key: {{ . }}, path: {{ . }} }
      {{- end }}
{{- end }}
{{- with include "nifty.privateAuthority" .root }}
- name: tls-private
  {{ . }}
{{- end }}
{{- end }}
