import { ledgerOf } from './api-client.ts'
import type { openChain } from './chain.ts'
import type { Sale } from './purchase.ts'
import type { RunFile } from './run-file.ts'
import { waitUntil } from './wait-until.ts'

const centsOf = (euros: number | null) => Math.round((euros ?? 0) * 100)

/**
 * The violations of the promise "charged once, delivered once", checked independently of the store's own records: the
 * card sandbox's ledger (each sale captured once, the right cents, no more held), the chain (the token is in the
 * buyer's wallet) and the market (the buyer is the owner). `sales` are all sales of this store. Empty when none.
 */
export async function violations(run: RunFile, chain: ReturnType<typeof openChain>, sales: Sale[]) {
  const found: string[] = []
  const expect = (what: string, seen: unknown, wanted: unknown) => {
    if (JSON.stringify(seen) !== JSON.stringify(wanted))
      found.push(`${what}: ${JSON.stringify(seen)} instead of ${JSON.stringify(wanted)}`)
  }

  const { entries, totals } = await ledgerOf(run)
  const captured = Map.groupBy(
    entries.filter(({ kind }) => kind === 'captured'),
    ({ reference }) => reference,
  )
  for (const { order, work } of sales) {
    const amounts = captured.get(order._id)?.map(({ amount }) => amount) ?? []
    expect(`ledger, ${work.name}`, amounts, [centsOf(work.price)])
    expect(`order, ${work.name}`, order.captured, work.price)
  }
  expect('orders in the ledger', captured.size, sales.length)
  const cents = sales.reduce((sum, { work }) => sum + centsOf(work.price), 0)
  const outbid = sales.reduce((sum, { outbidCents = 0 }) => sum + outbidCents, 0)
  const { held, released, inFlight } = totals
  expect(
    'money',
    { held, captured: totals.captured, released, inFlight },
    { held: cents + outbid, captured: cents, released: outbid, inFlight: 0 },
  )

  for (const { buyer, work } of sales) expect(`chain, ${work.name}`, await chain.ownerOf(work), buyer.wallet)

  for (const { buyer, work } of sales) {
    let owner: string | null = null
    await waitUntil(async () => {
      owner = (await buyer.client.item(work).catch(() => undefined))?.ownerUsername ?? null
      return owner === buyer.username
    }).catch(() => expect(`market, ${work.name}`, owner, buyer.username))
  }
  return found
}
