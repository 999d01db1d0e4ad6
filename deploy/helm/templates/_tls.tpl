{{/* Certificates that a pod needs, of those in `files`: the authorities of the operators' own servers. */}}
{{- define "nifty.tlsSecrets" -}}
{{- $v := .root.Values -}}
{{- if and (has "postgres" .files) $v.postgres.cloudNativePg.enabled }}
postgres: { secret: {{ include "nifty.name" (dict "root" .root "component" "postgres") }}-ca, keys: [ca.crt] }
{{- end }}
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
