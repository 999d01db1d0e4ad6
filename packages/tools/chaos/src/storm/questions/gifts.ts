import { giftAddressOf } from '../cast/gift-address.ts'
import type { Row, World } from '../world.ts'
import { isClaimed, isRefused } from './mails.ts'
import { arrived, each, linesOf, orderById, type Question } from './question.ts'

const giftsOf = ({ databases }: World) => databases.minting.gift!
const lineOf = (world: World, { line_id }: Row) => linesOf(world).find(({ id }) => id === line_id)
const historyOf = ({ histories }: World, { order_id }: Row) => histories.find(({ orderId }) => orderId === order_id)
const mailsOf = ({ databases }: World, { id }: Row) =>
  databases.notification.mail!.filter(({ template, subject_id }) => template === 'gift' && subject_id.startsWith(id))

/** Whose the work of a gift is that was delivered. */
export const ownerOf = ({ state, giver_id, recipient_id }: Row): string =>
  state === 'claimed' ? recipient_id : giver_id

/**
 * A mail that still waits when the gift ends is dropped. That of a claimed one was taken by the mail server, and its
 * process killed before it stored that.
 */
const mayBeWithoutMail = ({ state }: Row, recipient: string, { mails }: World) =>
  state === 'claimed'
    ? mails.some(({ to }) => to.some(({ address }) => address === recipient))
    : ['taken_back', 'refunded', 'lapsed', 'ended'].includes(state)

const hasArrived = (world: World, gift: Row) => arrived.includes(lineOf(world, gift)?.state)
const delivered = (world: World) => giftsOf(world).filter((gift) => hasArrived(world, gift))

const wanted = { claimed: 'claimed', 'taken back': 'taken_back', lapsed: 'lapsed' }

/** How a gift may have ended. */
function endsOf(gift: Row, world: World): string[] {
  const { ending } = historyOf(world, gift)?.gift ?? {}
  if (!ending) return []
  const end = wanted[ending]
  if (!hasArrived(world, gift)) return ending === 'taken back' ? ['ended', end] : ['ended']
  if (lineOf(world, gift)?.state === 'refunded') return [end, 'refunded']
  const isWithoutMail = mailsOf(world, gift).some((mail) => isClaimed(mail) || isRefused(mail, world))
  return ending === 'claimed' && isWithoutMail ? [end, 'offered'] : [end]
}

export const giftQuestions: Question[] = [
  each(
    'gifts: what was bought as one and arrived is one gift, of its buyer and its work',
    (world) => {
      const orders = orderById(world)
      return linesOf(world).filter(({ order_id, state }) => orders.get(order_id)!.is_gift && arrived.includes(state))
    },
    ({ id, order_id, contract, identifier, state }, world) => {
      const order = orderById(world).get(order_id)!
      const gifts = giftsOf(world).filter(({ line_id }) => line_id === id)
      const token = `${contract.toLowerCase()}/${identifier}`
      const isRight = gifts.every((gift) => gift.giver_id === order.buyer_id && gift.token === token)
      if (gifts.length !== 1 || !isRight) return `line is ${state}, gifts: ${JSON.stringify(gifts)}`
      return order.gift === null ? undefined : 'payments keeps the address'
    },
  ),
  each('gifts: each belongs to an order that is one', giftsOf, ({ line_id, order_id }, world) =>
    orderById(world).get(order_id)?.is_gift ? undefined : { what: 'a gift of another order', about: line_id },
  ),
  each('gifts: each ended as its recipient, its giver or its purchase did', giftsOf, (gift, world) =>
    endsOf(gift, world).includes(gift.state) ? undefined : `is ${gift.state}, wanted ${endsOf(gift, world)}`,
  ),
  each(
    'gifts: a claimed work is its recipient’s, another its giver’s, in the books, in catalog and on the chain',
    delivered,
    (gift, { chain, databases }) => {
      const owner = ownerOf(gift)
      const account = chain.holdings.get(gift.token)?.account ?? null
      const kept = databases.minting.custody_account!.find((each) => each.account === account)?.user_id
      const stored = databases.minting.token!.find(({ token }) => token === gift.token)?.owner_id
      const shown = databases.catalog.item!.find(({ token }) => token === gift.token)?.owner_id
      return [kept, stored, shown].every((each) => each === owner)
        ? undefined
        : `is ${gift.state}, owner ${owner}: chain ${kept}, minting ${stored}, catalog ${shown}`
    },
  ),
  each('gifts: a claim moved its work once, and nothing else did', delivered, (gift, { chain }) => {
    const moves = chain.claims.filter(({ token }) => token === gift.token)
    const isRight = gift.state === 'claimed' ? moves.length === 1 && moves[0]!.line === gift.delivery_id : !moves.length
    return isRight ? undefined : `is ${gift.state}, moves: ${JSON.stringify(moves)}`
  }),
  each('gifts: each paid one has one link and one mail, to the address of its giver', giftsOf, (gift, world) => {
    const links = world.databases.minting.gift_link!.filter(({ gift_id }) => gift_id === gift.id)
    const mails = mailsOf(world, gift)
    const count = gift.offered_at === null ? 0 : 1
    const to = giftAddressOf(historyOf(world, gift)!)
    const isMailed = mails.length === count || (mails.length === 0 && mayBeWithoutMail(gift, to, world))
    return links.length === count && isMailed && mails.every(({ recipient }) => recipient === to)
      ? undefined
      : `${links.length} links, mails to ${mails.map(({ recipient }) => recipient)}`
  }),
]
