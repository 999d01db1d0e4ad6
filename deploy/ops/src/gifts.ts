import { findGifts } from '@nifty/api/minting/ops'
import type { Command } from './command.ts'
import { table } from './format.ts'

export const giftCommands: Record<string, Command> = {
  gift: {
    usage: '<id>',
    about: 'shows gifts by their own id, or that of an order, a line, a giver or a recipient',
    run: async (store, [id]) => {
      const { gifts } = await store.minting(findGifts, { params: { id: id! } })
      if (gifts.length === 0) return 'There is no gift with this id.'
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
      return table([['gift', 'state', 'work', 'giver', 'to', 'recipient', 'until', 'line', 'transaction'], ...rows])
    },
  },
}
