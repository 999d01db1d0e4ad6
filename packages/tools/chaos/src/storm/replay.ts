import { createHash, createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processorWebhook } from '@nifty/api/payments/public'
import { serviceNames } from '@nifty/api/services'
import type { Journal } from './journal.ts'
import { readLag, repeatTopics } from './topics.ts'
import { brokersOf, type Row, readDatabases, readWorld, type Sources, topicNames, type World } from './world.ts'

const QUIET_MS = 5_000
const WITHIN_MS = 120_000
const WEBHOOKS_AT_ONCE = 10

/** Tables that are no business of the store, or that follow the clock or the chain's head. */
const ignored = new Set([
  'migration',
  'inbox',
  'outbox',
  'retry_message',
  'stripe_inbox',
  'chain_cursor',
  'market_generation',
  'session_scan',
  'session',
  'known_network',
  'quota_use',
  'login_failure',
])
const ignoredColumns = new Set(['next_run_at', 'failures', 'audited_at', 'broadcast_at'])

/** Sends every message, webhook and transaction once more. Returns what that changed: nothing may. */
export async function replay(sources: Sources, { world, journal }: { world: World; journal: Journal }) {
  const { run, folder, servers } = sources
  const before = effectsOf(world)
  const brokers = await brokersOf(folder)
  await repeatTopics({ brokers, records: world.topics })
  const { stripeWebhookSecret } = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8'))
  const { events } = world.processor
  for (let from = 0; from < events.length; from += WEBHOOKS_AT_ONCE)
    await Promise.all(
      events.slice(from, from + WEBHOOKS_AT_ONCE).map((event) => sendWebhook(run.url, event, stripeWebhookSecret)),
    )
  const { attempt, chain_transaction } = world.databases.minting
  // Those of a retired signer could still be mined, and revert.
  const lost = new Set(chain_transaction!.filter(({ outcome }) => outcome === 'lost').map(({ id }) => id))
  const raws = attempt!.filter(({ transaction_id }) => !lost.has(transaction_id)).map(({ raw }) => raw as string)
  // The node refuses what a block has; a dropped transaction could come back.
  for (const raw of raws) await servers.chain('eth_sendRawTransaction', [raw]).catch(() => {})

  await untilQuiet(sources, brokers)
  const after = effectsOf(await readWorld(sources))
  const violations = Object.entries(after).flatMap(([what, now]) =>
    now === before[what] ? [] : [`replay: ${what} changed from ${before[what]} to ${now}`],
  )
  const repeated = {
    'messages repeated': world.topics.length,
    'webhooks repeated': events.length,
    'transactions repeated': raws.length,
  }
  journal.write({ actor: 'checker', what: 'replay', repeated, before, after })
  if (Object.values(repeated).some((count) => count === 0)) violations.push('replay: something had nothing to repeat')
  return { violations, metrics: repeated }
}

/** What a replay must not change: a hash of each business table, and the number of effects outside. */
function effectsOf({ databases, mails, ledger, chain }: World): Record<string, string | number> {
  const effects: Record<string, string | number> = {
    mails: mails.length,
    'entries of the ledger': ledger.length,
    transactions: chain.transactions.length,
  }
  for (const service of serviceNames)
    for (const [table, rows] of Object.entries(databases[service]).sort())
      if (!ignored.has(table)) effects[`${service}.${table}`] = hashOf(rows)
  return effects
}

function hashOf(rows: Row[]): string {
  const texts = rows.map((row) =>
    JSON.stringify(Object.fromEntries(Object.entries(row).filter(([column]) => !ignoredColumns.has(column)))),
  )
  return createHash('sha256').update(texts.sort().join('\n')).digest('hex').slice(0, 16)
}

async function sendWebhook(url: string, event: Row, secret: string) {
  const body = JSON.stringify(event)
  const time = Math.floor(Date.now() / 1_000)
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  const response = await fetch(url + processorWebhook.path, {
    method: processorWebhook.method,
    headers: { 'content-type': 'application/json', 'stripe-signature': `t=${time},v1=${signature}` },
    body,
  })
  if (!response.ok) throw new Error(`a repeated webhook was refused: ${response.status} ${await response.text()}`)
}

/** Waits until every message and webhook is handled, and a while longer. */
async function untilQuiet({ folder }: Sources, brokers: string) {
  const until = performance.now() + WITHIN_MS
  const isQuiet = async () => {
    const { payments } = await readDatabases(folder)
    return (
      payments.stripe_inbox!.every(({ handled_at }) => handled_at) &&
      (await readLag({ brokers, topics: topicNames })) === 0
    )
  }
  while (!(await isQuiet()) && performance.now() < until) await sleep(1_000)
  await sleep(QUIET_MS)
}
