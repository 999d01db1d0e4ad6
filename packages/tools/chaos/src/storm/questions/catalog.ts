import type { Row, World } from '../world.ts'
import { ownerOf } from './gifts.ts'
import { arrived, each, linesOf, orderById, type Question } from './question.ts'

const itemsOf = ({ databases }: World) => databases.catalog.item!
const isSold = (world: World, item: Row) =>
  linesOf(world).some(({ item_id, state }) => item_id === item.id && arrived.includes(state))

/** Items that are still for sale: no sale and no seller ended their listing. */
const leftOnSale = (world: World) => {
  const disturbed = new Set(
    world.histories.flatMap(({ kind, bid, cart }) => {
      // An auction ends its listing.
      if (kind === 'delisted' || bid) return cart.map(({ _id }) => _id)
      // The first work was moved away.
      return kind === 'cart' || kind === 'undeliverable' ? [cart[0]!._id] : []
    }),
  )
  return itemsOf(world).filter((item) => !disturbed.has(item.id) && !isSold(world, item))
}

export const catalogQuestions: Question[] = [
  each('catalog: nothing is reserved', itemsOf, ({ reserved_order }) =>
    reserved_order ? `is reserved for order ${reserved_order}` : undefined,
  ),
  each('catalog: nothing is listed that was sold', itemsOf, (item, world) =>
    item.for_sale && isSold(world, item) ? 'is for sale and was sold' : undefined,
  ),
  each('catalog: nothing was delisted for a fault', leftOnSale, ({ for_sale }) =>
    for_sale ? undefined : 'is not for sale any more',
  ),
  each(
    'catalog: the holder of each item is the one on the chain',
    itemsOf,
    ({ token, wallet }, { chain, databases }) => {
      const owner = chain.ownerOf.get(token)
      const kept = databases.minting.token!.find((each) => each.token === token)?.custody_account
      if (wallet === null) return kept ? undefined : `is in custody, on the chain in ${owner}`
      return wallet.toLowerCase() === owner ? undefined : `is in ${wallet}, on the chain in ${owner}`
    },
  ),
  each(
    'catalog: what arrived belongs to its buyer, or to who claimed it as a gift',
    (world) => linesOf(world).filter(({ state }) => arrived.includes(state)),
    (line, world) => {
      const item = itemsOf(world).find(({ id }) => id === line.item_id)
      const history = world.histories.find(({ orderId }) => orderId === line.order_id)
      if (history?.kind === 'account deleted') return undefined
      const gift = world.databases.minting.gift!.find(({ line_id }) => line_id === line.id)
      const owner = gift ? ownerOf(gift) : orderById(world).get(line.order_id)!.buyer_id
      return item?.owner_id === owner ? undefined : `belongs to ${item?.owner_id} instead of ${owner}`
    },
  ),
]
