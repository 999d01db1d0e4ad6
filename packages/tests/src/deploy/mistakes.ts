/** What each rule and schema is there for: `change` in `template` is caught with these words. */
export const mistakes = [
  {
    what: 'a misspelt field',
    template: 'deployment.yaml',
    change: ['minReadySeconds: 5', 'minReadySecond: 5'],
    caught: /deployment\/nifty-auth .*'minReadySecond' was unexpected/,
  },
  {
    what: 'a text for a number',
    template: 'deployment.yaml',
    change: ['periodSeconds: 10', 'periodSeconds: ten'],
    caught: /deployment\/nifty-auth .*livenessProbe.periodSeconds: 'ten' is not of type 'integer'/,
  },
  {
    what: 'a selector that matches nothing',
    template: 'service.yaml',
    change: [
      '{{- include "nifty.selector" $of | nindent 4 }}\n  ports:',
      'app.kubernetes.io/component: {{ $part }}s\n  ports:',
    ],
    caught: /Service nifty-auth selects nothing/,
  },
  {
    what: 'pods that their deployment does not know',
    template: 'deployment.yaml',
    change: ['{{- include "nifty.selector" $of | nindent 6 }}', 'app: {{ $part }}'],
    caught: /Deployment nifty-auth does not select its own pods/,
  },
  {
    what: "a misspelt field of an operator's object",
    template: 'autoscaling.yaml',
    change: ['pollingInterval', 'pollingIntervall'],
    caught: /ScaledObject nifty-minting: .*pollingIntervall/,
  },
  {
    what: 'a number where an operator wants a text',
    template: 'autoscaling.yaml',
    change: ['lagThreshold: {{ $scaling.target | quote }}', 'lagThreshold: {{ $scaling.target }}'],
    caught: /ScaledObject nifty-minting: .*lagThreshold must be string/,
  },
  {
    what: 'a budget that guards nobody',
    template: 'service.yaml',
    change: ['      {{- include "nifty.selector" $of | nindent 6 }}', '      app: {{ $part }}'],
    caught: /Deployment nifty-auth has no disruption budget of its own/,
  },
  {
    what: 'a missing probe',
    template: 'deployment.yaml',
    change: ['readinessProbe:', 'livelinessProbe:'],
    caught: /Deployment nifty-auth lacks a probe/,
  },
  {
    what: 'a unit that Kubernetes does not know',
    template: 'migrations.yaml',
    change: ['memory: 128Mi', 'memory: 128MB'],
    caught: /Job nifty-migrate-auth has senseless amounts of memory/,
  },
  {
    what: 'an autoscaler with its ends exchanged',
    template: 'autoscaling.yaml',
    change: ['minReplicas: {{ $scaling.min }}', 'minReplicas: {{ add $scaling.max 1 }}'],
    caught: /HorizontalPodAutoscaler nifty-auth goes from 9 to 8/,
  },
  {
    what: 'a label that is as long as the tag',
    template: '_names.tpl',
    change: [' | trunc 63 | trimAll "-_."', ''],
    caught: /Deployment nifty-auth cannot have 7+-f+ as its label app.kubernetes.io\/version/,
  },
  {
    what: 'a port in the name of a host',
    template: 'ingress.yaml',
    change: ['.hostname', '.host'],
    caught: /Ingress nifty-gateway is for shop.example:8443, which is no host/,
  },
  {
    what: 'orders that go with the release',
    template: 'cloud-native-pg.yaml',
    change: ['helm.sh/resource-policy: keep', 'helm.sh/resource-policy: delete'],
    caught: /Cluster nifty-postgres goes with the release/,
  },
  {
    what: 'brokers that are replaced with each release',
    template: 'strimzi.yaml',
    change: ['nifty.lastingLabels', 'nifty.ownership'],
    caught: /Kafka nifty-events replaces its servers with each release/,
  },
  {
    what: 'brokers by a name that KEDA does not know',
    template: '_parts.tpl',
    change: ['.{{ .Release.Namespace }}.svc:9092', ':9092'],
    caught: /ScaledObject nifty-minting asks nifty-events-kafka-bootstrap:9092/,
  },
  {
    what: 'more copies than brokers',
    template: '_config.tpl',
    change: ['(min $v.kafka.replication $v.kafka.strimzi.replicas)', '$v.kafka.replication'],
    caught: /ConfigMap nifty-auth wants more copies than there are brokers/,
  },
]
