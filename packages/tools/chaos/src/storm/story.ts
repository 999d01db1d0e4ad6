import { serviceNames } from '@nifty/api/services'
import type { Row, World } from './world.ts'

/** Everything that is stored about an order, a line or an item, for a reader. */
export function storyOf(world: World, id: string): string {
  const { payments, minting, catalog } = world.databases
  const line = payments.line!.find((each) => [each.id, each.order_id, each.item_id].includes(id))
  const orderId: string | undefined = line?.order_id
  const lines = payments.line!.filter(({ order_id }) => order_id === orderId)
  const ids = new Set([id, orderId, ...lines.flatMap(({ id, item_id }) => [id, item_id])])
  const about = (rows: Row[] = [], ...columns: string[]) =>
    rows.filter((row) => columns.some((column) => row[column] && ids.has(row[column])))
  const deliveries = about(minting.delivery, 'line_id')
  const transactions = minting.chain_transaction!.filter((each) =>
    deliveries.some(({ transaction_id }) => transaction_id === each.id),
  )
  const history = world.histories.find((each) => each.orderId === orderId)
  const parts: [string, Row[]][] = [
    [
      'purchase',
      history
        ? [
            {
              place: history.place,
              kind: history.kind,
              offer: history.offer,
              bid: history.bid,
              paid: history.paid,
              last: history.last?.state,
              url: history.url,
            },
          ]
        : [],
    ],
    ['order', about(payments.orders, 'id').map(({ session_request, ...order }) => order)],
    ['line', lines.map(({ id, state, reason, note, item_id, name }) => ({ id, state, reason, note, item_id, name }))],
    [
      'history',
      about(payments.line_history, 'line_id').map(({ line_id, to_state, at, note }) => ({
        line_id,
        to_state,
        at,
        note,
      })),
    ],
    ['alarm', about(payments.alarm, 'order_id', 'subject')],
    ['refund', about(payments.refund, 'line_id')],
    ['event of the processor', about(payments.stripe_inbox, 'order_id')],
    ['offer', about(catalog.offer, 'order_id', 'item_id')],
    ['bid', about(catalog.bid, 'order_id')],
    ['auction', about(catalog.auction, 'id', 'item_id', 'leader_order')],
    ['gift', about(minting.gift, 'line_id', 'id')],
    ['delivery', deliveries],
    ['transaction', transactions.map(({ call_data, ...transaction }) => transaction)],
    [
      'attempt',
      minting
        .attempt!.filter(({ transaction_id }) => transactions.some(({ id }) => id === transaction_id))
        .map(({ raw, ...attempt }) => attempt),
    ],
    ['signer', minting.signer!],
    ['item', about(catalog.item, 'id').map(({ description, ...item }) => item)],
    ...serviceNames.map((service): [string, Row[]] => [
      `retry queue of ${service}`,
      world.databases[service].retry_message!.filter(({ data }) =>
        [...ids].some((each) => each && JSON.stringify(data).includes(each)),
      ),
    ]),
    ['ledger', world.ledger.filter(({ reference }) => reference === orderId)],
    ['delivered on the chain', world.chain.delivered.filter((each) => ids.has(each.line))],
  ]
  const text = parts.flatMap(([name, rows]) => rows.map((row) => `    ${name}: ${JSON.stringify(row)}`))
  return `story of ${id}\n${text.join('\n')}`
}
