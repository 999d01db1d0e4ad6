{{/*
Template of every pod: of `component`, with its `settings`, further `annotations`, and in `spec` what only this pod has.
`pod` of the values is added, first that of all components and then that of `settings`. A container beside one that ends
would keep its pod from ending: those of all components are for pods that go on.
*/}}
{{- define "nifty.pod" -}}
{{- $spec := fromYaml .spec -}}
{{- if $spec.Error }}{{ fail $spec.Error }}{{ end -}}
{{- $ends := eq ($spec.restartPolicy | default "Always") "Never" -}}
{{- $layers := list (ternary (omit .root.Values.pod "containers") .root.Values.pod $ends) (.settings.pod | default dict) -}}
{{- $container := dict "imagePullPolicy" .root.Values.image.pullPolicy -}}
{{- range $layers }}{{ include "nifty.add" (dict "to" $container "from" (.container | default dict)) }}{{ end -}}
{{- range concat ($spec.initContainers | default list) $spec.containers -}}
{{- include "nifty.add" (dict "to" . "from" $container) -}}
{{- end -}}
{{- $metadata := dict "labels" dict "annotations" (.annotations | default dict) -}}
{{- range $layers -}}
{{- include "nifty.add" (dict "to" $spec "from" (omit (deepCopy .) "labels" "annotations" "container")) -}}
{{- include "nifty.add" (dict "to" $metadata "from" (pick . "labels" "annotations")) -}}
{{- end -}}
{{- range $spec.topologySpreadConstraints -}}
{{- if not .labelSelector -}}
{{- $_ := set . "labelSelector" (dict "matchLabels" (include "nifty.selector" $ | fromYaml)) -}}
{{- end -}}
{{- end -}}
{{- range $map := prepend (concat ($spec.initContainers | default list) $spec.containers) $spec -}}
{{- range $field, $value := $map }}{{ if kindIs "invalid" $value }}{{ $_ := unset $map $field }}{{ end }}{{ end -}}
{{- end -}}
{{- $account := include "nifty.account" . | fromYaml -}}
metadata:
  {{- include "nifty.labelsAndAnnotations" (merge $metadata .) | nindent 2 }}
spec:
  serviceAccountName: {{ $account.name }}
  automountServiceAccountToken: {{ $account.automount }}
  enableServiceLinks: false
  {{- with .root.Values.image.pullSecrets }}
  imagePullSecrets:
    {{- range . }}
    - name: {{ . }}
    {{- end }}
  {{- end }}
  {{- toYaml $spec | nindent 2 }}
{{- end }}

{{/*
Adds the map `from` to the map `to`: maps are merged, lists joined. An entry of a list replaces the one of its name, and init
containers of `from` run first. Helm's own functions do not replace true by false.
*/}}
{{- define "nifty.add" -}}
{{- $to := .to -}}
{{- range $field, $new := .from -}}
{{- $old := get $to $field -}}
{{- if and $old (kindIs "slice" $new) -}}
{{- $key := get (dict "volumeMounts" "mountPath" "topologySpreadConstraints" "topologyKey") $field | default "name" -}}
{{- $names := list -}}
{{- range $new }}{{ if kindIs "map" . }}{{ $names = append $names (get . $key) }}{{ end }}{{ end -}}
{{- $kept := list -}}
{{- range $old -}}
{{- if not (and (kindIs "map" .) (hasKey . $key) (has (get . $key) $names)) }}{{ $kept = append $kept . }}{{ end -}}
{{- end -}}
{{- $_ := set $to $field (ternary (concat $new $kept) (concat $kept $new) (eq $field "initContainers")) -}}
{{- else if and $old (kindIs "map" $new) -}}
{{- $_ := set $to $field (deepCopy $old) -}}
{{- include "nifty.add" (dict "to" (get $to $field) "from" $new) -}}
{{- else -}}
{{- $_ := set $to $field $new -}}
{{- end -}}
{{- end -}}
{{- end }}

{{- define "nifty.spread" -}}
{{- range $key, $when := dict "kubernetes.io/hostname" .root.Values.spread.nodes "topology.kubernetes.io/zone" .root.Values.spread.zones }}
- topologyKey: {{ $key }}
  maxSkew: 1
  whenUnsatisfiable: {{ $when }}
  # Nodes of a lost zone are tainted: they do not count, or pods of that zone could not be placed in another one.
  nodeTaintsPolicy: Honor
  # Pods of the previous version do not count, or a rolling update could be unschedulable.
  matchLabelKeys: [pod-template-hash]
{{- end }}
{{- end }}
