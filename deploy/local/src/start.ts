import { seedDemo } from '@nifty/demo-data/seed'
import { createServiceClient } from '@nifty/service-kit/http/internal'
import type { Log } from '@nifty/service-kit/logs'
import { Wallet } from 'ethers'
import { type Home, readJson, type Secrets, writeJson } from './data-dir.ts'
import type { Outside, RunningOutside } from './dependencies/dependencies.ts'
import { cards, type RunFile } from './run-file.ts'
import type { Settings } from './settings.ts'
import { type Contracts, localContracts } from './store/contracts.ts'
import type { RunningStore, StoreOptions } from './store/store.ts'

const LOCAL_CHAIN_ID = 31337

/** Starts the store itself: in this process, or as many. */
export type StartStore = (options: StoreOptions & { home: Home; settings: Settings }) => Promise<RunningStore>

type Launch = {
  startStore: StartStore
  settings: Settings
  home: Home
  secrets: Secrets
  outside: RunningOutside
  webRoot: Promise<string>
  log: Log
  say: (text: string) => void
  /** Told how to stop what runs so far, each time something was added. */
  onStop: (stop: () => Promise<void>) => void
}

/** Starts the store on what is around it, then shows what a first visitor sees. */
export async function launch({ startStore, settings, home, secrets, outside, webRoot, log, say, onStop }: Launch) {
  const contracts = outside.chainRpcUrl
    ? await localContracts(home, { rpcUrl: outside.chainRpcUrl, secrets, publicUrl: settings.publicUrl })
    : undefined
  const env = environmentOf({ settings, home, secrets, outside, contracts })
  const store = await startStore({
    home,
    settings,
    env,
    postgresUrl: settings.postgresUrl ?? outside.postgresUrl!,
    internalSecret: env.INTERNAL_SECRET!,
    host: env.HOST ?? 'localhost',
    port: settings.port,
    log,
    webRoot: await webRoot,
  })
  await writeJson(home.file('operator.json'), {
    internalUrls: store.internalUrls,
    internalSecret: env.INTERNAL_SECRET,
    ...(env.KAFKA_BROKERS ? {} : { parts: partsOf(outside, env) }),
  })

  onStop(async () => {
    await store.stop()
    await outside.stop()
  })
  const progressFile = home.file('demo.json')
  const auth = createServiceClient({ url: store.internalUrls.auth!, secret: env.INTERNAL_SECRET!, name: 'auth' })
  const reason = { by: 'demo', why: 'account of the demo' }
  const seed = await seedDemo({
    progress: { read: () => readJson(progressFile), write: (progress) => writeJson(progressFile, progress) },
    log,
    say,
    apps: store.apps,
    chainRpcUrl: outside.chainRpcUrl,
    works: settings.demoWorks,
    operator: {
      confirmEmail: (email) => auth('POST', '/internal/ops/confirm-email', { email, ...reason }),
      grantAdmin: (email) => auth('POST', '/internal/ops/grant-admin', { email, ...reason }),
    },
  })
  onStop(async () => {
    await seed.stop()
    await store.stop()
    await outside.stop()
  })
  await Promise.all([seed.presentable, outside.complete])

  const run: RunFile = {
    url: settings.publicUrl,
    mailboxUrl: outside.mailboxUrl,
    processorUrl: outside.processorUrl,
    chainRpcUrl: env.CHAIN_RPC_URL!,
    chainId: Number(env.CHAIN_ID),
    contracts: { collection: env.CHAIN_COLLECTION!, delivery: env.CHAIN_DELIVERY! },
    accounts: seed.accounts,
    cards,
  }
  await writeJson(home.file('run.json'), run)
  return { banner: bannerOf(run) }
}

/** What a backup copies: only what the launcher itself brought, and only where events are in PostgreSQL as well. */
const partsOf = ({ postgresUrl, chainRpcUrl, processorUrl }: Outside, env: NodeJS.ProcessEnv) => ({
  postgresUrl,
  chainRpcUrl,
  processor: processorUrl !== undefined,
  uploads: env.UPLOADS_DIR,
})

function environmentOf({
  settings,
  home,
  secrets,
  outside,
  contracts,
}: {
  settings: Settings
  home: Home
  secrets: Secrets
  outside: Outside
  contracts?: Contracts
}): NodeJS.ProcessEnv {
  const local = outside.chainRpcUrl !== undefined
  const own: NodeJS.ProcessEnv = {
    PUBLIC_URL: settings.publicUrl,
    AUTH_SIGNING_KEY: secrets.authSigningKey,
    INTERNAL_SECRET: secrets.internalSecret,
    UPLOADS_DIR: home.file('uploads'),
    SMTP_URL: outside.smtpUrl,
    KAFKA_BROKERS: outside.kafkaBrokers,
    REDIS_URL: outside.redisUrl,
    ...(outside.processorUrl && {
      STRIPE_SECRET_KEY: secrets.stripeKey,
      STRIPE_WEBHOOK_SECRET: secrets.stripeWebhookSecret,
      STRIPE_API_URL: outside.processorUrl,
      PAY_ORIGIN: new URL(outside.processorUrl).origin,
    }),
    ...(local && {
      CHAIN_RPC_URL: outside.chainRpcUrl,
      CHAIN_PUBLIC_RPC_URL: outside.chainRpcUrl,
      CHAIN_ID: String(LOCAL_CHAIN_ID),
      CHAIN_SIGNER_KEY: secrets.chainSignerKey,
      CHAIN_COLLECTION: contracts!.collection,
      CHAIN_DELIVERY: contracts!.delivery,
      CHAIN_FROM_BLOCK: String(contracts!.fromBlock),
      CHAIN_FINALITY_DEPTH: '2',
    }),
    WALLET_DENY_LIST: contracts
      ? [new Wallet(secrets.chainSignerKey).address, contracts.collection, contracts.delivery].join(',')
      : undefined,
  }
  // What the operator sets wins over what the launcher brings.
  return { ...own, ...Object.fromEntries(Object.entries(settings.env).filter(([, value]) => value)) }
}

function bannerOf({ url, mailboxUrl, processorUrl, accounts, cards }: RunFile) {
  const lines = [
    '',
    `  The store      ${url}`,
    ...(mailboxUrl ? [`  Its mails      ${mailboxUrl}`] : []),
    ...(processorUrl
      ? [`  Test card      ${cards.approved} pays, ${cards.declined} is declined (any date and CVC)`]
      : []),
    '',
    ...accounts.map(({ role, email, password }) => `  ${role.padEnd(14)} ${email}  password ${password}`),
    '',
  ]
  return lines.join('\n')
}
