import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { getCurrentUser, login } from '@nifty/api/auth/public'
import { confirmTotp, loginWithSecondFactor, startTotp } from '@nifty/api/auth/second-factor'
import { internalUrlVariable, type Program, programs, serviceNames } from '@nifty/api/services'
import { freePort } from '@nifty/dev-servers/free-port'
import { accessKeys } from '@nifty/dev-servers/object-storage'
import { changeRoles } from '@nifty/dev-servers/pgbouncer'
import { accountsOf, createApiClient, logIn } from '@nifty/testkit/api-client'
import { connectCluster } from '@nifty/testkit/cluster'
import { LOCAL_OPERATOR, type Secrets } from '@nifty/testkit/data-dir'
import { buyersOf } from '@nifty/testkit/purchase'
import type { RunFile } from '@nifty/testkit/run-file'
import { waitUntil } from '@nifty/testkit/wait-until'
import type { Campaign } from '../campaign/campaign.ts'
import { databaseServerUrl, query } from '../campaign/databases.ts'
import { lostEvents } from '../campaign/messages.ts'
import { countRequests } from '../campaign/requests.ts'
import { sell } from '../campaign/sales.ts'
import { closeShop, openShop } from '../campaign/shop.ts'
import { startReaders } from '../rolling/readers.ts'
import { openJournal } from '../storm/journal.ts'
import { createOperatorsTool } from '../storm/operators-tool.ts'
import { connectServers } from '../storm/servers.ts'
import { createCertificates } from './certificates.ts'
import { POOLER_FOLDER, STARTED_VARIABLE, type Started } from './extension.ts'
import { replaceInternalSecret } from './internal-secret.ts'
import {
  type Kind,
  kindsOf,
  mailPasswords,
  newPem,
  nodeKeys,
  type Operator,
  type Step,
  tokenSecrets,
  type Variables,
} from './kinds.ts'
import { startChainNodes, startMailServer, startTokenEndpoint, startTokenFile } from './providers.ts'
import { STORE_ID, startBroker, TOKEN_CLIENT, TOKEN_FILE_USER } from './servers.ts'
import { totp } from './totp.ts'
import { startUploads } from './uploads.ts'

const PURCHASES = 60
const REPLICAS = 1
const opsProgram = join(import.meta.dirname, '../../../../../deploy/ops/src/main.ts')
const LONG = { timeoutMs: 180_000, intervalMs: 500 }
/** A mail that was refused for a minute is sent again within six. */
const LONG_MAILS = { timeoutMs: 400_000, intervalMs: 1_000 }

/** Replaces a secret of each kind under sale, in three rolling updates: no request may fail, nothing may be lost. */
export const rotation: Campaign = async (log) => {
  const folder = await mkdtemp(join(tmpdir(), 'nifty-rotation-'))
  const formerNodes = { CHAIN_RPC_URL: nodeKeys.CHAIN_RPC_URL[0], CHAIN_RPC_URL_2: nodeKeys.CHAIN_RPC_URL_2[0] }
  const [broker, certificates, mailServer, nodes, tokenEndpoint, tokenFile, poolerPort] = await Promise.all([
    startBroker(join(folder, 'broker')),
    createCertificates(join(folder, 'tls')),
    startMailServer(mailPasswords.former),
    startChainNodes(...Object.values(formerNodes)),
    startTokenEndpoint(TOKEN_CLIENT, tokenSecrets.former),
    startTokenFile(join(folder, 'token'), TOKEN_FILE_USER),
    freePort(),
  ])
  const { served, trusted } = certificates
  const started: Started = {
    nodesUrl: nodes.url,
    nodes: {
      CHAIN_RPC_URL: nodes.urlWith(formerNodes.CHAIN_RPC_URL),
      CHAIN_RPC_URL_2: nodes.urlWith(formerNodes.CHAIN_RPC_URL_2),
    },
    tokenUrl: tokenEndpoint.url,
    tokenSecret: tokenSecrets.former,
    tokenFile: tokenFile.file,
    poolerPort,
    tls: { TLS_CERT_FILE: served.certFile, TLS_KEY_FILE: served.keyFile, NODE_EXTRA_CA_CERTS: trusted.former },
  }
  const shop = await openShop({
    log,
    works: PURCHASES + 10,
    launcher: 'cluster/main.ts',
    extension: join(import.meta.dirname, 'extension.ts'),
    env: {
      ...broker.env,
      STORE_ID,
      REPLICAS: String(REPLICAS),
      DRAIN_SECONDS: '6',
      OBJECT_STORAGE: '1',
      SMTP_URL: mailServer.urlWith(mailPasswords.former),
      // Of the launcher, which probes processes that serve either certificate.
      NODE_EXTRA_CA_CERTS: trusted.both,
      [STARTED_VARIABLE]: JSON.stringify(started),
    },
  })
  const { run, store } = shop
  const cluster = connectCluster(store.folder)
  const chain = connectServers(run, { folder: store.folder, cluster })
  const secrets: Secrets = JSON.parse(await readFile(join(store.folder, 'secrets.json'), 'utf8'))
  const ports = JSON.parse(await readFile(join(store.folder, 'ports.json'), 'utf8'))
  const internalUrls = await cluster.internalUrls()
  const journal = openJournal(join(folder, 'journal.jsonl'))
  const chainVariables = {
    CHAIN_RPC_URL: run.chainRpcUrl,
    CHAIN_ID: String(run.chainId),
    CHAIN_COLLECTION: run.contracts.collection,
    CHAIN_DELIVERY: run.contracts.delivery,
  }
  const operators = [
    { name: LOCAL_OPERATOR, privateKey: secrets.operatorKey },
    { name: 'next', privateKey: newPem() },
  ] as const
  const variablesOf = (operator: Operator | undefined): NodeJS.ProcessEnv =>
    operator
      ? {
          ...Object.fromEntries(serviceNames.map((name) => [internalUrlVariable(name), internalUrls[name]])),
          NODE_EXTRA_CA_CERTS: trusted.both,
          OPERATOR_NAME: operator.name,
          OPERATOR_KEY: operator.privateKey,
        }
      : { NIFTY_HOME: store.folder, NODE_EXTRA_CA_CERTS: trusted.both }
  const reconcile = (operator: Operator) =>
    promisify(execFile)(process.execPath, [opsProgram, 'reconcile', 'all'], {
      env: { ...process.env, ...variablesOf(operator) },
    }).then(
      () => true,
      () => false,
    )
  const formerSession = await startFormerSession(run)
  const kinds = kindsOf({
    run,
    secrets,
    postgres: await databaseServerUrl(store.folder),
    redis: `redis://127.0.0.1:${ports.redis}`,
    broker,
    chain,
    nodes,
    mailServer,
    tokenEndpoint,
    tokenFile,
    certificates,
    storage: accessKeys(ports['object-storage']),
    pooler: {
      port: poolerPort,
      changeRoles: (roles) => changeRoles(join(store.folder, POOLER_FOLDER), roles),
    },
    addresses: async () => (await cluster.processes()).flatMap(({ url, internalUrl }) => [url!, internalUrl!]),
    formerSession,
    renewSessions: async () => {
      const renewed = await buyersOf(run)
      for (const [place, { client }] of renewed.entries()) shop.buyers[place]!.client = client
    },
    toolOf: ({ operator, ownerKey }) =>
      createOperatorsTool({ ...variablesOf(operator), ...chainVariables, CHAIN_OWNER_KEY: ownerKey }, journal),
    operators,
    reconciles: reconcile,
    untilSealedAnew: () =>
      waitUntil(async () => {
        const found = await Promise.all(
          (['auth', 'minting', 'notification'] as const).map(async (name) =>
            (await fetch(`${internalUrls[name]}/metrics`)).text(),
          ),
        )
        return found.every((text) => /^nifty_former_key_texts(\{[^}]*\})? 0$/m.test(text))
      }, LONG_MAILS),
    untilDrained: (address) =>
      waitUntil(async () => {
        const open = await query(
          store.folder,
          'minting',
          'select 1 from chain_transaction where signer = $1 and final_at is null',
          [address],
        )
        return open.length === 0
      }, LONG),
  })

  const member = await withSecondFactor(run)
  const starts = watchStarts(cluster)
  const atStart = programs.length * REPLICAS
  const updates = [0, 1, 2].map((index) => changesOf(kinds, index))
  const expected = updates.reduce((sum, variables) => sum + Object.keys(variables).length * REPLICAS, 0)
  const requests = countRequests(run.url)
  const readers = startReaders(run, shop.works)
  const uploads = startUploads(run)
  const selling = sell(shop, shop.works.slice(0, PURCHASES), {
    everyMs: 1_000,
    atOnce: 6,
    // Spread over the whole of the rotation.
    mayBegin: (place) => place < ((starts.count() - atStart + 1) / expected) * PURCHASES,
  })
  const violations: string[] = []
  for (const [index, variables] of updates.entries()) {
    const steps = kinds.map(({ steps }) => steps[index] as Step)
    for (const { before } of steps) await before?.()
    const reply = await store.send({ variables })
    if (reply.failed) violations.push(String(reply.failed))
    for (const { after } of steps) await after?.()
    log(`step ${index + 1} of 3: ${selling.begun()} purchases begun, ${selling.completed()} completed`)
  }
  await selling.done
  await readers.stop()
  const uploaded = await uploads.stop()
  const { sent } = requests
  const failed = [...requests.failed]
  violations.push(...failed.map((what) => `failed at the gateway: ${what}`), ...(await selling.violations()))
  violations.push(...uploaded.violations)
  if (!(await member.logsIn())) violations.push('a second factor of the former key is not accepted')
  const reconciles = await reconcile(operators[1])
  if (!reconciles) violations.push('`ops reconcile all` does not balance')
  for (const { secret, admitsFormer } of kinds)
    if (await admitsFormer?.()) violations.push(`${secret}: the former value is accepted`)
  const { events, violations: lost } = await lostEvents(store.folder)
  violations.push(...lost)
  const mails = await sentMails(store.folder)
  violations.push(...mails.filter((id) => !mailServer.taken.has(id)).map((id) => `the mail ${id} did not arrive`))
  await starts.stop()
  await chain.stop()
  await closeShop(shop, {
    violations,
    log,
    stopServers: async () =>
      void (await Promise.all([broker, mailServer, nodes, tokenEndpoint, tokenFile].map(({ stop }) => stop()))),
  })
  violations.push(...(await replaceInternalSecret(log)))
  if (violations.length === 0) await rm(folder, { recursive: true })
  return {
    metrics: {
      secrets: kinds.length + 1,
      purchases: PURCHASES,
      completed: selling.completed(),
      'processes replaced': `${starts.count() - atStart} of ${expected}`,
      'requests at the gateway': sent,
      'requests that failed': failed.length,
      'pictures uploaded and read again': uploaded.count,
      'tokens for Kafka in the file': tokenFile.count(),
      'events compared': events,
      'reconcile balances': String(reconciles),
      'mails sent': mails.length,
      'mails refused at first': mailServer.refusals(),
      'former values refused': kinds.filter(({ admitsFormer }) => admitsFormer).length + 1,
    },
    violations,
  }
}

/** The variables of all kinds at one step. */
function changesOf(kinds: Kind[], index: number): Variables {
  const merged: Variables = {}
  for (const { steps } of kinds)
    for (const [program, env] of Object.entries(steps[index]!.variables ?? {}))
      merged[program as Program] = { ...merged[program as Program], ...env }
  return merged
}

/** A session of the first signing key that ends with it. */
async function startFormerSession(run: RunFile) {
  const { url } = run
  const { token } = await logIn(run, accountsOf(run, 'creator')[0]!)
  const headers = { authorization: `Bearer ${token}` }
  return { isAccepted: async () => (await fetch(url + getCurrentUser.path, { headers })).ok }
}

/** Message ids of all mails, once none waits. */
async function sentMails(folder: string): Promise<string[]> {
  await waitUntil(
    async () => (await query(folder, 'notification', 'select 1 from mail where sent_at is null')).length === 0,
    LONG_MAILS,
  )
  const mails = await query<{ message_id: string }>(folder, 'notification', 'select message_id from mail')
  return mails.map(({ message_id: id }) => `${id.replaceAll('-', '')}@localhost`)
}

/** Counts the processes that were ready. */
function watchStarts(cluster: ReturnType<typeof connectCluster>) {
  const seen = new Set<number>()
  let over = false
  const watching = (async () => {
    while (!over) {
      for (const { pid, ready } of await cluster.processes()) if (pid && ready) seen.add(pid)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  })()
  return {
    count: () => seen.size,
    stop: async () => {
      over = true
      await watching
    },
  }
}

/** An account whose log-in needs a code of an authenticator app. */
async function withSecondFactor(run: RunFile) {
  const { email, password } = accountsOf(run, 'creator').at(-1)!
  const client = await logIn(run, { email, password })
  const { body } = await client.send(startTotp)
  const confirmed = await client.send(confirmTotp, { body: { code: totp(body.secret) } })
  if (confirmed.status !== 200) throw new Error(`the second factor is refused: ${JSON.stringify(confirmed.body)}`)
  return {
    logsIn: async () => {
      const anonymous = createApiClient(run)
      const first = await anonymous.send(login, { body: { email, password } })
      if (!('challenge' in first.body)) return false
      const { challenge } = first.body as { challenge: string }
      const second = await anonymous.send(loginWithSecondFactor, { body: { challenge, code: totp(body.secret) } })
      return second.status === 200
    },
  }
}
