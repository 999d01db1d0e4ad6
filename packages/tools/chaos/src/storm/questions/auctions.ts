import type { Row, World } from '../world.ts'
import { each, ordersOf, type Question } from './question.ts'

const auctionsOf = ({ databases }: World) => databases.catalog.auction!
const bidsOf = ({ databases }: World) => databases.catalog.bid!
const auctionOf = (world: World, { auction_id }: Row) => auctionsOf(world).find(({ id }) => id === auction_id)
const orderOf = (world: World, { order_id }: Row) => ordersOf(world).find(({ id }) => id === order_id)
const charged = ({ ledger }: World, orderId: string) =>
  ledger
    .filter(({ kind, reference }) => kind === 'captured' && reference === orderId)
    .reduce((total, { amount }) => total + amount, 0)

export const auctionQuestions: Question[] = [
  each('auctions: each is over after its end', auctionsOf, ({ id, state }) =>
    state === 'open' || state === 'awarded' ? { what: `is ${state}`, about: id } : undefined,
  ),
  each('auctions: each bid is over', bidsOf, ({ order_id, state }) =>
    state === 'won' || state === 'ended' ? undefined : { what: `is ${state}`, about: order_id },
  ),
  each(
    'auctions: each order of a bid is one of catalog',
    (world) => ordersOf(world).filter(({ order_kind }) => order_kind === 'bid'),
    ({ id, session_id }, world) =>
      !session_id || bidsOf(world).some(({ order_id }) => order_id === id) ? undefined : 'catalog has none',
  ),
  each(
    'auctions: one bid of each sold work has won, the highest one that stood',
    (world) => auctionsOf(world).filter(({ state }) => state === 'sold'),
    ({ id, leader_order }, world) => {
      const bids = bidsOf(world).filter(({ auction_id }) => auction_id === id)
      const won = bids.filter(({ state }) => state === 'won')
      if (won.length !== 1 || won[0]!.order_id !== leader_order) return `${won.length} bids have won`
      const stood = bids.filter(({ stood_at }) => stood_at !== null).map(({ limit_cents }) => limit_cents as number)
      const highest = Math.max(...stood)
      return won[0]!.limit_cents === highest ? undefined : `won with ${won[0]!.limit_cents} cents of ${highest}`
    },
  ),
  each('auctions: a winner is charged the price, at most the own limit, and nobody else', bidsOf, (bid, world) => {
    const auction = auctionOf(world, bid)!
    const price = bid.state === 'won' && auction.state === 'sold' ? auction.price_cents : 0
    const { limitCents } = world.histories.find(({ orderId }) => orderId === bid.order_id)!
    const amount = charged(world, bid.order_id)
    return amount === price && amount <= limitCents!
      ? undefined
      : { what: `charged ${amount} cents of ${price}, at most ${limitCents}`, about: bid.order_id }
  }),
  each(
    'auctions: no card is held for a bid that ended',
    (world) => bidsOf(world).filter((bid) => bid.state === 'ended' && orderOf(world, bid)?.intent_id),
    (bid, world) => {
      const intent = world.processor.intents.find(({ id }) => id === orderOf(world, bid)!.intent_id)
      return intent?.status === 'canceled' ? undefined : { what: `its hold is ${intent?.status}`, about: bid.order_id }
    },
  ),
]
