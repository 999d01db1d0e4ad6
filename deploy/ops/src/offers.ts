import { listOffers } from '@nifty/api/catalog/offer-search'
import { orderNumber } from '@nifty/api/order-number'
import type { Command } from './command.ts'
import { euros, printable, table } from './format.ts'
import { accountIdOf, itemIdOf, usernamesOf } from './lookup.ts'
import { UsageError } from './store.ts'

const states = ['started', 'open', 'accepted', 'ended', 'any'] as const

export const offerCommands: Record<string, Command> = {
  offers: {
    usage: '',
    about:
      'lists offers whose card a bank holds until the owner decides, newest first, 50 at most: those that are not over; ended ones with the reason',
    json: true,
    options: {
      '--work <work>': 'offers for a work',
      '--of <account>': 'offers that it made, and those for its works',
      '--state <state>': `only those that are ${states.slice(0, -1).join(', ')}, or any`,
      '--after <id>': 'goes on after this offer',
    },
    run: async (store, _args, _action, _since, { work, of, state, after } = {}) => {
      const known = states.find((each) => each === state)
      if (state !== undefined && !known) throw new UsageError(`--state is one of ${states.join(', ')}, not ${state}`)
      const found = await store.catalog(listOffers, {
        query: {
          ...(work !== undefined && { itemId: await itemIdOf(store, String(work)) }),
          ...(of !== undefined && { accountId: await accountIdOf(store, String(of)) }),
          ...(known && { state: known }),
          ...(after !== undefined && { after: String(after) }),
        },
      })
      if (found.offers.length === 0)
        return { text: state === undefined ? 'No offer is open.' : 'No offer.', ok: true, json: found }
      const names = await usernamesOf(
        store,
        found.offers.flatMap(({ buyerId, ownerId }) => [buyerId, ownerId]),
      )
      const rows = found.offers.map((offer) =>
        [
          orderNumber(offer.orderId),
          offer.startedAt,
          offer.why === null ? offer.state : `${offer.state}: ${offer.why}`,
          offer.endedAt ?? offer.endsAt ?? '-',
          euros(offer.price),
          names.get(offer.buyerId) ?? offer.buyerId,
          names.get(offer.ownerId) ?? offer.ownerId,
          offer.name,
          offer.orderId,
        ].map(printable),
      )
      const more = found.next ? [`More: --after ${found.next}`] : []
      const head = ['order', 'begun', 'state', 'end', 'price', 'buyer', 'owner', 'work', 'id']
      return { text: [table([head, ...rows]), ...more].join('\n'), ok: true, json: found }
    },
  },
}
