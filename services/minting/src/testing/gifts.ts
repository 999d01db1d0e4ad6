import { randomUUID } from 'node:crypto'
import { giftClaimFailed, giftEnded, giftOffered, tokenMoved } from '@nifty/events/minting'
import {
  orderLineAuthorised,
  orderLineCleared,
  orderLineCompleted,
  orderLineContested,
  orderLineRefunded,
  orderLineReleased,
} from '@nifty/events/payments'
import { unseal } from '@nifty/service-kit/base/secrets'
import { expect } from 'vitest'
import { custody, givenAccount, givenWork, orderOf, untilState, type Work } from './fixtures.ts'
import type { TestMinting } from './minting.ts'

export type Answer = { status: number; body: any }

const shares = { sellerCents: 4_500, commissionCents: 500, royaltyCents: 0, txHash: '0x12' }

/** What givers and recipients of gifts do, and what is published about it. */
export function giftsOf(minting: TestMinting) {
  const { chain, bearer, steppedUp, published, until } = minting

  async function call(method: 'GET' | 'POST', url: string, headers: object, payload?: object): Promise<Answer> {
    const response = await minting.app.inject({ method, url, headers: { ...headers }, payload })
    return { status: response.statusCode, body: response.json() }
  }

  const give = (userId: string, { identifier }: Pick<Work, 'identifier'>, fields: object = {}) =>
    call('POST', '/api/gifts', steppedUp(userId), {
      contract: chain.collection,
      identifier,
      email: anAddress(),
      text: 'Happy birthday',
      ...fields,
    })
  const read = async (userId: string, id: string) => (await call('GET', `/api/gifts/${id}`, bearer(userId))).body
  const offers = (giftId: string) => published(giftOffered).filter((offer) => offer.giftId === giftId)
  const claimFailures = (giftId: string) => published(giftClaimFailed).filter((failed) => failed.giftId === giftId)
  const endings = (giftId: string) => published(giftEnded).filter((ending) => ending.giftId === giftId)
  /** The token of the mailed link with this number. */
  const linkOf = (giftId: string, number = 1) =>
    until(() => offers(giftId)[number - 1]?.link).then((link) => unseal(link, minting.mailTokenKeys))

  async function givenOwner() {
    const wallet = (await chain.newWallet()).address
    const { userId } = await givenAccount(minting, { admin: true, wallet, walletProven: true })
    return { userId, work: await givenWork(minting, { creatorId: userId }) }
  }

  async function givenGift(fields: object = {}) {
    const { userId, work } = await givenOwner()
    const { status, body } = await give(userId, work, fields)
    expect([status, body.code]).toEqual([200, undefined])
    return { userId, work, id: body._id as string, link: await linkOf(body._id) }
  }

  /** A purchase into custody as a gift; `complete`: the card is charged. */
  async function givenBoughtGift({ account, email = anAddress() }: { account?: string; email?: string } = {}) {
    const buyerId = account ?? (await givenAccount(minting)).userId
    const work = await givenWork(minting)
    const order = orderOf(work, { ...custody, buyerId })
    const { deliverBy: _deliverBy, wallet: _wallet, custody: _custody, ...line } = order
    const to = { email, text: 'For you' }
    const gifts = async () => (await call('GET', '/api/gifts', bearer(buyerId))).body.gifts
    const completed = { ...line, ...shares, gift: true as const, giftTo: to }
    const at = (second: number) => new Date(Date.UTC(2026, 3, 1, 0, 0, second)).toISOString()
    return {
      buyerId,
      email,
      work,
      line,
      gifts,
      completed,
      authorise: (changes: object = {}) => minting.consume(orderLineAuthorised, { ...order, gift: to, ...changes }),
      release: () => minting.consume(orderLineReleased, { ...line, reason: 'cancelled' as const, moneyWasHeld: true }),
      /** `changes`: of the event. */
      complete: async ({ id, ...changes }: { id?: string; giftTo?: undefined } = {}) => {
        await untilState(minting, line.lineId, 'final')
        await minting.consume(orderLineCompleted, { ...completed, ...changes }, id)
      },
      /** The gift in this state, as its giver sees it. */
      until: (state: string) => until(async () => (await gifts()).find((gift: any) => gift.state === state)),
      /** The job handles it at its next run, although it waits. */
      handleNow: () =>
        minting.db.updateTable('gift').set({ offerFrom: new Date() }).where('lineId', '=', line.lineId).execute(),
      refund: ({ whole }: { whole: boolean }) =>
        minting.consume(orderLineRefunded, { ...line, refundedCents: 5_000, delivered: true, whole }),
      contest: (second: number) => minting.consume(orderLineContested, { ...line, at: at(second) }),
      clear: (second: number) => minting.consume(orderLineCleared, { ...line, at: at(second) }),
    }
  }

  return {
    call,
    give,
    claim: (userId: string, token: string) => call('POST', '/api/gifts/claim', bearer(userId), { token }),
    open: (token: string) => call('POST', '/api/gifts/open', {}, { token }),
    takeBack: (userId: string, id: string) => call('POST', `/api/gifts/${id}/take-back`, bearer(userId)),
    readdress: (userId: string, id: string, email = anAddress()) =>
      call('POST', `/api/gifts/${id}/address`, steppedUp(userId), { email }),
    read,
    withdraw: (userId: string, { identifier }: Work) =>
      call('POST', '/api/withdrawals', steppedUp(userId), { contract: chain.collection, identifier }),
    offers,
    claimFailures,
    linkOf,
    untilEnded: (giftId: string) => until(() => endings(giftId)[0]),
    untilGift: (userId: string, id: string, state: string) =>
      until(async () => (await read(userId, id)).state === state),
    ownerOf: (token: string) =>
      published(tokenMoved)
        .filter((moved) => moved.token === token)
        .at(-1)?.ownerId,
    givenOwner,
    givenGift,
    givenBoughtGift,
    /** A gift that was bought, delivered, paid and mailed. */
    givenPaidGift: async (options: { account?: string; email?: string } = {}) => {
      const bought = await givenBoughtGift(options)
      await bought.authorise()
      await bought.complete()
      const { _id: id } = await bought.until('offered')
      return { ...bought, id: id as string, link: await linkOf(id) }
    },
  }
}

export const anAddress = () => `${randomUUID()}@people.test`
