import { expect, test } from 'vitest'
import { giftAddressOf } from './cast/gift-address.ts'
import { questions } from './checker.ts'
import type { MailRecord } from './mail/record.ts'
import type { World } from './world.ts'

const ask = (name: string, world: object) => {
  const question = questions.find((each) => each.name.startsWith(name))!
  return question.ask(world as World)
}

const [seller, buyer, signer, contract] = ['0x5e', '0xb0', '0x51', '0xc0']
const token = `${contract}/7`

/** A store with one work, in this wallet by a transaction of this sender, and one order with these captures. */
function storeWith({ owner, sender, captures = [], kind = 'plain' }: Held) {
  const delivered = sender === signer ? [{ line: 'line', token, to: owner, account: null, hash: '0x1' }] : []
  return {
    histories: [
      {
        kind,
        orderId: 'order',
        cart: [{ contract, identifier: '7', seller: { userId: 'seller', wallet: { address: seller } } }],
      },
    ],
    chain: {
      holdings: new Map([[token, { owner, account: null, hash: '0x1' }]]),
      transactions: [{ hash: '0x1', from: sender }],
      delivered,
      claims: [],
    },
    ledger: captures.map((amount) => ({ kind: 'captured', reference: 'order', amount })),
    databases: {
      payments: { line: [{ id: 'line', order_id: 'order', price_cents: 500 }] },
      minting: { custody_account: [], gift: [] },
    },
  }
}
type Held = { owner: string; sender: string; captures?: number[]; kind?: string }

test('a token that left needs one capture of its price, unless its owner moved it or the hold was ended', () => {
  const found = (held: Held) => ask('chain: no token left without its payment', storeWith(held))
  expect(found({ owner: buyer, sender: signer, captures: [500] })).toEqual({ rows: 1, wrong: [] })
  expect(found({ owner: buyer, sender: seller })).toEqual({ rows: 1, wrong: [] })
  expect(found({ owner: buyer, sender: signer, kind: 'hold ended' })).toEqual({ rows: 1, wrong: [] })
  expect(found({ owner: seller, sender: signer }).rows).toBe(0)
  for (const captures of [[], [499], [500, 500]])
    expect(found({ owner: buyer, sender: signer, captures }).wrong, String(captures)).toHaveLength(1)
  expect(found({ owner: buyer, sender: '0xee', captures: [500] }).wrong[0]?.what).toContain('by no order')
})

const record = (changes: Partial<MailRecord>): MailRecord => ({ faults: [], attempts: [], pauses: [], ...changes })
const attempt = (from: number, changes: object = {}) => ({ messageId: 'one', from, storedIt: true, ...changes })
const refusals = [{ fault: 'RCPT: no such mailbox', from: 0, to: 1, final: '(mail 3)' }]

test('a mail is attempted no more once it was taken or refused for good, but after any other answer', () => {
  const wrong = (first: object) => {
    const mailRecord = record({ faults: refusals, attempts: [attempt(1, first), attempt(2)] })
    return ask('mails: none is attempted again', { mailRecord }).wrong.length
  }
  expect(wrong({ taken: true })).toBe(1)
  expect(wrong({ taken: false, response: '550 5.1.1 no such mailbox (mail 3)' })).toBe(1)
  expect(wrong({ taken: false, response: '451 4.3.0 later (mail 4)' })).toBe(0)
  expect(wrong({ taken: false })).toBe(0)
  // Its process was killed before it could store the response.
  expect(wrong({ taken: true, storedIt: false })).toBe(0)
})

test('a mail that was not sent is right only where the mail server refused it for good', () => {
  const wrong = (mail: object) => {
    const unsent = { sent_at: null, claimed_at: null, template: 'purchased', failure: null, error: null, ...mail }
    const world = { mailRecord: record({ faults: refusals }), databases: { notification: { mail: [unsent] } } }
    return ask('mails: every mail was sent', world).wrong.length
  }
  expect(wrong({})).toBe(1)
  expect(wrong({ failure: 'refused', error: 'EENVELOPE RCPT TO 550 5.1.1 no such mailbox (mail 3)' })).toBe(0)
  expect(wrong({ failure: 'refused', error: 'EENVELOPE RCPT TO 554 5.7.1 relaying denied (mail 4)' })).toBe(1)
  expect(wrong({ failure: 'attempts', error: '(mail 3)' })).toBe(1)
})

test('a gift whose link was made has its mail, unless it ended before the mail was sent', () => {
  const isWrong = (state: string, mails: number) => {
    const mail = { template: 'gift', subject_id: 'gift.1', recipient: giftAddressOf({ place: 3 }) }
    const databases = {
      minting: {
        gift: [{ id: 'gift', order_id: 'order', state, offered_at: '2026' }],
        gift_link: [{ gift_id: 'gift' }],
      },
      notification: { mail: Array(mails).fill(mail) },
    }
    const world = { histories: [{ orderId: 'order', place: 3 }], databases }
    return ask('gifts: each paid one has one link', world).wrong.length === 1
  }
  for (const state of ['offered', 'claimed', 'taken_back', 'refunded', 'lapsed', 'ended'])
    expect(
      [1, 2].map((mails) => isWrong(state, mails)),
      state,
    ).toEqual([false, true])
  expect(['offered', 'claimed'].map((state) => isWrong(state, 0))).toEqual([true, true])
  expect(['taken_back', 'lapsed'].map((state) => isWrong(state, 0))).toEqual([false, false])
})

const anOffer = { order_id: 'order', item_id: 'item', state: 'ended', why: 'delivered' }

/** A store with one offer of 400 cents, its order, and what the processor and its ledger have of it. */
function storeWithOffer({ offers = [anOffer], line = 'completed', captured = 400, intent = 'succeeded' } = {}) {
  return {
    histories: [{ orderId: 'order', offeredCents: 400 }],
    ledger: captured ? [{ kind: 'captured', reference: 'order', amount: captured }] : [],
    processor: { intents: [{ id: 'pi', status: intent }] },
    databases: {
      catalog: { offer: offers },
      payments: {
        orders: [{ id: 'order', order_kind: 'offer', session_id: 'cs', intent_id: 'pi' }],
        line: [{ id: 'line', order_id: 'order', state: line }],
      },
    },
  }
}

test('an offer is accepted, delivered and charged as it was made, or it ended and its card is free', () => {
  const wrong = (changes: Parameters<typeof storeWithOffer>[0]) =>
    questions
      .filter(({ name }) => name.startsWith('offers:'))
      .flatMap(({ ask }) => ask(storeWithOffer(changes) as never).wrong)
      .map(({ what }) => what)
  const released = { offers: [{ ...anOffer, why: 'declined' }], line: 'released', captured: 0, intent: 'canceled' }
  expect(wrong({})).toEqual([])
  expect(wrong(released)).toEqual([])
  expect(wrong({ captured: 401 })).toEqual(['charged 401 cents of 400'])
  expect(wrong({ ...released, captured: 400 })).toEqual(['charged 400 cents of 0'])
  expect(wrong({ ...released, intent: 'requires_capture' })).toEqual(['its hold is requires_capture'])
  expect(wrong({ ...released, offers: [{ ...anOffer, state: 'open' }] })).toEqual(['is open'])
  expect(wrong({ ...released, offers: [anOffer] })).toEqual(['ended as delivered, arrived: false'])
  expect(wrong({ offers: [anOffer, { ...anOffer, order_id: 'other' }] })).toContain('2 are delivered')
  expect(wrong({ offers: [] })).toContain('catalog has none')
})

test('a transaction that is open for as long as a mail server is silent is wrong, except of a stopped process', () => {
  const found = (openMs: number, pauses: MailRecord['pauses'] = []) => {
    const mailRecord = record({ faults: [{ fault: 'text: no response', from: 1_000 }], pauses })
    const transactions = [500, 30_000].map((at) => ({ at, openMs }))
    return ask('mails: no transaction of notification', { mailRecord, transactions })
  }
  expect(found(200)).toEqual({ rows: 1, wrong: [] })
  expect(found(25_000).wrong).toHaveLength(1)
  expect(found(25_000, [{ from: 6_000, to: 12_000 }]).wrong).toHaveLength(0)
})
