import { execFile } from 'node:child_process'
import { appendFile, chmod, copyFile, cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { acceptOffer } from '@nifty/api/catalog/offers'
import type { Nft } from '@nifty/api/catalog/public'
import { startPostgres } from '@nifty/dev-servers/postgres'
import { type ApiClient, pay } from '@nifty/testkit/api-client'
import { violations as violationsOf } from '@nifty/testkit/invariants'
import { holdOffer } from '@nifty/testkit/offers'
import { type Buyer, buyersOf, purchase, type Sale } from '@nifty/testkit/purchase'
import { waitUntil } from '@nifty/testkit/wait-until'
import pg from 'pg'
import type { Campaign } from './campaign/campaign.ts'
import { databaseServerOf, databaseServerUrl, nameInStore } from './campaign/databases.ts'
import { operate } from './campaign/operate.ts'
import { closeShop, openShop, takeOffersFor } from './campaign/shop.ts'

const BEFORE = 8
const OPEN = 4
const AFTER = 8
const AFTERWARDS = 4
const TIMEOUTS = { timeoutMs: 300_000, intervalMs: 250 }
/** The clocks of services and database differ, and messages may have waited. */
const MARGIN_MS = 60_000

/** `owner`: of an offer, whose card is held. */
type Opened = { buyer: Buyer; work: Nft; orderId: string; url: string; owner: ApiClient | undefined }

/**
 * All databases go back to a point in time, by a base backup and the archive of WAL, while chain, processor, Kafka and
 * pictures stay as they are: orders were completed before it, open at it, and begun after it. The runbook is followed.
 * One of each is an offer; another one is held at that point and accepted after the recovery. Expected: every order
 * ends as the processor and the chain have it, and `reconcile` balances.
 */
export const databasesRestored: Campaign = async (log) => {
  const works = BEFORE + OPEN + AFTER + AFTERWARDS
  const shop = await openShop({ log, works, launcher: 'cluster/main.ts', env: { REPLICAS: '1' } })
  const { store, run, buyers } = shop
  const archive = `${store.folder}-wal`
  const base = `${store.folder}-base`
  const [before, open, after, afterwards] = [
    shop.works.slice(0, BEFORE),
    shop.works.slice(BEFORE, BEFORE + OPEN),
    shop.works.slice(BEFORE + OPEN, BEFORE + OPEN + AFTER),
    shop.works.slice(BEFORE + OPEN + AFTER, works - 1),
  ]
  const undecided = shop.works[works - 1]!
  const owners = await takeOffersFor(run, [before[0]!, open[0]!, after[0]!, afterwards[0]!, undecided])
  const buyAll = (sold: Nft[], from: Buyer[]) =>
    Promise.all(
      sold.map((work, place) => {
        const buyer = from[place % from.length]!
        return purchase(run, buyer, work, { offeredTo: owners.get(work._id) }).sale
      }),
    )
  const openOrder = async (work: Nft, place: number): Promise<Opened> => {
    const buyer = buyers[place % buyers.length]!
    const owner = owners.get(work._id)
    const { orderId, url } = owner
      ? await holdOffer(run, owner, { client: buyer.client, work, price: work.price!, deliverTo: 'wallet' })
      : (await buyer.client.buy(work)).body
    return { buyer, work, orderId, url, owner }
  }

  await archiveInto(archive, store.folder)
  const backupMs = await timed(() => copyDataFolder(store.folder, base))
  log(`WAL is archived, and a base backup was made in ${backupMs} ms`)
  const sales = await buyAll(before, buyers)
  const opened = await Promise.all(open.map(openOrder))
  const held = await openOrder(undecided, OPEN)
  const target = (await query<{ now: Date }>(store.folder, 'select clock_timestamp() as now'))[0]!.now
  log(`${sales.length} orders are complete and ${opened.length} open at ${target.toISOString()}`)

  for (const order of opened)
    if (order.owner) await accept(order)
    else await pay(run, order.url, run.cards.approved)
  for (const order of opened) sales.push(await completed(order))
  sales.push(...(await buyAll(after, buyers)))
  const lost = await ordersIn(store.folder)
  log(`${opened.length + after.length} orders were paid and delivered since`)
  await archiveAll(store.folder)
  await store.stop()

  const began = performance.now()
  await rename(join(store.folder, 'postgres'), join(store.folder, 'postgres.lost'))
  const recovered = await recover({ folder: store.folder, base, archive, target })
  log(`the databases are those of ${target.toISOString()} again: ${recovered} orders instead of ${lost}`)
  await store.restart()
  const since = new Date(target.getTime() - MARGIN_MS).toISOString()
  for (const line of await tool(store.folder, 'republish', 'all', '--since', since, ...because)) log(line)
  await waitUntil(
    async () => (await tool(store.folder, 'resume-signer', ...because).catch(() => undefined)) !== undefined,
    TIMEOUTS,
  )
  log('the signer is resumed')

  const balanced = await waitUntil(
    async () =>
      (await tool(store.folder, 'reconcile', 'all').catch(() => [])).find((line) => line.startsWith('Balanced')),
    TIMEOUTS,
  )
  const balancedMs = Math.round(performance.now() - began)
  log(`reconcile: ${balanced}`)
  const again = await buyersOf(run)
  const known = await Promise.all(
    sales.map(async ({ buyer, work, order }) => {
      const client = again.find(({ wallet }) => wallet === buyer.wallet)!.client
      return { buyer: { ...buyer, client }, work, order: await client.order(order._id) }
    }),
  )
  const report = await tool(store.folder, 'restored')
  for (const line of report.filter((each) => !each.startsWith('REBUILT'))) log(line)
  await accept(held)
  const client = again.find(({ wallet }) => wallet === held.buyer.wallet)!.client
  const late = await completed({ ...held, buyer: { ...held.buyer, client } })
  const all = [...known, late, ...(await buyAll(afterwards, again))]
  const violations = await violationsOf(run, shop.chain, all)
  if (recovered >= lost) violations.push('the databases had all orders: nothing was lost')
  if (!report.at(-1)?.startsWith(`${AFTER} orders rebuilt`)) violations.push(`restored: ${report.at(-1)}`)
  await closeShop(shop, { violations, log })
  for (const folder of [archive, base]) await rm(folder, { recursive: true, force: true })
  return {
    metrics: {
      'orders complete at the restore point': BEFORE,
      'open at it, paid and delivered since': OPEN,
      'begun, paid and delivered since': AFTER,
      'bought afterwards': all.length - known.length,
      'of all these by an offer': owners.size,
      'base backup, ms': backupMs,
      'loss until balanced, ms': balancedMs,
    },
    violations,
  }
}

const because = ['--yes', '--reason', 'databases restored']

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return Math.round(performance.now() - began)
}

/** Output lines of the operator's tool. Throws when it fails. */
async function tool(folder: string, ...args: string[]): Promise<string[]> {
  return (await operate(folder, args)).split('\n')
}

const accept = ({ owner, orderId }: Opened) =>
  waitUntil(async () => (await owner!.send(acceptOffer, { params: { orderId } })).status === 200, TIMEOUTS)

async function completed({ buyer, work, orderId }: Opened): Promise<Sale> {
  const order = await waitUntil(async () => {
    const found = await buyer.client.order(orderId).catch(() => undefined)
    return found?.state === 'completed' && found
  }, TIMEOUTS)
  return { buyer, work, order }
}

async function on<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  // A server that restarts ends the connection.
  client.on('error', () => {})
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

const query = async <Row extends pg.QueryResultRow>(folder: string, text: string) =>
  on(await databaseServerUrl(folder), async (client) => (await client.query<Row>(text)).rows)

const databaseUrl = (url: string, service: string) =>
  Object.assign(new URL(url), { pathname: nameInStore(service) }).href

const countOrders = (url: string) =>
  on(databaseUrl(url, 'payments'), async (client) =>
    Number((await client.query<{ count: string }>('select count(*) from orders')).rows[0]!.count),
  )
const ordersIn = async (folder: string) => countOrders(await databaseServerUrl(folder))

/** Turns on the archive of WAL, which takes a restart of the server. */
async function archiveInto(archive: string, folder: string) {
  await mkdir(archive)
  // The server may run as a user of its own.
  await chmod(archive, 0o777)
  await query(folder, `alter system set archive_mode = 'on'`)
  await query(folder, `alter system set archive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'`)
  const { pid } = await databaseServerOf(folder)
  process.kill(pid, 'SIGINT')
  await waitUntil(async () => {
    const rows = await query<{ archive_mode: string }>(folder, 'show archive_mode').catch(() => [])
    return rows[0]?.archive_mode === 'on'
  }, TIMEOUTS)
  await waitUntil(
    async () => (await tool(folder, 'status').catch((): string[] => [])).includes('Nothing is stuck.'),
    TIMEOUTS,
  )
}

/** A base backup by PostgreSQL's low-level API. */
async function copyDataFolder(folder: string, base: string) {
  await on(await databaseServerUrl(folder), async (client) => {
    await client.query(`select pg_backup_start('drill', fast => true)`)
    await copyLive(join(folder, 'postgres'), base)
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()')
    await writeFile(join(base, 'backup_label'), rows[0]!.labelfile)
  })
  for (const name of await readdir(join(base, 'pg_wal')))
    if (/^[0-9A-F]{24}$/.test(name)) await rm(join(base, 'pg_wal', name))
  for (const name of ['postmaster.pid', 'postmaster.opts']) await rm(join(base, name), { force: true })
}

/** Files that are removed meanwhile are left out. */
async function copyLive(from: string, to: string) {
  await mkdir(to, { recursive: true })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyLive(source, target)
    else
      await copyFile(source, target).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      })
  }
}

/** Waits until the archive has all that was written so far. */
async function archiveAll(folder: string) {
  const [current] = await query<{ segment: string }>(folder, 'select pg_walfile_name(pg_current_wal_lsn()) as segment')
  const { segment } = current!
  await query(folder, 'select pg_switch_wal()')
  await waitUntil(async () => {
    const rows = await query<{ last: string }>(folder, 'select last_archived_wal as last from pg_stat_archiver')
    return (rows[0]?.last ?? '') >= segment
  }, TIMEOUTS)
}

type Recovery = { folder: string; base: string; archive: string; target: Date }

/** Recovers all databases to a point in time and halts the signers. Returns the number of orders. */
async function recover({ folder, base, archive, target }: Recovery): Promise<number> {
  const data = join(folder, 'postgres')
  await cp(base, data, { recursive: true })
  await promisify(execFile)('chown', ['-R', `--reference=${join(folder, 'postgres.lost')}`, data])
  await chmod(data, 0o700)
  await appendFile(
    join(data, 'postgresql.auto.conf'),
    [
      `restore_command = 'cp ${archive}/%f %p'`,
      // Without names of zones, which are not known yet when the server reads it.
      `recovery_target_time = '${target.toISOString().replace('Z', '+00')}'`,
      `recovery_target_action = 'promote'`,
      '',
    ].join('\n'),
  )
  await writeFile(join(data, 'recovery.signal'), '')
  const server = await startPostgres({ folder: data, durable: true })
  try {
    await waitUntil(
      () =>
        on(server.url, async (client) => {
          const { rows } = await client.query<{ recovers: boolean }>('select pg_is_in_recovery() as recovers')
          return !rows[0]!.recovers
        }),
      TIMEOUTS,
    )
    await on(databaseUrl(server.url, 'minting'), (client) =>
      client.query(
        `update signer set halted_at = now(), halted_reason = 'databases restored' where state <> 'retired'`,
      ),
    )
    return await countOrders(server.url)
  } finally {
    await server.stop()
  }
}
