import { confirmEmail, countSellers, grantAdmin } from '@nifty/api/auth/ops'
import { featureItems } from '@nifty/api/catalog/ops'
import { firstSteps } from '@nifty/api/first-steps'
import { perService } from '@nifty/api/services'
import { LOCAL_CHAIN_ID } from '@nifty/contracts/provider'
import { seedDemo, type WorkCount } from '@nifty/demo-data/seed'
import type { SeedProgress } from '@nifty/demo-data/seeding'
import { startOffice } from '@nifty/office/office'
import type { Log } from '@nifty/service-kit/base/logs'
import { createServiceClient } from '@nifty/service-kit/http/client'
import { operatorCredential, operatorEntry } from '@nifty/service-kit/http/operator-token'
import { cacheSigningKey } from '@nifty/service-kit/http/service-keys'
import { type DataDir, LOCAL_OPERATOR, readJson, type Secrets, storeIdOf, writeJson } from '@nifty/testkit/data-dir'
import { cards, type RunFile } from '@nifty/testkit/run-file'
import { Wallet } from 'ethers'
import { type Contracts, localContracts } from './contracts/local-contracts.ts'
import type { Dependencies, RunningDependencies } from './dependencies/dependencies.ts'
import { portFor } from './dependencies/ports.ts'
import { builtOffice } from './front-end/front-end.ts'
import { DEMO_FILE, type Settings } from './settings.ts'
import type { RunningStore, StoreOptions } from './store/store.ts'

/** An operator waits longer than services do, as in `pnpm ops`. */
const OPERATOR_TIMEOUT_MS = 120_000

/** Starts the store itself: in this process, or as one process per service. */
export type StartStore = (options: StoreOptions & { dataDir: DataDir; settings: Settings }) => Promise<RunningStore>

type StartOptions = {
  startStore: StartStore
  settings: Settings
  dataDir: DataDir
  secrets: Secrets
  dependencies: RunningDependencies
  webRoot: Promise<string>
  log: Log
  print: (text: string) => void
  /** Shows how far it is, until what is printed next. */
  showProgress: (text: string) => void
  /** Called with a function that stops everything started so far, each time something was added. */
  onStop: (stop: () => Promise<void>) => void
}

/**
 * Starts the store on its dependencies, seeds the demo data and writes `run.json`. Returns what to print, and what
 * starts consumers and workers: called once the store is ready, because their first runs take as long as the services'
 * start.
 */
export async function start({
  startStore,
  settings,
  dataDir,
  secrets,
  dependencies,
  webRoot,
  log,
  print,
  showProgress,
  onStop,
}: StartOptions) {
  const contracts = dependencies.chainRpcUrl
    ? await localContracts(dataDir, { rpcUrl: dependencies.chainRpcUrl, secrets, publicUrl: settings.publicUrl })
    : undefined
  showProgress('Building the front end, starting the services')
  const operator = { name: LOCAL_OPERATOR, privateKey: secrets.operatorKey }
  const env = environmentOf({ settings, dataDir, secrets, dependencies, contracts })
  const store = await startStore({
    dataDir,
    settings,
    env,
    postgresUrl: settings.postgresUrl ?? dependencies.postgresUrl!,
    resources: { storeId: env.STORE_ID!, prefix: settings.resourcePrefix },
    internalSecret: env.INTERNAL_SECRET!,
    host: env.HOST ?? 'localhost',
    port: settings.port,
    log,
    webRoot: await webRoot,
  })
  await writeJson(dataDir.file('operator.json'), {
    internalUrls: store.internalUrls,
    publicUrl: settings.publicUrl,
    operator,
    ...(env.KAFKA_BROKERS ? {} : { local: localPartsOf(dependencies, env) }),
  })

  onStop(async () => {
    await store.stop()
    await dependencies.stop()
  })
  const progressFile = dataDir.file(DEMO_FILE)
  const progress = await readJson<SeedProgress>(progressFile)
  // Works are minted and listed by them.
  if (!progress?.done) store.startBackground()
  const credential = operatorCredential(operator)
  const clients = perService((name) =>
    createServiceClient({ url: store.internalUrls[name]!, credential, name, timeoutMs: OPERATOR_TIMEOUT_MS }),
  )
  const { auth, catalog } = clients
  const reason = { reason: 'account of the demo' }
  const seed = await seedDemo({
    progress: { read: async () => progress, write: (progress) => writeJson(progressFile, progress) },
    log,
    print,
    onMinted: (minted, wanted) => showProgress(`Demo works: ${minted} of ${wanted}`),
    clients: store.clients,
    chainRpcUrl: dependencies.chainRpcUrl,
    works: settings.demoWorks,
    operator: {
      confirmEmail: (email) => auth(confirmEmail, { body: { email, ...reason } }),
      grantAdmin: (email) => auth(grantAdmin, { body: { email, ...reason } }),
      feature: (itemIds) => catalog(featureItems, { body: { itemIds, reason: 'works of the demo' } }),
    },
  })
  const office = await startOffice({
    port: await portFor(dataDir.folder, 'office'),
    store: { operator: operator.name, publicUrl: settings.publicUrl, clients },
    webRoot: builtOffice,
  })
  onStop(async () => {
    await office.stop()
    await seed.stop()
    await store.stop()
    await dependencies.stop()
  })
  await seed.presentable

  const run: RunFile = {
    url: settings.publicUrl,
    mailboxUrl: dependencies.mailboxUrl,
    processorUrl: dependencies.processorUrl,
    chainRpcUrl: env.CHAIN_RPC_URL!,
    chainId: Number(env.CHAIN_ID),
    contracts: { collection: env.CHAIN_COLLECTION!, delivery: env.CHAIN_DELIVERY! },
    accounts: seed.accounts,
    cards,
  }
  await writeJson(dataDir.file('run.json'), run)
  // A store that does not answer yet is no reason to fail.
  const counted = await auth(countSellers).catch(() => undefined)
  const banner = bannerOf(run, {
    office: office.address,
    works: await seed.countWorks(),
    hasSeller: counted?.sellers !== 0,
  })
  return { banner, startBackground: store.startBackground }
}

/** What a backup copies: only what the launcher started, and only if events are in PostgreSQL as well. */
const localPartsOf = ({ postgresUrl, chainRpcUrl, processorUrl }: Dependencies, env: NodeJS.ProcessEnv) => ({
  postgresUrl,
  chainRpcUrl,
  processor: processorUrl !== undefined,
  uploads: env.UPLOADS_DIR,
})

function environmentOf({
  settings,
  dataDir,
  secrets,
  dependencies,
  contracts,
}: {
  settings: Settings
  dataDir: DataDir
  secrets: Secrets
  dependencies: Dependencies
  contracts?: Contracts
}): NodeJS.ProcessEnv {
  const local = dependencies.chainRpcUrl !== undefined
  const own: NodeJS.ProcessEnv = {
    PUBLIC_URL: settings.publicUrl,
    AUTH_SIGNING_KEY: secrets.authSigningKey,
    INTERNAL_SECRET: secrets.internalSecret,
    MAIL_TOKEN_KEY: secrets.mailTokenKey,
    SECOND_FACTOR_KEY: secrets.secondFactorKey,
    STORE_ID: storeIdOf(secrets),
    UPLOADS_DIR: settings.env.UPLOADS_URL || dependencies.objectStorage ? undefined : dataDir.file('uploads'),
    ...dependencies.objectStorage,
    SMTP_URL: dependencies.smtpUrl,
    POSTGRES_POOLER_URL: dependencies.poolerUrl,
    KAFKA_BROKERS: dependencies.kafkaBrokers,
    REDIS_URL: dependencies.redisUrl,
    CACHE_SIGNING_KEY: cacheSigningKey(secrets.internalSecret),
    ...(dependencies.processorUrl && {
      STRIPE_SECRET_KEY: secrets.stripeKey,
      STRIPE_WEBHOOK_SECRET: secrets.stripeWebhookSecret,
      STRIPE_API_URL: dependencies.processorUrl,
      PAY_ORIGIN: new URL(dependencies.processorUrl).origin,
    }),
    ...(local && {
      CHAIN_RPC_URL: dependencies.chainRpcUrl,
      CHAIN_PUBLIC_RPC_URL: dependencies.chainRpcUrl,
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
  // Variables that the operator sets take precedence; the folder's own operator stays one.
  const given = Object.fromEntries(Object.entries(settings.env).filter(([, value]) => value))
  const operators = [operatorEntry(LOCAL_OPERATOR, secrets.operatorKey), given.OPERATORS].filter(Boolean).join(',')
  return { ...own, ...given, OPERATORS: operators }
}

const firstStepsLines = (url: string) => [
  '  First steps    nobody may sell in this store yet',
  ...firstSteps(url).map(({ text }, index) => `    ${index + 1}. ${text}`),
  '',
]

type Found = { office: string; works: WorkCount | undefined; hasSeller: boolean }

function bannerOf({ url, mailboxUrl, processorUrl, accounts, cards }: RunFile, { office, works, hasSeller }: Found) {
  const lines = [
    '',
    `  Store          ${url}`,
    `  Office         ${office}`,
    ...(mailboxUrl ? [`  Mailbox        ${mailboxUrl}`] : []),
    ...(processorUrl
      ? [`  Test card      ${cards.approved} pays, ${cards.declined} is declined (any date and CVC)`]
      : []),
    ...(works ? [`  Demo works     ${statusOf(works)}`] : []),
    '',
    ...accounts.map(({ role, email, password }) => `  ${role.padEnd(14)} ${email}  password ${password}`),
    '',
    ...(hasSeller ? [] : firstStepsLines(url)),
  ]
  return lines.join('\n')
}

const statusOf = ({ listed, left }: WorkCount) =>
  left > 0
    ? `${listed} are in the market, ${left} are still being minted and appear there`
    : `${listed} are in the market`
