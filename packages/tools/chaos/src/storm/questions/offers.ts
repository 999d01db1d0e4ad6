import type { Row, World } from '../world.ts'
import { arrived, each, linesByOrder, orderById, ordersOf, type Question } from './question.ts'

const offersOf = ({ databases }: World) => databases.catalog.offer!
const offerOf = (world: World, orderId: string) => offersOf(world).find(({ order_id }) => order_id === orderId)
const orders = (world: World) => ordersOf(world).filter(({ order_kind }) => order_kind === 'offer')
const hasArrived = (world: World, { order_id }: Row) =>
  (linesByOrder(world).get(order_id) ?? []).some(({ state }) => arrived.includes(state))

const isDelivered = ({ state, why }: Row) => state === 'ended' && why === 'delivered'
const isLost = (offer: Row | undefined) => offer?.state === 'ended' && !isDelivered(offer)

const lostHolds = ({ histories }: World) =>
  histories.filter(({ offer, bid }) => offer?.ending === 'lost' || bid?.ending === 'lost')

export const offerQuestions: Question[] = [
  each('offers: each is over', offersOf, ({ state, order_id }) =>
    state === 'ended' ? undefined : { what: `is ${state}`, about: order_id },
  ),
  each('offers: each order of one is one of catalog', orders, ({ id }, world) =>
    offerOf(world, id) || !orderById(world).get(id)!.session_id ? undefined : 'catalog has none',
  ),
  each('offers: the work of one arrived exactly when catalog has that it was delivered', offersOf, (offer, world) =>
    isDelivered(offer) === hasArrived(world, offer)
      ? undefined
      : { what: `ended as ${offer.why}, arrived: ${!isDelivered(offer)}`, about: offer.order_id },
  ),
  each('offers: nobody is charged more than was offered, or without a delivery', orders, ({ id }, world) => {
    const history = world.histories.find(({ orderId }) => orderId === id)
    const offer = offerOf(world, id)
    const offered = offer && isDelivered(offer) ? history!.offeredCents! : 0
    const charged = world.ledger
      .filter(({ kind, reference }) => kind === 'captured' && reference === id)
      .reduce((total, { amount }) => total + amount, 0)
    return charged <= offered ? undefined : `charged ${charged} cents of ${offered}`
  }),
  each(
    'offers: no card is held for one that ended',
    (world) => orders(world).filter(({ id, intent_id }) => intent_id && isLost(offerOf(world, id))),
    ({ intent_id }, { processor }) => {
      const intent = processor.intents.find(({ id }) => id === intent_id)
      return intent?.status === 'canceled' ? undefined : `its hold is ${intent?.status}`
    },
  ),
  each(
    'offers: one, or a bid that leads, ended for the reason that its bank had ended the hold',
    lostHolds,
    ({ orderId }, world) => {
      const bid = world.databases.catalog.bid!.find(({ order_id }) => order_id === orderId)
      const whys = [(bid ?? offerOf(world, orderId!))?.why, linesByOrder(world).get(orderId!)?.[0]?.note]
      return whys.every((why) => why === 'hold_lost') ? undefined : { what: `ended as ${whys}`, about: orderId }
    },
  ),
  {
    name: 'offers: one of a work is delivered',
    ask: (world) => {
      const works = Map.groupBy(offersOf(world), ({ item_id }) => item_id as string)
      const wrong = [...works].flatMap(([item, offers]) => {
        const delivered = offers.filter(isDelivered)
        return delivered.length > 1 ? [{ what: `${delivered.length} are delivered`, about: item }] : []
      })
      return { rows: works.size, wrong }
    },
  },
]
