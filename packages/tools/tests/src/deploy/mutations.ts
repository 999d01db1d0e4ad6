/** Deliberate mistakes: replacing `change[0]` by `change[1]` in `template` must be reported as `violation`. */
export const mutations = [
  {
    what: 'a misspelt field',
    template: 'deployment.yaml',
    change: ['minReadySeconds: 5', 'minReadySecond: 5'],
    violation: /deployment\/nifty-auth .*'minReadySecond' was unexpected/,
  },
  {
    what: 'a string instead of a number',
    template: 'deployment.yaml',
    change: ['periodSeconds: 10', 'periodSeconds: ten'],
    violation: /deployment\/nifty-auth .*livenessProbe.periodSeconds: 'ten' is not of type 'integer'/,
  },
  {
    what: 'a selector that matches nothing',
    template: 'service.yaml',
    change: [
      '{{- include "nifty.selector" $scope | nindent 4 }}\n  ports:',
      'app.kubernetes.io/component: {{ $component }}s\n  ports:',
    ],
    violation: /Service nifty-auth selects nothing/,
  },
  {
    what: 'pods that the selector does not match',
    template: 'deployment.yaml',
    change: ['{{- include "nifty.selector" $scope | nindent 6 }}', 'app: {{ $component }}'],
    violation: /Deployment nifty-auth does not select its own pods/,
  },
  {
    what: "a misspelt field of an operator's object",
    template: 'autoscaling.yaml',
    change: ['pollingInterval', 'pollingIntervall'],
    violation: /ScaledObject nifty-minting: .*pollingIntervall/,
  },
  {
    what: 'a number where an operator requires a string',
    template: 'autoscaling.yaml',
    change: ['lagThreshold: {{ $scaling.target | quote }}', 'lagThreshold: {{ $scaling.target }}'],
    violation: /ScaledObject nifty-minting: .*lagThreshold must be string/,
  },
  {
    what: 'a disruption budget that matches no pod',
    template: 'service.yaml',
    change: ['      {{- include "nifty.selector" $scope | nindent 6 }}', '      app: {{ $component }}'],
    violation: /Deployment nifty-auth has no disruption budget of its own/,
  },
  {
    what: 'a missing probe',
    template: 'deployment.yaml',
    change: ['readinessProbe:', 'livelinessProbe:'],
    violation: /Deployment nifty-auth lacks a probe/,
  },
  {
    what: 'an invalid unit',
    template: 'deployment.yaml',
    change: ['emptyDir: { sizeLimit: 256Mi }', 'emptyDir: { sizeLimit: {} }'],
    violation: /deployment\/nifty-auth .*sizeLimit/,
  },
  {
    what: 'an autoscaler with a minimum above its maximum',
    template: 'autoscaling.yaml',
    change: ['minReplicas: {{ $scaling.min }}', 'minReplicas: {{ add $scaling.max 1 }}'],
    violation: /HorizontalPodAutoscaler nifty-auth has minimum 9 and maximum 8/,
  },
  {
    what: 'a label as long as the image tag',
    template: '_names.tpl',
    change: [' | trunc 63 | trimAll "-_."', ''],
    violation: /Deployment nifty-auth has an invalid label 7+-f+ for app.kubernetes.io\/version/,
  },
  {
    what: 'a port in a host name',
    template: 'ingress.yaml',
    change: ['.hostname', '.host'],
    violation: /Ingress nifty-gateway has the invalid host shop.example:8443/,
  },
  {
    what: 'a database that helm uninstall deletes',
    template: 'cloud-native-pg.yaml',
    change: ['"helm.sh/resource-policy" "keep"', '"helm.sh/resource-policy" "delete"'],
    violation: /Cluster nifty-postgres is deleted with the release/,
  },
  {
    what: 'an archive that helm uninstall deletes',
    template: 'cloud-native-pg.yaml',
    change: [
      '"stable" true "annotations" (dict "helm.sh/resource-policy" "keep")) | nindent 2 }}\nspec:\n  retention',
      '"stable" true) | nindent 2 }}\nspec:\n  retention',
    ],
    violation: /ObjectStore nifty-postgres is deleted with the release/,
  },
  {
    what: 'brokers that restart with each release',
    template: 'strimzi.yaml',
    change: ['"component" "kafka" "stable" true', '"component" "kafka" "stable" false'],
    violation: /Kafka nifty-kafka restarts its servers with each release/,
  },
  {
    what: 'a broker address without a namespace',
    template: '_components.tpl',
    change: ['.{{ .Release.Namespace }}.svc:9093', ':9093'],
    violation: /ScaledObject nifty-minting has the address nifty-kafka-kafka-bootstrap:9093/,
  },
  {
    what: 'a zone that counts after it was lost',
    template: '_pod.tpl',
    change: ['nodeTaintsPolicy: Honor', 'nodeTaintsPolicy: Ignore'],
    violation: /Deployment nifty-auth counts the nodes of a lost zone/,
  },
  {
    what: 'a replication factor above the number of brokers',
    template: '_config.tpl',
    change: ['(min $v.kafka.replication $v.kafka.strimzi.replicas)', '$v.kafka.replication'],
    violation: /ConfigMap nifty-auth has a replication factor above the number of brokers/,
  },
]
