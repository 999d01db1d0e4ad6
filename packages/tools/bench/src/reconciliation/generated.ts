import pg from 'pg'

/**
 * Completed orders of one line, one every `everyMs` from `firstAt` (ms since the epoch) on. The first `former` ones
 * are of `FORMER_SELLER`, the others of `SELLER`.
 */
export type Generated = {
  orders: number
  firstAt: number
  everyMs: number
  priceCents: number
  former?: number
}

export const SELLER = '00000000-0000-4000-9000-000000000002'
export const FORMER_SELLER = '00000000-0000-4000-9000-000000000003'

const uuid = (kind: string) => `('00000000-0000-${kind}-8000-' || lpad(to_hex(i), 12, '0'))::uuid`
const at = 'to_timestamp(($2::float8 + i * $3::float8) / 1000)'
const buyer = `'00000000-0000-4000-9000-000000000001'::uuid`
const seller = `'${SELLER}'::uuid`
const wallet = `'0x70997970c51812dc3a010c7d01b50e0d17dc79c8'`

/** Fills the database of payments on a server. Its triggers are off meanwhile. */
export async function fillPayments(paymentsUrl: string, generated: Generated) {
  const sellerOf = `case when i < ${generated.former ?? 0} then '${FORMER_SELLER}'::uuid else ${seller} end`
  await run(`${paymentsUrl}/payments`, generated, [
    `insert into orders (id, buyer_id, wallet, terms_version, total_cents, commission_bps, created_at, expires_at,
       session_request, session_id, intent_id, money, held_cents, authorised_at, capture_cents, captured_cents)
     select ${uuid('4000')}, ${buyer}, ${wallet}, 'v1', $4::int, 1000, ${at}, ${at} + interval '35 minutes',
       json_build_object('metadata', repeat('x', 1500)), 'cs_' || i, 'pi_' || i, 'captured', $4::int, ${at}, $4::int, $4::int
     from numbers`,
    `insert into line (id, order_id, ordered_at, position, buyer_id, item_id, price_cents, captured_cents, state, contract, identifier, name,
       image, seller_id, creator_id, royalty_bps, listing_version)
     select ${uuid('4001')}, ${uuid('4000')}, ${at}, 0, ${buyer}, ${uuid('4002')}, $4::int, $4::int, 'completed', '0xbench', i::text, 'Work',
       '/uploads/nfts/1', ${sellerOf}, ${seller}, 500, 1
     from numbers`,
    `insert into book_entry (line_id, kind, user_id, amount_cents, cause, at)
     select ${uuid('4001')}, kind, case kind when 'sale' then ${sellerOf} end,
       case kind when 'sale' then $4::int - $4::int / 10 else $4::int / 10 end, 'capture', ${at}
     from numbers, unnest(array['sale', 'commission']) as kind`,
    `insert into line_history (line_id, from_state, to_state, at)
     select ${uuid('4001')}, 'delivering', 'delivered', ${at} + interval '90 seconds' from numbers where $4::int > 0`,
  ])
}

/**
 * Fills the databases of payments (on one server), minting and catalog (on another). Their triggers are off meanwhile.
 */
export async function fillDatabases(paymentsUrl: string, storeUrl: string, generated: Generated) {
  await fillPayments(paymentsUrl, generated)
  await execute(`${paymentsUrl}/payments`, [
    // A full run starts at the creation of the database, which is before the first order.
    `update migration set ran_at = to_timestamp(${generated.firstAt / 1000})`,
  ])
  await run(`${storeUrl}/minting`, generated, [
    `insert into delivery (line_id, kind, state, order_id, item_id, token, from_id, buyer_id, wallet, deliver_by, block,
       tx_hash, created_at, changed_at)
     select ${uuid('4001')}, 'sale', 'final', ${uuid('4000')}, ${uuid('4002')}, '0xbench/' || i, ${seller}, ${buyer},
       ${wallet}, ${at}, 1, '0x', ${at}, ${at}
     from numbers where $4::int > 0`,
    `insert into token (token, contract, identifier, mint_id, wallet, owner_id, moved_at, changed_at)
     select '0xbench/' || i, '0xbench', i::text, ${uuid('4003')}, ${wallet}, ${buyer}, ${at}, ${at}
     from numbers where $4::int > 0`,
  ])
  await run(`${storeUrl}/catalog`, generated, [
    `insert into item select copy.* from (select * from item limit 1) original cross join numbers
       cross join lateral jsonb_populate_record(null::item, to_jsonb(original) || jsonb_build_object(
         'id', ${uuid('4002')}, 'token', '0xbench/' || i, 'contract', '0xbench', 'identifier', i::text,
         'owner_id', ${buyer}, 'for_sale', false, 'reserved_order', null, 'shown_at', ${at})) copy
     where $4::int > 0`,
  ])
}

/** In batches: a statement of a million rows needs more memory than a small machine has. */
const BATCH = 50_000

async function run(url: string, { orders, firstAt, everyMs, priceCents }: Generated, statements: string[]) {
  const client = new pg.Client({ connectionString: url, options: '-c session_replication_role=replica' })
  await client.connect()
  try {
    for (const statement of statements) {
      if (!statement.includes('numbers')) {
        await client.query(statement)
        continue
      }
      for (let from = 0; from < orders; from += BATCH)
        await client.query(
          `with numbers as (select i from generate_series(${from}, least($1::int, ${from + BATCH}) - 1) i) ${statement}`,
          [orders, firstAt, everyMs, priceCents],
        )
    }
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

/** As the store is the morning after: everything agreed until a day ago, the last day was not compared. */
export async function agreeUntilYesterday(paymentsUrl: string) {
  await execute(`${paymentsUrl}/payments`, [
    'delete from reconciliation',
    `insert into reconciliation (since, until, is_full, finished_at, differences)
     values (now() - interval '2 days', now() - interval '1 day', false, now(), 0)`,
    `update orders set unreconciled_changes = 3 where created_at > now() - interval '1 day'`,
    'vacuum analyze orders',
  ])
}

async function execute(url: string, statements: string[]) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
