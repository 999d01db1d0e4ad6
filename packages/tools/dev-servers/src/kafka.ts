import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hasDocker, startContainer } from './docker.ts'
import { freePort } from './free-port.ts'
import { serversFromMaven } from './maven.ts'
import { startServer } from './server-process.ts'

const IMAGE = 'apache/kafka:4.1.0'
const FOUR_WEEKS_MINUTES = 4 * 7 * 24 * 60

type User = { username: string; password: string }

/**
 * A broker that admits users only, over TLS, with the rights that `admin` grants them. Needs Java. It takes unsecured
 * tokens (RFC 7519, 6) of any user too, for tests.
 */
export type KafkaAccess = { admin: User; users: User[]; tls: { key: string; cert: string; ca: string } }

export type KafkaServer = {
  brokers: string[]
  /** Stops the broker (SIGKILL for a crash) and keeps its data. */
  halt: (signal?: NodeJS.Signals) => Promise<void>
  /** Starts it again at the same address. */
  resume: () => Promise<void>
  stop: () => Promise<void>
}

/**
 * One broker in combined mode (broker and controller): a container where a Docker engine runs, else Apache Kafka on
 * Java. The folder keeps its data.
 */
export async function startKafka({
  folder,
  port,
  controllerPort,
  access,
}: {
  folder: string
  port?: number
  controllerPort?: number
  access?: KafkaAccess
}): Promise<KafkaServer> {
  const ports = { port: port || (await freePort()), controllerPort: controllerPort || (await freePort()) }
  const brokers = [`127.0.0.1:${ports.port}`]
  const server =
    !access && (await hasDocker()) ? await inContainer(ports.port) : await onJava(folder, { ...ports, access })
  return { brokers, ...server, stop: () => server.halt() }
}

async function onJava(
  folder: string,
  { port, controllerPort, access }: { port: number; controllerPort: number; access?: KafkaAccess },
) {
  const { kafka: jars } = await serversFromMaven()
  const data = join(folder, 'data')
  const properties = join(folder, 'server.properties')
  const java = (heap: string) => [`-Xmx${heap}`, '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', join(jars, '*')]
  await mkdir(folder, { recursive: true })
  const listener = access ? 'USERS' : 'PLAINTEXT'
  const listeners = {
    listeners: `${listener}://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `${listener}://127.0.0.1:${port}`,
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    'log.dirs': data,
    ...(access && accessSettings(access)),
  }
  const lines = Object.entries({ ...settings, ...listeners }).map(([name, value]) => `${name}=${value}`)
  await writeFile(properties, `${lines.join('\n')}\n`)
  if (!existsSync(join(data, 'meta.properties'))) {
    // A cluster id is 16 bytes in base64; one that begins with "-" would be parsed as an option.
    const id = `n${randomBytes(16).toString('base64url').slice(1, 22)}`
    await promisify(execFile)('java', [
      ...java('128m'),
      'kafka.tools.StorageTool',
      'format',
      '-t',
      id,
      '-c',
      properties,
      ...[access?.admin, ...(access?.users ?? [])].flatMap((user) => (user ? ['--add-scram', scramOf(user)] : [])),
    ])
  }
  const args = [...java('256m'), 'kafka.Kafka', properties]
  return startServer({ command: 'java', args, folder, port, cmdlinePart: properties })
}

const scramOf = ({ username, password }: User) => `SCRAM-SHA-512=[name=${username},password=${password}]`

/** The controller connects without a user; all others log in and have no rights until some are granted. */
function accessSettings({ admin, tls }: KafkaAccess) {
  const oneLine = (pem: string) => pem.trim().replaceAll('\n', '\\n')
  const login = 'org.apache.kafka.common.security.scram.ScramLoginModule'
  const byToken = 'org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule'
  return {
    'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,USERS:SASL_SSL',
    'inter.broker.listener.name': 'USERS',
    'sasl.enabled.mechanisms': 'SCRAM-SHA-512,OAUTHBEARER',
    'sasl.mechanism.inter.broker.protocol': 'SCRAM-SHA-512',
    'listener.name.users.scram-sha-512.sasl.jaas.config': `${login} required username="${admin.username}" password="${admin.password}";`,
    'listener.name.users.oauthbearer.sasl.jaas.config': `${byToken} required unsecuredLoginStringClaim_sub="broker";`,
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.key': oneLine(tls.key),
    'ssl.keystore.certificate.chain': oneLine(tls.cert),
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.certificates': oneLine(tls.ca),
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'super.users': `User:${admin.username};User:ANONYMOUS`,
  }
}

const settings = {
  'process.roles': 'broker,controller',
  'node.id': 1,
  'controller.listener.names': 'CONTROLLER',
  'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
  'offsets.topic.replication.factor': 1,
  'offsets.topic.num.partitions': 5,
  // Keep the offsets of groups without members for some weeks.
  'offsets.retention.minutes': FOUR_WEEKS_MINUTES,
  'transaction.state.log.replication.factor': 1,
  'transaction.state.log.min.isr': 1,
  'group.initial.rebalance.delay.ms': 0,
  // Short, so that tests detect a killed member quickly.
  'group.min.session.timeout.ms': 1_000,
  'auto.create.topics.enable': false,
}

/** The image reads each setting from an environment variable. */
const variableOf = (name: string) => `KAFKA_${name.toUpperCase().replaceAll('.', '_')}`

const inContainer = (port: number) =>
  startContainer({
    image: IMAGE,
    containerPort: 9092,
    port,
    environment: Object.fromEntries(
      Object.entries({
        ...settings,
        listeners: 'PLAINTEXT://:9092,CONTROLLER://:9093',
        'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
        'controller.quorum.voters': '1@localhost:9093',
      }).map(([name, value]) => [variableOf(name), String(value)]),
    ),
  })
