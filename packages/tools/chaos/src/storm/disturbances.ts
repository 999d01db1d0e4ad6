import { setTimeout as sleep } from 'node:timers/promises'
import { deleteAccount } from '@nifty/api/auth/deletion'
import { removeFromSale, setPrice } from '@nifty/api/catalog/public'
import { getOrder } from '@nifty/api/payments/public'
import type { RunFile } from '@nifty/testkit/run-file'
import { Wallet } from 'ethers'
import { linkWallet, walletOf } from './cast/accounts.ts'
import { AT_PROCESSOR, type ClientLog } from './cast/client.ts'
import type { History } from './history.ts'
import type { Journal } from './journal.ts'
import type { MoveAway, RefuseTokens } from './mover.ts'
import type { Operator } from './operator.ts'
import type { Kind } from './schedule.ts'

const ABANDON_MS = 2_000

type Deps = {
  run: RunFile
  clients: ClientLog
  journal: Journal
  operator: Operator
  moveAway: MoveAway
  refuseTokens: RefuseTokens
  over: () => boolean
}

type Disturbance = (deps: Deps, history: History) => Promise<unknown>

const nothing: Disturbance = async () => {}
const afterOffset = (offsetMs: number) => sleep(Math.max(0, offsetMs))

/** What happens beside the payment, by kind of purchase. */
export const besides: Record<Kind, Disturbance> = {
  plain: nothing,
  declined: nothing,

  cart: async ({ moveAway, journal }, { place, cart, offsetMs }) => {
    await afterOffset(offsetMs)
    const outcome = await moveAway(cart[0]!).catch(String)
    journal.write({ actor: 'driver', what: 'moves away', place, work: cart[0]!._id, outcome })
  },

  abandoned: async ({ run, clients, over }, { place, url }) => {
    await sleep(ABANDON_MS)
    const session = new URL(url!).pathname.split('/').at(-1)
    await clients.untilAnswered(place, `${AT_PROCESSOR}expire session`, {
      send: async () => {
        const response = await fetch(`${run.processorUrl}/sandbox/sessions/${session}/expire`, { method: 'POST' })
        return { status: response.status, body: (await response.json()) as object }
      },
      over,
    })
  },

  cancelled: async ({ clients, over }, { place, person, orderId, offsetMs }) => {
    await afterOffset(offsetMs)
    await clients.untilAnswered(place, 'cancel', { send: () => person.client.cancel(orderId!), over })
  },

  delisted: async ({ clients, over }, { place, cart, offsetMs }) => {
    await afterOffset(offsetMs)
    const { seller, contract, identifier, price } = cart[0]!
    const params = { contract, identifier }
    const send =
      place % 2 === 0
        ? () => seller.client.send(removeFromSale, { params })
        : () =>
            seller.client.send(setPrice, {
              params,
              body: { price: Math.round(price! * 100 + 100) / 100, forSale: true },
            })
    await clients.untilAnswered(place, 'delist', { send, over })
  },

  'wallet changed': async ({ clients, over, journal }, { place, person, offsetMs }) => {
    await afterOffset(offsetMs)
    const wallet = walletOf(Wallet.createRandom().privateKey, person.name)
    await clients.untilAnswered(place, 'change wallet', {
      send: async () => {
        await linkWallet(person, wallet)
        return { status: 200, body: {} }
      },
      over,
    })
    journal.write({ actor: 'driver', what: 'wallet changed', place, from: person.wallet.address, to: wallet.address })
  },

  'account deleted': async ({ clients, over }, { place, person, offsetMs }) => {
    await afterOffset(offsetMs)
    const params = { id: person.userId }
    await clients.untilAnswered(place, 'delete account', {
      send: async () => (await person.steppedUp()).send(deleteAccount, { params }),
      over,
    })
  },

  refunded: async ({ operator, clients, over }, { place, person, orderId }) => {
    const order = await untilCompleted({ clients, over }, { place, person, orderId })
    if (order && place % 2 === 0)
      return clients.untilAnswered(place, `${AT_PROCESSOR}refund`, {
        send: () => operator.refundAtProcessor(orderId!),
        over,
      })
    for (const { _id } of order?.lines ?? [])
      await clients.untilAnswered(place, 'refund', { send: () => operator.refund(_id), over })
  },

  disputed: async ({ operator, clients, over }, { place, person, orderId }) => {
    if (!(await untilCompleted({ clients, over }, { place, person, orderId }))) return
    await clients.untilAnswered(place, `${AT_PROCESSOR}dispute`, { send: () => operator.dispute(orderId!), over })
  },

  inquired: async ({ operator, clients, over }, { place, person, orderId }) => {
    if (!(await untilCompleted({ clients, over }, { place, person, orderId }))) return
    const inquiry = await clients.untilAnswered(place, `${AT_PROCESSOR}inquiry`, {
      send: () => operator.dispute(orderId!, { inquiry: true }),
      over,
    })
    const id = inquiry?.body.id
    if (id && place % 2 === 0)
      await clients.untilAnswered(place, `${AT_PROCESSOR}close inquiry`, {
        send: () => operator.closeInquiry(id),
        over,
      })
  },

  // While the work is delivered, or after its capture.
  warned: async ({ operator, clients, over }, history) => {
    const { place, person, orderId } = history
    if (place % 2 === 0) await untilPaid(over, history)
    else await untilCompleted({ clients, over }, { place, person, orderId })
    await clients.untilAnswered(place, `${AT_PROCESSOR}warn`, { send: () => operator.warn(orderId!), over })
  },

  undeliverable: async ({ moveAway, journal }, { place, cart }) => {
    const outcome = await moveAway(cart[0]!).catch(String)
    journal.write({ actor: 'driver', what: 'moves away', place, work: cart[0]!._id, outcome })
  },

  'recipient refuses': async ({ refuseTokens, journal }, { place, person }) => {
    const outcome = await refuseTokens(person.wallet.address).catch(String)
    journal.write({ actor: 'driver', what: 'refuses tokens', place, wallet: person.wallet.address, outcome })
  },

  'hold ended': async (deps, history) => {
    await untilPaid(deps.over, history)
    await endHold(deps, history)
  },

  'foreign payment': async ({ operator, clients, over }, { place }) => {
    await clients.untilAnswered(place, `${AT_PROCESSOR}pay elsewhere`, { send: () => operator.payElsewhere(), over })
  },
}

/** The bank of a cardholder ends the hold of an order. */
export const endHold = (
  { clients, operator, over }: Pick<Deps, 'clients' | 'operator' | 'over'>,
  { place, orderId }: History,
) =>
  clients.untilAnswered(place, `${AT_PROCESSOR}cancel hold`, {
    send: () => operator.cancelAtProcessor(orderId!),
    over,
  })

const POLL_MS = 50

async function untilPaid(over: () => boolean, history: History) {
  while (!history.paid && !over()) await sleep(POLL_MS)
}

async function untilCompleted(
  { clients, over }: Pick<Deps, 'clients' | 'over'>,
  { place, person, orderId }: Pick<History, 'place' | 'person' | 'orderId'>,
) {
  while (!over()) {
    const answer = await clients.once(place, 'read order', () =>
      person.client.send(getOrder, { params: { id: orderId! } }),
    )
    if (answer?.status === 200 && answer.body.state === 'completed') return answer.body
    await sleep(500)
  }
}
