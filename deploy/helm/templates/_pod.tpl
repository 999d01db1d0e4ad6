{{/* Security settings of every pod: the `restricted` Pod Security Standard. */}}
{{- define "nifty.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}

{{- define "nifty.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end }}

{{- define "nifty.spread" -}}
{{- range $key, $when := dict "kubernetes.io/hostname" .root.Values.spread.nodes "topology.kubernetes.io/zone" .root.Values.spread.zones }}
- topologyKey: {{ $key }}
  maxSkew: 1
  whenUnsatisfiable: {{ $when }}
  labelSelector:
    matchLabels:
      {{- include "nifty.selector" $ | nindent 6 }}
  # Pods of the previous version do not count, or a rolling update could be unschedulable.
  matchLabelKeys: [pod-template-hash]
{{- end }}
{{- end }}
