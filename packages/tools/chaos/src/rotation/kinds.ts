import { generateKeyPairSync, randomBytes } from 'node:crypto'
import {
  type Program,
  programs,
  type ServiceName,
  serviceKeysVariable,
  serviceNames,
  services,
} from '@nifty/api/services'
import type { accessKeys } from '@nifty/dev-servers/object-storage'
import { operatorEntry } from '@nifty/service-kit/http/operator-token'
import { cacheSigningKey, serviceKeys } from '@nifty/service-kit/http/service-keys'
import type { Secrets } from '@nifty/testkit/data-dir'
import type { RunFile } from '@nifty/testkit/run-file'
import { Wallet } from 'ethers'
import type { OperatorsTool } from '../storm/operators-tool.ts'
import { rotateKey, secondSigner } from '../storm/rotation.ts'
import type { Servers } from '../storm/servers.ts'
import type { createCertificates } from './certificates.ts'
import type { startChainNodes, startMailServer, startTokenEndpoint, startTokenFile } from './providers.ts'
import * as servers from './servers.ts'

export type Operator = { name: string; privateKey: string }

export type Variables = Partial<Record<Program, NodeJS.ProcessEnv>>

/** What is done before, with and after one rolling update of the programs that have new variables. */
export type Step = { before?: () => Promise<unknown>; variables?: Variables; after?: () => Promise<unknown> }

/** How a secret is replaced in at most three steps. `admitsFormer`: whether the former value still works. */
export type Kind = { secret: string; steps: [Step, Step, Step]; admitsFormer?: () => Promise<boolean> }

export const SEED = 'rotation'
/** Former and next. */
export const nodeKeys = {
  CHAIN_RPC_URL: ['former-key-1', 'next-key-1'],
  CHAIN_RPC_URL_2: ['former-key-2', 'next-key-2'],
} as const
export const mailPasswords = { former: 'former-password-of-mails', next: 'next-password-of-mails' }
export const tokenSecrets = { former: 'former-secret-of-tokens', next: 'next-secret-of-tokens' }
const TEN_ETHER = `0x${(10n ** 19n).toString(16)}`

type Context = {
  run: RunFile
  secrets: Secrets
  postgres: string
  redis: string
  broker: Awaited<ReturnType<typeof servers.startBroker>>
  chain: Servers
  nodes: Awaited<ReturnType<typeof startChainNodes>>
  mailServer: Awaited<ReturnType<typeof startMailServer>>
  tokenEndpoint: Awaited<ReturnType<typeof startTokenEndpoint>>
  tokenFile: Awaited<ReturnType<typeof startTokenFile>>
  certificates: Awaited<ReturnType<typeof createCertificates>>
  storage: ReturnType<typeof accessKeys>
  pooler: { port: number; changeRoles: (roles: Record<string, string>) => Promise<void> }
  /** Both addresses of each process. */
  addresses: () => Promise<string[]>
  /** Whether a session that began before the rotation is accepted. */
  formerSession: { isAccepted: () => Promise<boolean> }
  /** Logs all buyers in again. */
  renewSessions: () => Promise<unknown>
  /** The former and the next one. */
  operators: readonly [Operator, Operator]
  /** The operator's tool with the keys of an operator, default the store's own, and of an owner of the contracts. */
  toolOf: (keys: { operator?: Operator; ownerKey: string }) => OperatorsTool
  /** Whether `ops reconcile` of this operator balances. */
  reconciles: (operator: Operator) => Promise<boolean>
  /** Resolves when no stored text is encrypted with a former key. */
  untilSealedAnew: () => Promise<unknown>
  /** Resolves when a signer has no open transactions. */
  untilDrained: (address: string) => Promise<unknown>
}

const newText = () => randomBytes(32).toString('base64url')
export const newPem = () =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const of = (programs: readonly Program[], env: NodeJS.ProcessEnv): Variables =>
  Object.fromEntries(programs.map((program) => [program, env]))

/** A setting with several values, of which the first writes and all read. */
const listOf = (name: string, [former, next]: [string, string]): NodeJS.ProcessEnv[] =>
  [`${former},${next}`, `${next},${former}`, next].map((value) => ({ [name]: value }))

export function kindsOf(context: Context): Kind[] {
  const { run, secrets, postgres, redis, broker, chain, operators } = context
  const { nodes, mailServer, tokenEndpoint, tokenFile, certificates, storage, pooler } = context
  const [nextPem, nextProcessorKey, nextWebhookSecret] = [newPem(), `sk_test_${newText()}`, `whsec_${newText()}`]
  const [former, next] = [new Wallet(secrets.chainSignerKey), secondSigner(SEED)]
  const owner = Wallet.createRandom()
  const operatorEntries = operators.map(({ name, privateKey }) => operatorEntry(name, privateKey))
  const asOwner = (ownerKey: string) => context.toolOf({ ownerKey })
  const processor = (path: string, body: object) =>
    fetch(`${run.processorUrl}/sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  const list = (secret: string, programs: readonly Program[], values: [string, string]): Kind => {
    const [first, second, third] = listOf(secret, values).map((env) => of(programs, env))
    return { secret, steps: [{ variables: first }, { variables: second }, { variables: third }] }
  }
  const betweenServices = services.flatMap(({ name, calls }) =>
    calls.map((called) => {
      const variable = serviceKeysVariable(name, called)
      return list(variable, [name, called], [serviceKeys(name, secrets.internalSecret)[variable]!, newText()])
    }),
  )
  const texts = (kind: Kind): Kind => {
    const [first, second, third] = kind.steps
    return { ...kind, steps: [first, second, { ...third, before: context.untilSealedAnew }] }
  }
  const perService = (env: (service: ServiceName) => NodeJS.ProcessEnv): Variables =>
    Object.fromEntries(serviceNames.map((name) => [name, env(name)]))

  return [
    ...betweenServices,
    texts(list('MAIL_TOKEN_KEY', ['auth', 'minting', 'notification'], [secrets.mailTokenKey, newText()])),
    texts(list('SECOND_FACTOR_KEY', ['auth'], [secrets.secondFactorKey, newText()])),
    {
      secret: 'AUTH_SIGNING_KEY',
      steps: [
        { variables: of(['auth'], { AUTH_ACCEPTED_KEY: nextPem }) },
        { variables: of(['auth'], { AUTH_SIGNING_KEY: nextPem, AUTH_ACCEPTED_KEY: secrets.authSigningKey }) },
        {
          // As within the twelve hours after which a token of the former key is refused anyway.
          before: async () => {
            await context.renewSessions()
            if (!(await context.formerSession.isAccepted())) throw new Error('a token of the former key is refused')
          },
          variables: of(['auth'], { AUTH_ACCEPTED_KEY: '' }),
        },
      ],
      admitsFormer: context.formerSession.isAccepted,
    },
    {
      secret: 'CACHE_SIGNING_KEY',
      steps: [{}, { variables: of(['catalog'], { CACHE_SIGNING_KEY: cacheSigningKey(newText()) }) }, {}],
    },
    {
      secret: 'STRIPE_WEBHOOK_SECRET',
      steps: [
        {
          variables: of(['payments'], { STRIPE_WEBHOOK_SECRET: `${secrets.stripeWebhookSecret},${nextWebhookSecret}` }),
          after: () => processor('webhook', { secret: nextWebhookSecret }),
        },
        {},
        { variables: of(['payments'], { STRIPE_WEBHOOK_SECRET: nextWebhookSecret }) },
      ],
    },
    {
      secret: 'STRIPE_SECRET_KEY',
      steps: [
        {},
        {
          before: () => processor('keys', { keys: [secrets.stripeKey, nextProcessorKey] }),
          variables: of(['payments'], { STRIPE_SECRET_KEY: nextProcessorKey }),
          after: () => processor('keys', { keys: [nextProcessorKey] }),
        },
        {},
      ],
      admitsFormer: async () => {
        const headers = { authorization: `Bearer ${secrets.stripeKey}` }
        return (await fetch(`${run.processorUrl}/v1/events`, { headers })).ok
      },
    },
    {
      secret: 'CHAIN_OWNER_KEY',
      steps: [
        {},
        {
          before: async () => {
            await chain.chain('anvil_setBalance', [owner.address, TEN_ETHER])
            await asOwner(secrets.chainDeployerKey)(['owner', 'transfer', owner.address])
            await asOwner(owner.privateKey)(['owner', 'accept'])
          },
        },
        {},
      ],
    },
    {
      secret: 'CHAIN_SIGNER_KEY',
      steps: [
        {
          variables: {
            auth: { WALLET_DENY_LIST: [former.address, next.address, ...Object.values(run.contracts)].join(',') },
            minting: { CHAIN_SIGNER_KEY: `${former.privateKey},${next.privateKey}` },
          },
          after: () =>
            rotateKey(
              {
                tool: asOwner(secrets.chainDeployerKey),
                seed: SEED,
                servers: chain,
                signerKey: secrets.chainSignerKey,
              },
              'drained',
            ),
        },
        {},
        {
          before: () => context.untilDrained(former.address),
          variables: { minting: { CHAIN_SIGNER_KEY: next.privateKey } },
          after: () =>
            context.toolOf({ operator: operators[1], ownerKey: owner.privateKey })([
              'signers',
              'remove',
              former.address,
              '--reason',
              'rotation',
            ]),
        },
      ],
    },
    ...(['CHAIN_RPC_URL', 'CHAIN_RPC_URL_2'] as const).map((secret): Kind => {
      const [formerKey, nextKey] = nodeKeys[secret]
      return {
        secret,
        steps: [
          {},
          {
            before: async () => nodes.add(nextKey),
            variables: of(secret === 'CHAIN_RPC_URL' ? ['auth', 'minting'] : ['minting'], {
              [secret]: nodes.urlWith(nextKey),
            }),
            after: async () => nodes.remove(formerKey),
          },
          {},
        ],
        admitsFormer: () => nodes.admits(formerKey),
      }
    }),
    {
      secret: 'POSTGRES_URL',
      steps: [
        {},
        {
          before: () => servers.createNextRoles(postgres),
          variables: perService((name) => servers.databaseVariables(postgres, 'next', name)),
          after: () => servers.closeFormerRoles(postgres),
        },
        {},
      ],
      admitsFormer: () => servers.admitsFormerRole(postgres),
    },
    {
      secret: 'POSTGRES_POOLER_URL',
      steps: [
        {},
        {
          before: () => pooler.changeRoles(servers.poolerRoles('former', 'next')),
          variables: perService((name) => servers.poolerVariables(postgres, pooler.port, 'next', name)),
          after: () => pooler.changeRoles(servers.poolerRoles('next')),
        },
        {},
      ],
      admitsFormer: () => servers.poolerAdmitsFormerRole(postgres, pooler.port),
    },
    {
      secret: 'POSTGRES_OWNER_URL',
      steps: [{ before: () => servers.changeOwnerPasswords(postgres) }, {}, {}],
      admitsFormer: () => servers.admitsFormerOwner(postgres),
    },
    {
      secret: 'KAFKA_PASSWORD',
      steps: [
        {},
        {
          before: broker.grantNext,
          variables: Object.fromEntries(servers.byPassword.map((name) => [name, servers.kafkaVariables('next', name)])),
          after: broker.revokeFormer,
        },
        {},
      ],
      admitsFormer: broker.admitsFormer,
    },
    {
      secret: 'KAFKA_OAUTH_CLIENT_SECRET',
      steps: [
        {},
        {
          before: async () => tokenEndpoint.add(tokenSecrets.next),
          variables: of([servers.BY_TOKEN], { KAFKA_OAUTH_CLIENT_SECRET: tokenSecrets.next }),
          after: async () => tokenEndpoint.remove(tokenSecrets.former),
        },
        {},
      ],
      admitsFormer: () => tokenEndpoint.admits(tokenSecrets.former),
    },
    {
      // Replaced the whole time, without a restart.
      secret: 'KAFKA_OAUTH_TOKEN_FILE',
      steps: [{}, {}, {}],
      admitsFormer: () => broker.admitsToken(tokenFile.first),
    },
    {
      secret: 'SMTP_URL',
      // Mails that are refused meanwhile are sent later.
      steps: [
        {},
        {
          before: async () => {
            mailServer.add(mailPasswords.next)
            mailServer.remove(mailPasswords.former)
          },
          variables: of(['notification'], { SMTP_URL: mailServer.urlWith(mailPasswords.next) }),
        },
        {},
      ],
      admitsFormer: () => mailServer.admits(mailPasswords.former),
    },
    {
      secret: 'AWS_SECRET_ACCESS_KEY',
      steps: [
        {},
        {
          before: () => storage.add(servers.storageKey('next')),
          variables: of(['auth', 'minting'], servers.storageVariables('next')),
          after: () => storage.remove(servers.storageKey('former')),
        },
        {},
      ],
      admitsFormer: () => storage.admits(servers.storageKey('former')),
    },
    {
      secret: 'TLS_KEY_FILE',
      steps: [
        { variables: of(programs, { NODE_EXTRA_CA_CERTS: certificates.trusted.both }) },
        { before: async () => certificates.serveNext(await context.addresses()) },
        { variables: of(programs, { NODE_EXTRA_CA_CERTS: certificates.trusted.next }) },
      ],
      admitsFormer: async () => {
        const connected = await Promise.all((await context.addresses()).map(certificates.formerConnects))
        return connected.some(Boolean)
      },
    },
    {
      secret: 'REDIS_URL',
      steps: [
        {},
        {
          before: () => servers.addNextRedisPassword(redis),
          variables: of(['gateway', 'catalog'], servers.redisVariables(redis, 'next')),
          after: () => servers.removeFormerRedisPassword(redis),
        },
        {},
      ],
      admitsFormer: () => servers.admitsFormerRedisPassword(redis),
    },
    {
      secret: 'OPERATORS',
      steps: [
        { variables: of(serviceNames, { OPERATORS: operatorEntries.join(',') }) },
        {},
        { variables: of(serviceNames, { OPERATORS: operatorEntries[1] }) },
      ],
      admitsFormer: () => context.reconciles(operators[0]),
    },
  ]
}
