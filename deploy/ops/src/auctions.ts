import {
  type FoundAuction,
  type FoundBid,
  getAuction,
  listAuctions,
  voidAuction,
} from '@nifty/api/catalog/auction-search'
import { auctionOutcomes } from '@nifty/api/catalog/public'
import { parseLookup } from '@nifty/api/lookup'
import { orderNumber } from '@nifty/api/order-number'
import type { Command } from './command.ts'
import { euros, printable, table } from './format.ts'
import { accountIdOf, itemIdOf, usernamesOf } from './lookup.ts'
import { type Store, UsageError } from './store.ts'

const states = ['open', ...auctionOutcomes, 'any'] as const

const stateOf = ({ state, why }: { state: string; why: string | null }) => (why === null ? state : `${state}: ${why}`)

/** When it ended, or ends. */
const endOf = ({ endedAt, endsAt, hours }: FoundAuction) => endedAt ?? endsAt ?? `${hours} h after the first bid`

const endText = (auction: FoundAuction) =>
  auction.endedAt === null
    ? `ends ${endOf(auction)}, at the latest ${auction.latestEndAt ?? '-'}`
    : `ended ${auction.endedAt}`

/** The auction of an id, or the last one of a work. An id that is no work's is not verified. */
async function auctionIdOf(store: Store, text: string): Promise<string> {
  const lookup = parseLookup(text)
  const itemId = lookup.kind === 'id' ? lookup.id : await itemIdOf(store, text)
  const { auctions } = await store.catalog(listAuctions, { query: { itemId, state: 'any' } })
  if (auctions[0]) return auctions[0].id
  if (lookup.kind === 'id') return itemId
  throw new UsageError(`${text} was never on auction`)
}

const list: Command = {
  usage: '',
  about: 'lists auctions, newest first, 50 at most: those that are not over; void and failed ones with the reason',
  json: true,
  options: {
    '--work <work>': 'auctions of a work',
    '--of <account>': 'auctions that it started, and those in which it bids',
    '--state <state>': `only those that are ${states.slice(0, -1).join(', ')}, or any`,
    '--after <id>': 'goes on after this auction',
  },
  run: async (store, _args, _action, _since, { work, of, state, after } = {}) => {
    const known = states.find((each) => each === state)
    if (state !== undefined && !known) throw new UsageError(`--state is one of ${states.join(', ')}, not ${state}`)
    const found = await store.catalog(listAuctions, {
      query: {
        ...(work !== undefined && { itemId: await itemIdOf(store, String(work)) }),
        ...(of !== undefined && { accountId: await accountIdOf(store, String(of)) }),
        ...(known && { state: known }),
        ...(after !== undefined && { after: String(after) }),
      },
    })
    if (found.auctions.length === 0)
      return { text: state === undefined ? 'No auction is open.' : 'No auction.', ok: true, json: found }
    const names = await usernamesOf(
      store,
      found.auctions.map(({ sellerId }) => sellerId),
    )
    const rows = found.auctions.map((auction) =>
      [
        auction.createdAt,
        stateOf(auction),
        auction.startsAt ?? '-',
        endOf(auction),
        euros(auction.opening),
        auction.price === null ? '-' : euros(auction.price),
        String(auction.bids),
        names.get(auction.sellerId) ?? auction.sellerId,
        auction.name,
        auction.id,
      ].map(printable),
    )
    const more = found.next ? [`More: --after ${found.next}`] : []
    const head = ['created', 'state', 'starts', 'end', 'opening', 'price', 'bids', 'seller', 'work', 'id']
    return { text: [table([head, ...rows]), ...more].join('\n'), ok: true, json: found }
  },
}

const show: Command = {
  usage: '<auction or work>',
  about: 'prints an auction with all its bids and the most that each bidder would pay; of a work the last one',
  json: true,
  run: async (store, args) => {
    const found = await store.catalog(getAuction, { params: { id: await auctionIdOf(store, args[0]!) } })
    const { auction, bids } = found
    const names = await usernamesOf(store, [auction.sellerId, ...bids.map(({ bidderId }) => bidderId)])
    const nameOf = (id: string) => names.get(id) ?? id
    const price = auction.price === null ? 'no leader' : `price ${euros(auction.price)}`
    const lines = [
      `Auction ${auction.id} of ${auction.name} by ${nameOf(auction.sellerId)}: ${stateOf(auction)}`,
      `Opening price ${euros(auction.opening)}, ${price}, ${endText(auction)}`,
      ...(auction.sellerVoided > 0 ? [`Void auctions of its seller with bids: ${auction.sellerVoided}`] : []),
    ].map(printable)
    return { text: [...lines, '', bidTable(bids, nameOf)].join('\n'), ok: true, json: found }
  },
}

function bidTable(bids: FoundBid[], nameOf: (id: string) => string): string {
  if (bids.length === 0) return 'No bid.'
  const rows = bids.map((bid) =>
    [
      orderNumber(bid.orderId),
      bid.startedAt,
      stateOf(bid),
      bid.stoodAt ?? '-',
      euros(bid.limit),
      bid.price === null ? '-' : euros(bid.price),
      nameOf(bid.bidderId),
      bid.orderId,
    ].map(printable),
  )
  return table([['order', 'begun', 'state', 'stood', 'most', 'price', 'bidder', 'id'], ...rows])
}

const end: Command = {
  usage: '<auction or work>',
  about: 'ends an auction without a sale and gives all holds back; a single bid ends with cancel-order',
  changes: 'audited',
  run: async (store, args, action) => {
    await store.catalog(voidAuction, { params: { id: await auctionIdOf(store, args[0]!) }, body: action })
    return 'The auction is void.'
  },
}

export const auctionCommands: Record<string, Command> = { auctions: list, auction: show, 'void-auction': end }
