import { parseLookup } from '@nifty/api/lookup'
import { findGifts } from '@nifty/api/minting/ops'
import type { Command } from './command.ts'
import { table } from './format.ts'
import { accountIdOf, orderIdOf } from './lookup.ts'
import type { Store } from './store.ts'

export const giftCommands: Record<string, Command> = {
  gift: {
    usage: '<order, account or id>',
    about: 'shows gifts of an order, a giver or a recipient, or by their own id or that of a line',
    json: true,
    run: async (store, [text]) => {
      const { gifts } = await store.minting(findGifts, { params: { id: await idOf(store, text!) } })
      if (gifts.length === 0) return { text: 'There is no gift of it.', ok: true, json: gifts }
      const rows = gifts.map((gift) => [
        gift._id,
        gift.state,
        gift.name,
        gift.giverId,
        gift.email ?? '-',
        gift.recipientId ?? '-',
        gift.until ?? '-',
        gift.deliveryId ?? '-',
        gift.txHash ?? '-',
      ])
      const head = ['gift', 'state', 'work', 'giver', 'to', 'recipient', 'until', 'line', 'transaction']
      return { text: table([head, ...rows]), ok: true, json: gifts }
    },
  },
}

/** Of an order or an account; an id stays as it is. */
async function idOf(store: Store, text: string): Promise<string> {
  const { kind } = parseLookup(text)
  if (kind === 'id') return text
  return kind === 'order_number' || kind === 'payment' || kind === 'transaction'
    ? orderIdOf(store, text)
    : accountIdOf(store, text)
}
