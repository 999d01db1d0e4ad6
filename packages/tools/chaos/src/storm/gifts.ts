import { setTimeout as sleep } from 'node:timers/promises'
import { claimGift, type Gift, getGift, listGifts, takeBackGift } from '@nifty/api/minting/gifts'
import type { RunFile } from '@nifty/testkit/run-file'
import { query } from '../campaign/databases.ts'
import type { Person } from './cast/accounts.ts'
import type { ClientLog } from './cast/client.ts'
import { giftAddressOf } from './cast/gift-address.ts'
import type { History } from './history.ts'

const POLL_MS = 1_000

type Deps = {
  run: RunFile
  /** The store's data directory. */
  folder: string
  clients: ClientLog
  buyers: ReadonlyMap<string, Person>
  over: () => boolean
}

/** Ends the gift of a purchase as it is scheduled. Does nothing for a purchase that is released. */
export async function endGift(deps: Deps, history: History) {
  const { gift, place, person } = history
  if (gift?.ending === 'claimed') return claim(deps, { history, recipient: deps.buyers.get(gift.recipient)! })
  if (gift?.ending === 'taken back') {
    const states = place % 2 === 0 ? ['bought', 'offered'] : ['offered']
    const found = await untilGift(deps, { history, states })
    const send = () => person.client.send(takeBackGift, { params: { id: found!._id } })
    if (found) await deps.clients.untilAnswered(place, 'take back', { send, over: deps.over })
  }
  if (gift?.ending === 'lapsed') {
    const found = await untilGift(deps, { history, states: ['offered'] })
    if (found) await lapse(deps, found._id)
  }
}

const isReleased = ({ last, refused }: History) => last?.state === 'released' || refused !== undefined

async function untilGift(
  { clients, over }: Deps,
  { history, states }: { history: History; states: string[] },
): Promise<Gift | undefined> {
  const { place, person, orderId } = history
  while (!over() && !isReleased(history)) {
    const answer = await clients.once(place, 'read gifts', () => person.client.send(listGifts))
    const gifts = answer?.status === 200 ? answer.body.gifts : []
    const found = gifts.find((gift) => gift.orderId === orderId && gift.role === 'giver')
    if (found && states.includes(found.state)) return found
    await sleep(POLL_MS)
  }
  return undefined
}

/** Ninety days pass. PostgreSQL may be down at the moment. */
async function lapse({ folder, over }: Deps, id: string) {
  while (!over()) {
    try {
      await query(folder, 'minting', `update gift set until = now() where id = $1 and state = 'offered'`, [id])
      return
    } catch {
      await sleep(POLL_MS)
    }
  }
}

/** The recipient uses the link in the mail until the gift is its own. A mail that is refused for good never comes. */
async function claim(deps: Deps, { history, recipient }: { history: History; recipient: Person }) {
  const { clients, over } = deps
  const { place } = history
  const token = await untilLink(deps, history)
  while (token && !over()) {
    const claimed = await clients.untilAnswered(place, 'claim', {
      send: () => recipient.client.send(claimGift, { body: { token } }),
      over,
    })
    if (claimed?.status === 404) return
    const id = claimed?.status === 202 ? claimed.body._id : undefined
    let isClaiming = id !== undefined
    while (isClaiming && !over()) {
      const answer = await clients.once(place, 'read gift', () =>
        recipient.client.send(getGift, { params: { id: id! } }),
      )
      if (answer?.status === 200 && answer.body.state === 'claimed') return
      // The claim failed: the gift is no more the recipient's.
      isClaiming = answer?.status !== 404
      await sleep(POLL_MS)
    }
    await sleep(POLL_MS)
  }
}

async function untilLink({ run, over }: Deps, history: History): Promise<string | undefined> {
  while (!over() && !isReleased(history)) {
    const mails = await fetch(`${run.mailboxUrl}/api/email`)
      .then((response) => response.json() as Promise<{ to: { address: string }[]; text: string }[]>)
      .catch(() => [])
    const mine = mails.filter(({ to }) => to.some(({ address }) => address === giftAddressOf(history)))
    const [, token] =
      mine
        .map(({ text }) => text)
        .join('\n')
        .match(/\/gift#(\S+)/) ?? []
    if (token) return token
    await sleep(POLL_MS)
  }
  return undefined
}
