import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { deployContracts } from '@nifty/contracts/deploy'
import { connectChain } from '@nifty/contracts/provider'
import { LOCAL_SETTINGS } from '@nifty/contracts/settings'
import { startAnvil } from '@nifty/dev-servers/anvil'
import { startPostgres } from '@nifty/dev-servers/postgres'
import { readConfig } from '@nifty/minting/config'
import { minting } from '@nifty/minting/service'
import { createLog } from '@nifty/service-kit/base/logs'
import { databaseUrl } from '@nifty/service-kit/database/database'
import { toQuantity, Wallet } from 'ethers'
import pg from 'pg'
import type { Figure } from '../results/target.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'

/** Polygon's depth and block time. */
const DEPTH = 32
const BLOCK_SECONDS = 2
/** What 16 full transactions carry: one queue that is full until it is final. */
const QUEUE = 320
const LINES = 2 * QUEUE
const POLL_MS = 1_000

/** `before`: 16 transactions that are not final. `after`: 16 that are in no block. */
const limits = { before: 16, after: 256 }

/**
 * Deliveries per minute of one key at finality depth 32 and blocks of 2 s, with a backlog: minting alone, on PostgreSQL
 * and anvil. Counted from the last delivery of the first full queue to the last of all, by the time when each is final.
 */
export async function benchDeliveries(): Promise<Figure[]> {
  const { path: folder, remove: removeFolder } = await temporaryFolder()
  const postgres = await startPostgres({ folder: join(folder, 'postgres'), durable: true })
  const chain = await startAnvil({ blocks: 'by-transaction' })
  const provider = connectChain({ rpcUrl: chain.url })
  const client = new pg.Client({ connectionString: databaseUrl(postgres.url, 'minting') })
  let service: Awaited<ReturnType<typeof startMinting>> | undefined
  try {
    const [owner, signer] = [Wallet.createRandom(), Wallet.createRandom()]
    for (const { address } of [owner, signer])
      await provider.send('anvil_setBalance', [address, toQuantity(10n ** 24n)])
    const contracts = await deployContracts({
      provider,
      deployerKey: owner.privateKey,
      signers: [signer.address],
      baseUri: 'http://nifty.test/api/tokens',
      settings: LOCAL_SETTINGS,
    })
    const start = (maxNotFinal: number, depth = DEPTH) =>
      startMinting({
        databaseUrl: databaseUrl(postgres.url, 'minting'),
        env: {
          CHAIN_RPC_URL: chain.url,
          CHAIN_SIGNER_KEY: signer.privateKey,
          MAIL_TOKEN_KEY: 'k'.repeat(64),
          UPLOADS_DIR: join(folder, 'uploads'),
          CHAIN_COLLECTION: contracts.collection,
          CHAIN_DELIVERY: contracts.delivery,
          CHAIN_FINALITY_DEPTH: String(depth),
        },
        maxNotFinal,
      })
    service = await start(limits.after, 1)
    await client.connect()
    const creatorId = randomUUID()
    await insertMints(client, { creatorId, contract: contracts.collection, count: 2 * LINES })
    await untilNone(client, `mint where state <> 'minted'`, () => provider.send('anvil_mine', ['0x1']))
    await provider.send('evm_setAutomine', [false])
    await provider.send('evm_setIntervalMining', [BLOCK_SECONDS])

    const rates: Record<string, number> = {}
    for (const [name, maxNotFinal] of Object.entries(limits)) {
      await service.stop()
      service = undefined
      service = await start(maxNotFinal)
      await insertDeliveries(client, { creatorId, count: LINES })
      await untilNone(client, `delivery where state <> 'final'`)
      rates[name] = await readRate(client)
      await client.query('truncate delivery')
    }
    const name = 'deliveries of one key, 16 transactions in no block, beside 16 that are not final'
    return [{ name, unit: '/min', figure: rates.after!, baseline: rates.before! }]
  } finally {
    await service?.stop()
    await client.end()
    provider.destroy()
    await chain.stop()
    await postgres.stop()
    await removeFolder()
  }
}

async function startMinting({
  databaseUrl,
  env,
  maxNotFinal,
}: {
  databaseUrl: string
  env: NodeJS.ProcessEnv
  maxNotFinal: number
}) {
  const config = readConfig(env)
  const nowhere = 'http://127.0.0.1:1'
  return minting.start(
    {
      databaseUrl,
      peerUrls: { auth: nowhere },
      transport: { publish: async () => {}, subscribe: async () => ({ stop: async () => {} }), stop: async () => {} },
      log: createLog({ name: 'minting', level: 'error' }),
      keys: { calls: { auth: 'the bench' }, callers: {} },
      operators: () => undefined,
      storeId: 'bench',
      internalListen: { host: '127.0.0.1', port: 0 },
    },
    { ...config, transactions: { ...config.transactions, maxNotFinal } },
  )
}

/** Accepted mints into custody, without images. */
const insertMints = (
  client: pg.Client,
  { creatorId, contract, count }: { creatorId: string; contract: string; count: number },
) =>
  client.query(
    `insert into mint (id, creator_id, request_hash, name, description, category, file, width, height, color, sha256,
       royalty_bps, contract)
     select id, $1, id, 'Dusk', '', 'Art', id || '.webp', 800, 600, '#112233', repeat('ab', 32), 500, $2
     from (select gen_random_uuid() as id from generate_series(1, $3)) ids`,
    [creatorId, contract, count],
  )

/** Paid sales of the creator's tokens that are not sold yet, each to a wallet of its own. */
const insertDeliveries = (client: pg.Client, { creatorId, count }: { creatorId: string; count: number }) =>
  client.query(
    `insert into delivery (line_id, kind, order_id, item_id, token, from_id, buyer_id, wallet, deliver_by)
     select gen_random_uuid(), 'sale', gen_random_uuid(), gen_random_uuid(), token, $1, gen_random_uuid(),
       '0x' || encode(sha256(token::bytea), 'hex')::char(40), now() + interval '1 day'
     from token where owner_id = $1 limit $2`,
    [creatorId, count],
  )

async function untilNone(client: pg.Client, rows: string, meanwhile: () => Promise<unknown> = async () => {}) {
  while ((await client.query(`select count(*)::int as count from ${rows}`)).rows[0].count > 0) {
    await meanwhile()
    await sleep(POLL_MS)
  }
}

/** Deliveries a minute between the last of the first full queue and the last of all. */
async function readRate(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    `select extract(epoch from max(changed_at) - (array_agg(changed_at order by changed_at))[$1])::float as seconds,
       count(*)::int as count from delivery`,
    [QUEUE],
  )
  const { seconds, count } = rows[0]
  return Math.round(((count - QUEUE) * 60) / seconds)
}
